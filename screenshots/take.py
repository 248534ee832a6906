"""Takes the pictures in this folder again.

    python screenshots/take.py [SCENE…]

SVG is what the test compares; PNG, for whoever cannot show SVG, is made where `resvg-py` is installed.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from screenshots.scenes import SCENES

FOLDER = Path(__file__).parent
FALLBACK = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono*.ttf"
"""Has the few signs that Fira Code lacks; where Debian and its kin keep it."""


def png(svg: str) -> bytes | None:
    """The picture as PNG; None where nothing here can make one."""
    try:
        import fontpkg_fira_code
        import resvg_py
    except ImportError:
        return None
    fonts = [*Path(fontpkg_fira_code.__file__).parent.glob("files/*.ttf"), *Path("/").glob(FALLBACK[1:])]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, font_files=[str(font) for font in fonts], skip_system_fonts=True
        )
    )


async def main(scenes: list[str]) -> None:
    for scene in scenes or SCENES:
        for name, svg in (await SCENES[scene]()).items():
            path = FOLDER / f"{name}.svg"
            is_old = not path.exists() or path.read_text("utf-8") != svg
            print(f"{path.name}: {'taken' if is_old else 'as it was'}")
            path.write_text(svg, "utf-8", newline="\n")
            if (image := png(svg)) is not None:
                path.with_suffix(".png").write_bytes(image)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
