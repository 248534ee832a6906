"""Real programs for the tests: started, heard line by line, ended by their own ids; no test sleeps."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[1]
PATIENCE = 40.0
"""Seconds for whatever a test waits for; a busy machine may need some."""


class Program:
    """One running program. What it prints is read as it comes, so that it never waits for us."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.printed: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: list[str] = []
        self._readers = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for reader in self._readers:
            reader.start()

    def line(self) -> str:
        """The next line that it prints."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"nothing more came after {self.printed}") from None
        assert line is not None, f"it ended after {self.printed}: {self.end()} {self.errors}"
        return line

    def event(self, event: str) -> dict[str, Any]:
        """The next line, which must be this one of `--json`."""
        said = json.loads(self.line())
        assert said["event"] == event, said
        return said

    def ends(self, code: int = 0, *, saying: str = "") -> list[dict[str, Any]]:
        """Waits for its end, which must be this one, with one sentence on stderr or with nothing there.

        Returns what it printed since it was last heard, if that was JSON.
        """
        assert (self.end(), self.errors) == (code, self.errors)
        if saying:
            assert self.errors.startswith("wuerfel: ")
            assert self.errors.count("\n") == 1, self.errors
            assert saying in self.errors
        else:
            assert not self.errors.strip(), self.errors
        return self.rest()

    def end(self) -> int:
        """Its exit code, when it has ended; minus the signal that ended it."""
        code = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return code

    def rest(self) -> list[dict[str, Any]]:
        """The lines that nobody has taken yet, of a program that has ended."""
        lines: list[dict[str, Any]] = []
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            lines.append(json.loads(line))
        return lines

    @property
    def errors(self) -> str:
        """What it has said on stderr."""
        return "".join(self._errors)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        """Ends it as a crash would."""
        self.signal(signal.SIGKILL)
        self.end()

    def close(self) -> None:
        """Ends it if it has not ended, and complains of what no program may say."""
        if self.process.poll() is None:
            self.process.kill()
        self.end()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        assert "Traceback" not in self.errors, self.errors
        assert "Warning" not in self.errors, self.errors  # a socket left open, a coroutine never awaited

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(self.process.stderr)


class Programs:
    """Starts programs on the loopback interface, with one home folder, and ends them all.

    with Programs(tmp_path) as programs:
        host = programs.host("express", "--seats", "2")
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self._started: list[Program] = []
        self._dispositions: dict[int, Any] = {}

    def __enter__(self) -> Programs:
        # What we ignore our children ignore too; they are to take signals though we run with nohup or in a background.
        for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            if signal.getsignal(number) is signal.SIG_IGN:
                self._dispositions[number] = signal.signal(number, signal.SIG_DFL)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.ExitStack() as stack:  # all of them, whatever one says
            for program in self._started:
                stack.callback(program.close)
            for number, disposition in self._dispositions.items():
                signal.signal(number, disposition)

    def start(self, module: str, *arguments: str, **environment: str) -> Program:
        """Runs a module with these arguments; `environment` adds to what all have."""
        return self.python("-m", module, *arguments, **environment)

    def python(self, *arguments: str, **environment: str) -> Program:
        program = Program([sys.executable, *arguments], self.environment() | environment)
        self._started.append(program)
        return program

    def wuerfel(self, *arguments: str, speed: int = 1, **environment: str) -> Program:
        """`wuerfel …`; with a speed above 1 time passes so many times as fast for it."""
        if speed > 1:
            return self.start("tests.hurried", str(speed), *arguments, **environment)
        return self.start("wuerfel_tui", *arguments, **environment)

    def host(self, game: str, *arguments: str, speed: int = 1) -> tuple[Program, str]:
        """A headless host that listens, and its address."""
        host = self.wuerfel("host", game, "--headless", "--json", "--port=0", *arguments, speed=speed)
        return host, host.event("listening")["addresses"][0]

    def join(self, address: str, *arguments: str, name: str = "Anna", speed: int = 1) -> Program:
        """A guest without a screen."""
        return self.wuerfel(
            "join", address, f"--name={name}", "--headless", "--json", *arguments, speed=speed
        )

    def environment(self) -> dict[str, str]:
        plain = {key: value for key, value in os.environ.items() if not key.startswith("WUERFEL_")}
        return plain | {
            "WUERFEL_INTERFACE": "127.0.0.1",
            "WUERFEL_HOME": str(self.home),
            "PYTHONWARNINGS": "default",
            "PYTHONIOENCODING": "utf-8",
        }
