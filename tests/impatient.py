"""`python -m tests.impatient …` is `wuerfel …`, but gives a lost table up after half a second, not two minutes."""

from __future__ import annotations

import sys
from functools import partial

from wuerfel_tui import cli, headless

if __name__ == "__main__":
    headless.join = partial(headless.join, retry_for=0.5)
    cli.main(sys.argv[1:])
