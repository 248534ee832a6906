"""What Wurf & Weg is drawn with: the phase, the charm, cards, the other players, and a tray of dice.

Each picture shows one value and is sent only when that changes. On a small screen all that a roll changes lies in one
row, and the rest stands still: 400 bytes are all that a roll may cost.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from rich.cells import cell_len
from textual.geometry import Offset, Region

from wuerfel_tui.widgets.buffet import fitted
from wuerfel_tui.widgets.canvas import Canvas, Picture
from wuerfel_tui.widgets.lucky import ART, LUCKY, called, draw_pixels, tag
from wuerfel_tui.widgets.palette import ASCII, Look

BLANK = -1
"""A die that has not been rolled."""
LARGE = ART.width + 2
"""Columns of a die with a picture."""
WIDE, NARROW, SIGNED = 8, 6, 4
"""Columns of a die with coloured edges, with an outline, with sign and letter; below that it is a letter."""
TUMBLE = "/-\\|"
"""What a die in the air shows in turn: of one byte each."""

_DIGITS = (
    (".#.", "##.", ".#.", ".#.", "###", "..."),
    ("###", "..#", "###", "#..", "###", "..."),
    ("###", "..#", ".##", "..#", "###", "..."),
)

ModelT = TypeVar("ModelT")


class Showing(Picture, Generic[ModelT]):
    """A picture of one value."""

    def __init__(self, model: ModelT) -> None:
        super().__init__()
        self.model = model

    def show(self, model: ModelT) -> None:
        if model != self.model:
            self.model = model
            self.repaint()


class Banner(NamedTuple):
    """What the moment is, in a word and a sentence on a ground of its own."""

    word: str = ""
    sentence: str = ""
    ground: str = "wood"


class Band(Showing[Banner]):
    """The phase, over the whole width."""

    def draw(self, canvas: Canvas, look: Look) -> None:
        word, sentence, ground = self.model
        canvas.fill(Region(0, 0, canvas.width, canvas.height), look.style(f"{ground}.", ground))
        y = canvas.height // 2
        x = canvas.text(2, y, " ".join(word), look.style(f"{ground}.", ground, bold=True)) + 3
        room = canvas.width - x - 1
        canvas.text(x, y, fitted(sentence, room, look.glyphs.cut), look.style(f"{ground}.", ground))


class Line(Showing[str]):
    """One line of text, in the middle."""

    def __init__(self, ink: str = "text") -> None:
        super().__init__("")
        self.ink = ink

    def draw(self, canvas: Canvas, look: Look) -> None:
        text = fitted(_arrows(look, self.model), canvas.width, look.glyphs.cut)
        x = max(0, (canvas.width - cell_len(text)) // 2)
        canvas.text(x, 0, text, look.style(self.ink))


class Charm(Showing[int]):
    """The depot card: this round's charm, between yellow edges. A click is `("depot",)`."""

    def __init__(self) -> None:
        super().__init__(BLANK)

    def draw(self, canvas: Canvas, look: Look) -> None:
        whole = Region(0, 0, canvas.width, canvas.height)
        canvas.fill(whole, look.style("text", "lane"))
        canvas.target(whole, "depot")
        edge = look.style("Y.", "Y")
        for x in (0, canvas.width - 2):
            canvas.fill(Region(x, 0, 2, canvas.height), edge)
        if self.model == BLANK:
            return
        symbol = LUCKY[self.model]
        style = look.style(symbol.ink(), "lane", bold=True)
        top = (canvas.height - ART.height) // 2
        left = canvas.width // 2 - ART.width - 3
        draw_pixels(canvas, look, Offset(left, top), symbol.pixels, style)
        x = canvas.width // 2 + 2
        canvas.text(x, top + 1, "CHARM", look.style("text", "lane", bold=True))
        canvas.text(x, top + 2, called(look, self.model), style)


class Card(NamedTuple):
    """An open card.

    symbols: the left and the right one
    names: of the neighbours to whom these go
    asleep: which of the two count nothing now
    """

    symbols: tuple[int, int]
    names: tuple[str, str]
    asleep: tuple[bool, bool] = (False, False)


class OwnCard(Showing[Card | None]):
    """One's own card, large, in a white frame. A click on a half is `("side", seat, 0 or 1)`."""

    def __init__(self, seat: int) -> None:
        super().__init__(None)
        self.seat = seat

    def draw(self, canvas: Canvas, look: Look) -> None:
        card = self.model
        width, bottom = canvas.width, canvas.height - 1
        canvas.fill(Region(0, 0, width, canvas.height), look.style("text", "lane"))
        for y in (0, bottom):
            canvas.fill(Region(0, y, width, 1), look.style("ivory.", "ivory"))
        if card is None:
            return
        half = width // 2
        for y in range(1, bottom):
            canvas.text(half, y, "|" if look.glyphs is ASCII else "│", look.style("line", "lane"))
        for side, asleep in enumerate(card.asleep):
            self._draw_half(canvas, look, Region(side * half, 1, half, bottom - 1), side, asleep)
            canvas.target(Region(side * half, 0, half, canvas.height), "side", self.seat, side)

    def _draw_half(self, canvas: Canvas, look: Look, region: Region, side: int, asleep: bool) -> None:
        """A symbol, in the upper edge to whom it goes, and in the lower one its name."""
        assert self.model is not None
        number = self.model.symbols[side]
        symbol = LUCKY[number]
        scale = 2 if region.height >= 2 * ART.height and region.width > 2 * ART.width else 1
        x = region.x + (region.width - ART.width * scale + 1) // 2
        y = region.y + (region.height - ART.height * scale) // 2
        ink = look.style("line" if asleep else symbol.ink(), "lane", bold=not asleep)
        draw_pixels(canvas, look, Offset(x, y), symbol.pixels, ink, scale)
        edge = look.style("ivory-" if asleep else "ivory.", "ivory", bold=not asleep)
        name = fitted(self.model.names[side], region.width - 5, look.glyphs.cut)
        to = _arrows(look, f"{name} →" if side else f"← {name}")
        canvas.text(canvas.width - 1 - cell_len(to) if side else 1, 0, to, edge)
        words = called(look, number)
        canvas.text(region.x + (region.width - len(words) + 1) // 2, region.bottom, words, edge)


class Other(NamedTuple):
    """Another player.

    arrow: the key that sends dice there
    mark: `away` and the like
    dice: what stands for their dice, or what they wait for
    card: the symbols of their card, none while it is face down
    won: cards face down, and how many are needed (0: as many as can be had)
    faces: what their dice show; None where that is not to be seen
    """

    name: str
    arrow: str = ""
    mark: str = ""
    dice: str = ""
    card: tuple[int, ...] = ()
    won: tuple[int, int] = (0, 0)
    faces: tuple[int, ...] | None = None


class Panel(Showing[Other]):
    """Another player in three rows, or more where there is room. What a race changes is the second (and the third)."""

    def draw(self, canvas: Canvas, look: Look) -> None:
        other = self.model
        canvas.fill(Region(0, 0, canvas.width, canvas.height), look.style("text", "lane"))
        room = canvas.width - 2
        mark = fitted(other.mark, room // 2, look.glyphs.cut)
        name = _arrows(look, f"{other.arrow} {other.name}".strip())
        name = fitted(name, room - cell_len(mark) - bool(mark), look.glyphs.cut)
        canvas.text(1, 0, name, look.style("text", "lane", bold=True))
        canvas.text(canvas.width - 1 - cell_len(mark), 0, mark, look.style("muted", "lane"))
        canvas.text(1, 1, _dots(look, other.dice), look.style("text", "lane"), room)
        y = 2
        if other.faces is not None:
            self._draw_faces(canvas, look, y, other.faces)
            y += 1
        roomy = y + 1 < canvas.height
        x = canvas.text(1, y, "card ", look.style("muted", "lane")) if roomy else 1
        for number in other.card:
            x = canvas.text(x, y, tag(look, number), look.style(LUCKY[number].ink(), "lane")) + 2
        won = won_cards(look, other.won)
        if roomy:
            canvas.text(1, y + 1, f"won {won}", look.style("muted", "lane"))
        else:
            canvas.text(canvas.width - 1 - len(won), y, won, look.style("muted", "lane"))

    def _draw_faces(self, canvas: Canvas, look: Look, y: int, faces: tuple[int, ...]) -> None:
        x, step = 1, 5 if len(faces) * 5 < canvas.width else 2
        for number in faces:
            if number != BLANK:
                text = tag(look, number) if step == 5 else LUCKY[number].letter
                canvas.text(
                    x, y, text, look.style(LUCKY[number].ink(), "lane", bold=True), canvas.width - 1 - x
                )
            x += step


class Own(NamedTuple):
    """What stands under one's own dice.

    won: as for others
    note: what may be said about the phase
    keys: what plays this seat, where two people share a keyboard
    """

    name: str = ""
    won: tuple[int, int] = (0, 0)
    note: str = ""
    keys: str = ""


class OwnLine(Showing[Own]):
    """One's own name, cards won, and how it stands."""

    def draw(self, canvas: Canvas, look: Look) -> None:
        own = self.model
        name = fitted(own.name, canvas.width // 3, look.glyphs.cut)
        x = canvas.text(1, 0, name, look.style("text", bold=True)) + 2
        x = canvas.text(x, 0, won_cards(look, own.won), look.style("accent")) + 2
        x = canvas.text(x, 0, _arrows(look, own.keys), look.style("muted")) + (2 if own.keys else 0)
        canvas.text(x, 0, own.note, look.style("accent", bold=True))


class Dice(NamedTuple):
    """What lies in a tray.

    faces: symbols, sorted, or BLANK
    tumbling: so many dice are in the air; then there are no faces
    turn: which picture of the tumble
    waiting: dice that others have put on the card, by their names; they join the next roll
    slots: places for dice that have an outline
    text: lines in place of dice
    digit: of a count-down, in place of dice
    """

    faces: tuple[int, ...] = ()
    tumbling: int = 0
    turn: int = 0
    waiting: tuple[str, ...] = ()
    slots: int = 0
    text: tuple[str, ...] = ()
    digit: int = 0


class Tray(Showing[Dice]):
    """One's own dice. A click on a die is `("die", seat, index)`, elsewhere `("tray", seat)`."""

    def __init__(self, seat: int) -> None:
        super().__init__(Dice())
        self.seat = seat

    def draw(self, canvas: Canvas, look: Look) -> None:
        dice = self.model
        whole = Region(0, 0, canvas.width, canvas.height)
        ground = "select" if dice.digit else "lane"
        canvas.fill(whole, look.style("text" if ground == "lane" else f"{ground}.", ground))
        canvas.target(whole, "tray", self.seat)
        if dice.digit:
            self._draw_digit(canvas, look)
        elif dice.text:
            self._draw_text(canvas, look)
        elif dice.slots:
            width = die_width(dice.slots, canvas.width, canvas.height)
            if width == LARGE:
                self._draw_large(canvas, look)
            else:
                self._draw_row(canvas, look, width)

    def _draw_digit(self, canvas: Canvas, look: Look) -> None:
        scale = max(1, canvas.height // 3)
        at = Offset((canvas.width - 3 * scale) // 2, (canvas.height - 3 * scale + 1) // 2)
        style = look.style("select.", "select", bold=True)
        draw_pixels(canvas, look, at, _DIGITS[self.model.digit - 1], style, scale)

    def _draw_text(self, canvas: Canvas, look: Look) -> None:
        top = max(0, (canvas.height - len(self.model.text)) // 2)
        for y, line in enumerate(self.model.text):
            line = fitted(line, canvas.width - 2, look.glyphs.cut)
            style = look.style("muted" if y else "text", "lane", bold=not y)
            canvas.text((canvas.width - cell_len(line)) // 2, top + y, line, style)

    def _draw_row(self, canvas: Canvas, look: Look, width: int) -> None:
        """Dice in one row, between outlines that stay where they are."""
        middle = canvas.height // 2
        left = (canvas.width - self.model.slots * width + 1) // 2
        for index in range(self.model.slots):
            x = left + index * width
            if width >= NARROW:
                self._draw_outline(canvas, look, Offset(x, middle), width - 1, index)
            canvas.target(Region(x, 0, width, canvas.height), "die", self.seat, index)
            self._draw_die(canvas, look, Region(x, middle, width, 1), index)

    def _draw_outline(self, canvas: Canvas, look: Look, at: Offset, width: int, index: int) -> None:
        """The upper and the lower edge of a die, and its number."""
        corners, bar = ("++++", "-") if look.glyphs is ASCII else ("┌┐└┘", "─")
        style = look.style("line", "lane")
        number = str(index + 1) if index < 9 else bar
        canvas.text(at.x, at.y - 1, corners[0] + number.center(width - 2, bar) + corners[1], style)
        canvas.text(at.x, at.y + 1, corners[2] + bar * (width - 2) + corners[3], style)

    def _draw_die(self, canvas: Canvas, look: Look, region: Region, index: int) -> None:
        dice, width = self.model, region.width
        count = dice.tumbling or len(dice.faces)
        x, y, _, _ = region
        if count <= index < count + len(dice.waiting):
            _draw_waiting(canvas, look, region, dice.waiting[index - count])
        elif index >= count:
            return
        elif dice.tumbling:
            face = TUMBLE[(dice.turn + index) % len(TUMBLE)]
            canvas.text(x + (width - 1) // 2, y, face, look.style("muted", "lane"))
        elif dice.faces[index] == BLANK:
            canvas.text(x + (width - 1) // 2, y, "?", look.style("muted", "lane"))
        else:
            number = dice.faces[index]
            style = look.style(LUCKY[number].ink(), "lane", bold=width >= NARROW)
            if width == WIDE:
                block = "#" if look.glyphs is ASCII else "█"
                canvas.text(x, y, f"{block} {tag(look, number)} {block}", style)
            elif width >= SIGNED:
                canvas.text(x + (width - SIGNED) // 2, y, tag(look, number), style)
            else:
                canvas.text(x, y, LUCKY[number].letter, style)

    def _draw_large(self, canvas: Canvas, look: Look) -> None:
        dice = self.model
        count = dice.tumbling or len(dice.faces)
        left = (canvas.width - dice.slots * LARGE + 1) // 2
        for index in range(count + len(dice.waiting)):
            region = Region(left + index * LARGE, 1, ART.width, canvas.height - 1)
            canvas.target(region, "die", self.seat, index)
            middle = Region(region.x, canvas.height // 2, region.width + 1, 1)
            if index >= count:
                canvas.fill(region, look.style("select.", "select"))
                _draw_waiting(canvas, look, middle, dice.waiting[index - count])
            elif dice.tumbling or dice.faces[index] == BLANK:
                self._draw_die(canvas, look, middle, index)
            else:
                symbol = LUCKY[dice.faces[index]]
                style = look.style(symbol.ink(), "lane", bold=True)
                draw_pixels(canvas, look, region.offset, symbol.pixels, style)
                canvas.text(
                    region.x, region.bottom - 1, tag(look, dice.faces[index]).center(ART.width), style
                )


def _draw_waiting(canvas: Canvas, look: Look, region: Region, name: str) -> None:
    """A die that has just come: from whom."""
    style = look.style("select.", "select", bold=True)
    canvas.text(region.x, region.y, f"+{name}".ljust(region.width - 1), style, region.width - 1)


def die_width(dice: int, width: int, height: int) -> int:
    """Columns of a die when so many have to find room."""
    room = width - 2
    if height > ART.height and dice * LARGE <= room:
        return LARGE
    return next((size for size in (WIDE, NARROW, SIGNED, 3) if dice * size <= room), 2)


def won_cards(look: Look, won: tuple[int, int]) -> str:
    """Cards face down: `■■□`, or a number where no number is enough."""
    count, needed = won
    full, empty = ("#", ".") if look.glyphs is ASCII else ("■", "□")
    return full * count + empty * (needed - count) if needed else str(count)


def _arrows(look: Look, text: str) -> str:
    return text.translate(_PLAIN_ARROWS) if look.glyphs is ASCII else text


def _dots(look: Look, text: str) -> str:
    return text.translate(_PLAIN_DOTS) if look.glyphs is ASCII else text


_PLAIN_ARROWS = str.maketrans("←→↓", "<>v")
_PLAIN_DOTS = str.maketrans("●○≈", "o.~")
