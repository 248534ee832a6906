"""`python -m wuerfel_tui` is `wuerfel`."""

from wuerfel_tui.cli import main

if __name__ == "__main__":
    main()
