"""The pictures are not older than what they show: each is taken again and compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from screenshots.scenes import SCENES

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("scene", SCENES)
async def test_a_picture_shows_what_the_program_shows(scene: str) -> None:
    taken = await SCENES[scene]()
    stale = [name for name, svg in taken.items() if kept(name) != svg]
    assert not stale, f"{', '.join(stale)}: not what the program shows now; `make screenshots` takes it anew"


def kept(name: str) -> str | None:
    path = ROOT / "screenshots" / f"{name}.svg"
    return path.read_text("utf-8") if path.exists() else None


def test_the_readme_shows_pictures_that_are_there_and_says_what_is_on_them() -> None:
    pictures = re.findall(r"!\[(.*?)\]\((.*?)\)", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert pictures
    assert [path for words, path in pictures if not words or not (ROOT / path).is_file()] == []
