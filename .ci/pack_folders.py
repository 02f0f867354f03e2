"""Build hook: put each folder of authored texts or tables, or of an example, into the wheel as one file."""

from __future__ import annotations

import importlib.util
import io
import lzma
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackFolders(BuildHookInterface):
    """Replaces the folders listed in pyproject.toml, except in an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Pack the folders and add the packed files to the wheel."""
        if version == "editable":
            return
        self._made = tempfile.TemporaryDirectory()
        source = Path(self.root, "src")
        reader = _module(source / "voxpop" / "text_files.py")
        for number, name in enumerate(self.config["folders"]):
            folder = Path(self.root, name)
            packed = Path(self._made.name, str(number))
            called, content = reader.pack(folder)
            packed.write_bytes(content)
            build_data["force_include"][str(packed)] = folder.with_name(called).relative_to(source).as_posix()
        for name, place in self.config["archives"].items():
            packed = Path(self._made.name, Path(place).name)
            packed.write_bytes(_archive(Path(self.root, name)))
            build_data["force_include"][str(packed)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the packed files, which the wheel holds now."""
        if version != "editable":
            self._made.cleanup()


def _archive(folder: Path) -> bytes:
    """Return a folder as a compressed tar archive; equal folders give equal bytes."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size, entry.mode = path.stat().st_size, 0o644
                with path.open("rb") as content:
                    made.addfile(entry, content)
    return lzma.compress(whole.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def _module(path: Path) -> Any:
    """Load a module by path: a build has no installed package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
