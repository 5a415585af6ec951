"""A headless Chromium, driven over its DevTools protocol by two pipes: no driver, port or package is needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 60.0
_FRAME = 0.05
"""Seconds in which the browser draws at least once."""
_KEYS = {
    "ArrowDown": 40,
    "ArrowUp": 38,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "Enter": 13,
    "Escape": 27,
}
_OPTIONS = (
    "--headless",
    "--no-sandbox",  # in containers there is none to be had; the page is the project's own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--no-first-run",
    "--remote-debugging-pipe",
)
_START = """
import os, sys
for given, wanted in zip(map(int, sys.argv[1:3]), (3, 4)):
    os.dup2(given, wanted)
    os.close(given)
os.execv(sys.argv[3], sys.argv[3:])
"""


def executable() -> str | None:
    """The browser on the PATH, or in the variable CHROMIUM."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class NoBrowser(Exception):
    """The program ends, or does not answer."""


@contextmanager
def browser(program: str, profile: Path) -> Iterator[Browser]:
    """A browser with a fresh profile, and its only tab; both end with the block.

    Raises `NoBrowser` if it does not start.
    """
    to_browser, commands = os.pipe()
    answers, from_browser = os.pipe()
    # The browser reads its commands from descriptor 3 and answers through 4: first both are moved out of the way.
    inner = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (to_browser, from_browser)]
    os.close(to_browser)
    os.close(from_browser)
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            _START,
            *map(str, inner),
            program,
            *_OPTIONS,
            f"--user-data-dir={profile}",
        ],
        pass_fds=inner,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    for each in inner:
        os.close(each)
    try:
        yield Browser(commands, answers)
    finally:
        os.close(commands)
        os.close(answers)
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Browser:
    """One tab. `events` are all that it has told since the last `open`."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._selector = selectors.DefaultSelector()
        self._selector.register(answers, selectors.EVENT_READ)
        self._unread = b""
        self._last = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in targets if each["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Page.setLifecycleEventsEnabled", enabled=True)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command, and wait for what it returns."""
        self._last += 1
        number = self._last
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        try:
            os.write(self._commands, json.dumps(message).encode() + b"\0")
        except BrokenPipeError:
            raise NoBrowser(f"it ended before {method}") from None
        answer = self._wait(lambda each: each.get("id") == number, method)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _wait(self, fits: Any, what: str) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while True:
            message = self._read(end, what)
            if fits(message):
                return message
            if "method" in message:
                self.events.append(message)

    def _read(self, end: float, what: str) -> dict[str, Any]:
        while b"\0" not in self._unread:
            if not self._selector.select(max(0.0, end - time.monotonic())):
                raise NoBrowser(f"no answer to {what}")
            received = os.read(self._answers, 1 << 16)
            if not received:
                raise NoBrowser(f"it ended instead of {what}")
            self._unread += received
        text, _, self._unread = self._unread.partition(b"\0")
        return json.loads(text)

    def open(
        self, page: Path, *, width: int = 1280, height: int = 900, script: bool = True
    ) -> None:
        """Load a file, and wait until all of it is there."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.send("Emulation.setScriptExecutionDisabled", value=not script)
        self.events.clear()
        loader = self.send("Page.navigate", url=page.as_uri())["loaderId"]

        def is_loaded(event: dict[str, Any]) -> bool:
            told = event.get("params", {})
            return told.get("loaderId") == loader and told.get("name") == "load"

        if not any(map(is_loaded, self.events)):
            self.events.append(self._wait(is_loaded, "loading"))

    def emulate(self, **features: str) -> None:
        """Set media features, such as ``prefers-color-scheme``, with ``_`` for ``-``."""
        media = features.pop("media", "")
        listed = [
            {"name": name.replace("_", "-"), "value": each} for name, each in features.items()
        ]
        self.send("Emulation.setEmulatedMedia", media=media, features=listed)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript in the page; promises are waited for."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press and release a key, as a person does."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = _KEYS.get(key, ord(key.upper()) if key.isalnum() and len(key) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            more = text if kind == "keyDown" else {}
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **more
            )

    def move(self, selector: str) -> tuple[float, float]:
        """Scroll an element into view, wait until it stands still, and move the mouse over its beginning."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{element}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        last, place = None, self._place(element)
        while place != last:
            time.sleep(_FRAME)
            last, place = place, self._place(element)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
        return place[0], place[1]

    def _place(self, element: str) -> list[float]:
        return self.evaluate(
            f"(() => {{ const at = {element}.getClientRects()[0];"
            "return [at.x + Math.min(at.width / 2, 20), at.y + at.height / 2]; })()"
        )

    def click(self, selector: str) -> None:
        """Click on an element with the mouse."""
        x, y = self.move(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        picture = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(picture["data"]))

    def told(self, method: str) -> list[dict[str, Any]]:
        """The parameters of all events of a kind since the page was opened."""
        return [each["params"] for each in self.events if each["method"] == method]
