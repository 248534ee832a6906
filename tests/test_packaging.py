"""The wheel, installed outside the checkout: it holds every file and starts. Needs no network."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command that has to succeed."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=cwd, env=env | {"PYTHONUTF8": "1"}, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{command} says:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", directory, cwd=ROOT)
    (wheel,) = directory.glob("*.whl")
    return wheel


def test_the_wheel_holds_both_packages_whole_and_nothing_else(wheel: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("only git knows what belongs to the project")
    # New files count before they are added; deleted ones are named until then.
    listed = run("git", "ls-files", "-z", "-co", "--exclude-standard", "wuerfel_tui", "protocol", cwd=ROOT)
    ours = {name for name in listed.split("\0") if name and (ROOT / name).exists()}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == ours


def test_the_installed_program_runs_anywhere(wheel: Path, tmp_path: Path) -> None:
    builder = venv.EnvBuilder(symlinks=os.name != "nt")  # without pip: that takes seconds, and ours can do it
    builder.create(tmp_path / "venv")
    made = builder.ensure_directories(tmp_path / "venv")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", made.env_exe)
    run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)

    # The dependencies are lent, and only now: pip would remove the wuerfel among them as an older one. The editable
    # install does not come along, for a .pth file counts only where it lies in a site directory itself.
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(tmp_path / "venv")}))
    lent = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "lent.pth").write_text("\n".join(lent), "utf-8")

    where = "import protocol, wuerfel_tui; print(protocol.__file__, wuerfel_tui.__file__, sep='\\n')"
    for file in run(made.env_exe, "-c", where, cwd=tmp_path).splitlines():
        assert Path(file).is_relative_to(site)
    assert "Usage:" in run(made.env_exe, "-m", "wuerfel_tui", "--help", cwd=tmp_path)
    assert "Usage:" in run(Path(made.bin_path) / "wuerfel", "--help", cwd=tmp_path)
