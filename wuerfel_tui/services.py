"""What the screens need of the world outside: settings, tables on the network, hosting one, joining one."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from protocol.discovery import FoundTable
    from wuerfel_tui.client import Client
    from wuerfel_tui.setup import Setup


class Settings(NamedTuple):
    """What is remembered from one evening to the next.

    name: one's own, as last typed; "Anna & Ben" for two at one keyboard
    theme: one of `theme.THEMES`; empty to let the terminal decide
    game: the one hosted last
    """

    name: str = ""
    theme: str = ""
    game: str = ""


class Services:
    """What cannot be done raises a `protocol.errors.Fault` with a sentence for the person.

    interfaces: addresses of this machine to listen on and to look around on; empty for all
    home: the folder for what is remembered; where `data_folder` says if None
    """

    def __init__(self, interfaces: Sequence[str] = (), home: Path | None = None) -> None:
        self.interfaces = tuple(interfaces)
        self.home = home or data_folder()

    # --- settings ----------------------------------------------------------------------------------------------------

    def load_settings(self) -> Settings:
        """What was remembered; the defaults if there is nothing that can be read."""
        try:
            kept = json.loads(self._settings.read_text("utf-8"))
            return Settings(**{name: str(kept[name]) for name in Settings._fields if name in kept})
        except (OSError, ValueError, TypeError):
            return Settings()

    def save_settings(self, settings: Settings) -> None:
        """Remembers them; `OSError` if the folder cannot be written."""
        self.home.mkdir(parents=True, exist_ok=True)
        fresh = self._settings.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(settings._asdict(), indent=2, ensure_ascii=False), "utf-8")
        fresh.replace(self._settings)  # whole or not at all

    @property
    def _settings(self) -> Path:
        return self.home / "settings.json"

    # --- tables ------------------------------------------------------------------------------------------------------

    async def browse(self) -> AsyncIterator[Sequence[FoundTable]]:
        """The tables on this network, at once and again whenever something has changed."""
        from protocol.discovery import Browser

        async with Browser(self.interfaces or None) as browser:
            async for tables in browser.changes():
                yield tables

    async def host_table(self, setup: Setup) -> tuple[str, ...]:
        """The addresses of a new table in a process of its own; it is there for guests then."""
        from wuerfel_tui.hosting import start_host

        return await start_host(setup)

    async def join(self, where: str | Sequence[str] | None, name: str, seats: int, pin: str | None) -> Client:
        """Comes to a table.

        where: its name on this network, an address, or all that it has; None for the only table that there is
        seats: how many for this name; 0 to watch
        Raises a `Fault` whose code begins with "pin" if the table asks for another PIN than this.
        """
        from wuerfel_tui.client import join
        from wuerfel_tui.lookup import find_table

        if where is None or isinstance(where, str):
            where = await find_table(where, self.interfaces)
        return await join(where, name, seats=seats, pin=pin, kept_in=self.home / "seats")


def data_folder() -> Path:
    """Where things are remembered: `WUERFEL_HOME`, or where the system keeps such things."""
    if home := os.environ.get("WUERFEL_HOME"):
        return Path(home)
    import platformdirs

    return platformdirs.user_data_path("wuerfel", appauthor=False)


def kept_seats() -> Path:
    """The folder for what brings somebody back to a seat (see keepsake.py)."""
    return data_folder() / "seats"


def seats_for(name: str) -> int:
    """How many sit at this keyboard: "Anna" one, "Anna & Ben" two."""
    return max(1, sum(bool(part.strip()) for part in name.replace("&", ",").split(",")))


def guest_lines(table: str, addresses: Sequence[str]) -> list[str]:
    """What a guest types to come to a table: by its name, and by each address that others can reach."""
    plain = bool(table) and all(letter.isalnum() or letter in "-_" for letter in table)
    quotable = bool(table) and not any(letter in '"$`\\!' for letter in table)
    by_name = [table] if plain else [f'"{table}"'] if quotable else []
    reachable = [address for address in addresses if not address.startswith(("127.", "[::1]"))] or list(
        addresses
    )
    return [f"wuerfel join {where}" for where in (*by_name, *reachable)]
