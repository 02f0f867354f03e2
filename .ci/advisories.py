"""Check of the tested versions against published advisories, with a clear message if these are unreachable.

pip-audit also succeeds when it could look up nothing, so one package is audited first.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

CONSTRAINTS = Path(__file__).with_name("constraints.txt")


def audited(program: str, lines: list[str]) -> list[dict[str, object]] | None:
    """Return the findings of pip-audit for these versions, or None if it reaches no advisories."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write("\n".join(lines))
        wanted.flush()
        command = [program, "-r", wanted.name, "--no-deps", "--disable-pip", "--format", "json"]
        done = subprocess.run(
            [*command, "--progress-spinner", "off"], capture_output=True, text=True, check=False
        )
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return None
    looked_at = [one for one in found if "skip_reason" not in one]
    return looked_at or None


def main(program: str, *, strict: bool) -> int:
    """Audit all dependencies and print the findings; return the exit code.

    A new advisory is not caused by the change under test, so it is reported without failing the run. Releases
    use ``--strict``, which returns 1 for a version with a known weakness.
    """
    lines = CONSTRAINTS.read_text(encoding="utf-8").split()
    if audited(program, [line for line in lines if line.startswith("Jinja2==")]) is None:
        sys.stdout.write("pip-audit cannot reach its advisory database: NO dependency was audited.\n")
        return 0
    found = audited(program, lines) or []
    weak = [(one["name"], one["version"], each["id"]) for one in found for each in one["vulns"]]  # type: ignore[attr-defined]
    for name, version, advisory in weak:
        sys.stdout.write(f"{name} {version} has a known weakness: {advisory}\n")
    sys.stdout.write(f"pip-audit checked {len(found)} of {len(lines)} dependencies.\n")
    return 1 if weak and strict else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], strict="--strict" in sys.argv))
