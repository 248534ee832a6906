"""Tokens on disk: one for each running program, whatever it is called, and none is lost or shared."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import Program, Programs
from wuerfel_tui.keepsake import KEPT_FOR, SAME_NAME, Keepsake, _key, claim

TOKEN, OTHER = b"1" * 32, b"2" * 32

ANOTHER_PROGRAM = """
import sys, threading
from pathlib import Path
from wuerfel_tui.keepsake import claim
keepsake = claim(Path(sys.argv[1]), "table", "Anna")
print((keepsake.token or b"").hex(), flush=True)
keepsake.keep(bytes.fromhex(sys.argv[2]))
print("kept", flush=True)
threading.Event().wait()
"""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with Programs(tmp_path) as programs:
        yield programs


def another_program(programs: Programs, folder: Path, token: bytes) -> tuple[Program, bytes]:
    """A program called Anna that keeps this token; and the one that it found."""
    program = programs.python("-c", ANOTHER_PROGRAM, str(folder), token.hex())
    found = bytes.fromhex(program.line().strip())
    assert program.line() == "kept\n"
    return program, found


def claimed(folder: Path, name: str = "Anna", table: str = "table") -> Keepsake:
    keepsake = claim(folder, table, name)
    assert keepsake is not None
    return keepsake


def test_a_token_is_found_again(tmp_path: Path) -> None:
    first = claimed(tmp_path)
    assert first.token is None
    first.keep(TOKEN)
    first.release()
    assert claimed(tmp_path).token == TOKEN


def test_a_token_is_for_one_table_and_one_name(tmp_path: Path) -> None:
    first = claimed(tmp_path)
    first.keep(TOKEN)
    first.release()
    assert claimed(tmp_path, name="Ben").token is None
    assert claimed(tmp_path, table="another").token is None


def test_two_programs_of_one_name_never_share_a_token(tmp_path: Path, programs: Programs) -> None:
    _, found = another_program(programs, tmp_path, TOKEN)
    assert found == b""
    mine = claimed(tmp_path)
    assert mine.token is None
    mine.keep(OTHER)
    assert mine.token == OTHER


def test_a_killed_program_leaves_its_token_and_no_lock(tmp_path: Path, programs: Programs) -> None:
    first, _ = another_program(programs, tmp_path, TOKEN)
    second, found = another_program(programs, tmp_path, OTHER)
    assert found == b""
    second.kill()
    _, found = another_program(programs, tmp_path, OTHER)  # the first one lives: its token is not to be had
    assert found == OTHER
    first.kill()
    assert claimed(tmp_path).token == TOKEN


def test_a_seat_that_waits_comes_before_a_new_one(tmp_path: Path) -> None:
    one, two = claimed(tmp_path), claimed(tmp_path)
    one.keep(TOKEN)
    two.keep(OTHER)
    one.forget()
    for keepsake in (one, two):
        keepsake.release()
    waiting, new = claimed(tmp_path), claimed(tmp_path)
    assert (waiting.token, new.token) == (OTHER, None)


def test_more_of_one_name_than_anybody_needs_come_without_a_keepsake(tmp_path: Path) -> None:
    held = [claimed(tmp_path) for _ in range(SAME_NAME)]
    assert claim(tmp_path, "table", "Anna") is None
    held[3].release()
    assert claim(tmp_path, "table", "Anna") is not None


@pytest.mark.skipif(sys.platform == "win32", reason="has no such permissions")
def test_a_token_is_nobody_elses_to_read(tmp_path: Path) -> None:
    claimed(tmp_path).keep(TOKEN)
    (token,) = tmp_path.glob("*.token")
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert TOKEN.hex() in token.read_text("ascii")


def test_a_folder_that_cannot_be_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert claim(tmp_path / "file", "table", "Anna") is None
    assert claim(tmp_path / "file" / "seats", "table", "Anna") is None
    assert claim(tmp_path / ("x" * 5000), "table", "Anna") is None


def test_a_folder_that_goes_away_is_no_hindrance(tmp_path: Path) -> None:
    folder = tmp_path / "seats"
    keepsake = claimed(folder)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    keepsake.keep(TOKEN)
    assert keepsake.token is None
    keepsake.forget()
    keepsake.release()


def test_what_is_left_of_old_tables_is_swept_away_unless_somebody_holds_it(tmp_path: Path) -> None:
    old, held, fresh = (claimed(tmp_path, table=table) for table in ("old", "held", "fresh"))
    for keepsake in (old, held, fresh):
        keepsake.keep(TOKEN)
    long_ago = time.time() - KEPT_FOR - 10
    for table in ("old", "held"):
        for path in paths(tmp_path, table):
            os.utime(path, (long_ago, long_ago))
    old.release()
    fresh.release()
    claimed(tmp_path, table="new")
    assert not any(path.exists() for path in paths(tmp_path, "old"))
    assert all(path.exists() for path in paths(tmp_path, "held"))
    assert claimed(tmp_path, table="fresh").token == TOKEN


def paths(folder: Path, table: str) -> list[Path]:
    """The files of Anna's first keepsake for a table."""
    return [folder / f"{_key(table, 'Anna', 0)}.{kind}" for kind in ("lock", "token")]
