"""Who sits at this keyboard, as far as a name that is typed can tell."""

from __future__ import annotations

from wuerfel_tui.services import seats_for

AT_ONE_KEYBOARD = 2


def name_problem(name: str) -> str:
    """What is the matter with a name, in a sentence; empty if nothing is."""
    if not name.strip(" &,"):
        return "Your name is missing: the others want to know who you are."
    people = seats_for(name)
    if people > AT_ONE_KEYBOARD:
        return f"Two people can sit at one keyboard, not {people}."
    return ""
