"""Foreign text made harmless."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.text import DROPPED, MAX_MARKS, char_width, clean_line


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Anna", "Anna"),
        ("  Anna \t & \n Ben  ", "Anna & Ben"),
        ("An\x1b[31mna", "An[31mna"),
        ("An\x9b31mna", "An31mna"),
        ("An\u202ena", "Anna"),
        ("An\u200b\u200dna", "Anna"),
        ("An\u2028na", "An na"),
        ("An\udc80na", "Anna"),
        ("\ufeffAnna", "Anna"),
        ("[b]Anna[/b]", "[b]Anna[/b]"),
        ("\u3164\u2800", ""),
        ("♥\ufe0f", "♥"),
        ("", ""),
    ],
)
def test_what_moves_hides_or_turns_is_dropped(text: str, clean: str) -> None:
    assert clean_line(text, 20) == clean


@pytest.mark.parametrize(
    ("text", "width", "clean"),
    [
        ("Annabella", 4, "Anna"),
        ("骰子骰子", 5, "骰子"),
        ("🎲🎲🎲", 4, "🎲🎲"),
        ("Anna Ben", 5, "Anna"),
        ("Zoë", 3, "Zoë"),
        ("Zoe\u0308", 3, "Zoë"),
        ("🇩🇪🇫🇷", 4, "🇩🇪"),
        ("Anna", 0, ""),
    ],
)
def test_what_is_too_wide_is_cut(text: str, width: int, clean: str) -> None:
    assert clean_line(text, width) == clean


def test_letters_carry_only_a_few_marks_and_marks_need_a_letter() -> None:
    zalgo = "a" + "\u0323\u0324\u0325\u0326" * 10 + "b"
    cleaned = clean_line(zalgo, 10)
    assert cleaned[-1] == "b"
    assert sum(unicodedata.combining(char) > 0 for char in unicodedata.normalize("NFC", cleaned)) <= MAX_MARKS
    assert clean_line("\u0301\u0302", 10) == ""


def test_a_very_long_text_takes_no_long_time() -> None:
    assert clean_line("\u200b" * 10_000_000 + "x", 10) == ""


@given(st.text(st.characters(), max_size=60), st.integers(0, 20))
@settings(max_examples=300)
def test_whatever_comes_the_line_is_harmless_and_fits(text: str, width: int) -> None:
    cleaned = clean_line(text, width)
    assert sum(map(char_width, cleaned)) <= width
    assert not {unicodedata.category(char) for char in cleaned} & DROPPED
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    assert clean_line(cleaned, width) == cleaned
