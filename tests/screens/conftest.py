"""What the tests of the screens share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tests.guests import Party
from tests.screens.inn import Inn
from wuerfel_tui.app import WuerfelApp


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A good terminal, whatever the tests run in."""
    for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "WUERFEL_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture
async def party() -> AsyncIterator[Party]:
    async with AsyncExitStack() as stack:
        yield Party(stack)


@pytest.fixture
def inn(party: Party, tmp_path: Path) -> Inn:
    """Somebody called Anna has been here before."""
    inn = Inn(party, tmp_path)
    inn.save_settings(inn.load_settings()._replace(name="Anna"))
    return inn


@pytest.fixture
def app(inn: Inn) -> WuerfelApp:
    return WuerfelApp(inn, motion=False)


class SvgPictures(SingleFileSnapshotExtension):
    """Each picture in a file of its own, to be looked at in a browser."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT

    def serialize(self, data: Any, **_: Any) -> str:
        return data if data.endswith("\n") else data + "\n"


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares `app.export_screenshot()`; `--snapshot-update` takes it anew."""
    return snapshot.use_extension(SvgPictures)
