"""The tree of errors in its docstring is drawn complete, and as the classes are."""

from __future__ import annotations

import inspect
import re

from voxpop import errors

CLASSES = {
    name: made
    for name, made in vars(errors).items()
    if inspect.isclass(made) and made.__module__ == errors.__name__
}


def drawn() -> dict[str, str]:
    """Return the name of every class in the drawing with the name that it hangs below."""
    above: list[str] = []
    made = {}
    for line in (errors.__doc__ or "").split("::")[1].splitlines():
        found = re.match(r"    ([│├└─ ]*)([A-Z][A-Za-z]+)", line)
        if found is not None:
            depth = len(found.group(1)) // 4
            above[depth:] = [found.group(2)]
            made[found.group(2)] = above[depth - 1] if depth else ""
    return made


def test_every_class_is_drawn_once() -> None:
    assert set(drawn()) == set(CLASSES)


def test_each_hangs_below_its_base() -> None:
    bases = {
        name: next((base.__name__ for base in made.__bases__ if base.__name__ in CLASSES), "")
        for name, made in CLASSES.items()
    }
    assert drawn() == bases
