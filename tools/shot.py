"""Inspect built pages with headless Chromium, over its DevTools protocol.

    python tools/shot.py [PAGE.html ...]     photograph pages (default: all of _build/html) into
                                             _build/shots/, light and dark, desktop and phone

Prints what is wrong with a page (an address outside the page's own folder, a failed request, a console
message, text that runs off a phone's screen) and ends with exit code 1 if there is anything.
"""

import argparse
import base64
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import websocket

TOP = Path(__file__).resolve().parent.parent
SITE = TOP / "_build" / "html"
SHOTS = TOP / "_build" / "shots"

BINARIES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # containers give /dev/shm 64 MB, too little for a tall page
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)
DESKTOP, PHONE = 1280, 390
HEIGHT, TALLEST = 900, 16000  # Chromium draws nothing taller than 16384
LOCAL = ("file:", "data:", "blob:", "about:")

# A page is ready when fonts are loaded, the browser has rendered two frames, and the transitions
# of colors that the theme's choice of a scheme has started are over.
READY = """(async () => {
    await document.fonts.ready;
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations()
        .filter(it => it.effect.getComputedTiming().endTime < Infinity).map(it => it.finished));
})()"""

# A page finds nothing that pages before it have stored.
FORGET = """try { localStorage.clear(); sessionStorage.clear(); } catch {}"""

# The elements that make a page wider than the screen, unless they are in a scrollable box.
TOO_WIDE = """(() => {
    const screen = WIDTH, root = document.documentElement;
    if (root.scrollWidth <= screen) return [];
    const end = e => e.getBoundingClientRect().right;
    const scrolls = e => getComputedStyle(e).overflowX !== "visible";
    const boxed = e => e && e !== root && (scrolls(e) || boxed(e.parentElement));
    return [...document.body.querySelectorAll("*")]
        .filter(e => end(e) > screen + 1 && !boxed(e.parentElement))
        .map(e => `<${e.tagName.toLowerCase()} class="${e.className}"> ends at ${end(e)}`)
        .slice(0, 3).concat(`page is ${root.scrollWidth} px wide`);
})()"""


def browser_path() -> str | None:
    """The Chromium of this machine, or None."""
    return next(filter(None, map(shutil.which, BINARIES)), None)


def pages(site: Path) -> list[Path]:
    """The pages of a built book, without the one that only redirects to the first."""
    return sorted(p for p in site.rglob("*.html") if "_static" not in p.parts and p != site / "index.html")


class Tab:
    """A DevTools connection; received events are collected in `events`."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(address, timeout=60)
        self._numbers = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        answer = self._receive(lambda message: message.get("id") == number)
        if "error" in answer:
            raise RuntimeError(f"Chromium refused {method}: {answer['error']}")
        return answer["result"]

    def open(self, address: str) -> None:
        """Open a page, wait until it is loaded, and forget the events before."""
        self.events.clear()
        self("Page.navigate", url=address)
        if not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self._receive(lambda message: message.get("method") == "Page.loadEventFired")

    def evaluate(self, script: str) -> Any:
        answer = self("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"script failed in the page: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def close(self) -> None:
        self._socket.close()

    def _receive(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message = json.loads(self._socket.recv())
            if "method" in message:
                self.events.append(message)
            if wanted(message):
                return message


@dataclass
class Visit:
    """A page as rendered for one screen and colour scheme."""

    problems: list[str]
    values: list[Any] = field(default_factory=list)  # one for each script evaluated
    png: bytes = b""


class Browser:
    """A headless Chromium with an empty profile, for the duration of a `with` block."""

    def __enter__(self) -> Self:
        path = browser_path()
        if path is None:
            raise FileNotFoundError(f"no Chromium on this machine; looked for {', '.join(BINARIES)}")
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
        self._process = subprocess.Popen(
            [path, *FLAGS, *sandbox, f"--user-data-dir={self._profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port()}/json/list", timeout=60) as answer:
            (target,) = (it for it in json.load(answer) if it["type"] == "page")
        self._tab = Tab(target["webSocketDebuggerUrl"])
        for domain in ("Network", "Page", "Runtime", "Log"):
            self._tab(f"{domain}.enable")
        self._tab("Page.addScriptToEvaluateOnNewDocument", source=FORGET)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tab.close()
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()

    def visit(
        self,
        page: Path,
        *,
        width: int = DESKTOP,
        scheme: str = "light",
        scripts: tuple[str | Callable[[Tab], Any], ...] = (),
        shoot: bool = False,
        scripting: bool = True,
    ) -> Visit:
        """Load a page with this screen and colour scheme, and list its faults.

        Each of `scripts` is evaluated in the page, or called with its tab. Without `scripting`, the page's
        own scripts do not run.
        """
        seen, height = self._load(page, width, HEIGHT, scheme, scripts, shoot, scripting)
        if shoot and height > HEIGHT:
            # Load again in a window as tall as the page: resizing the window of a loaded page would
            # hide the theme's side bar.
            seen, _ = self._load(page, width, min(height, TALLEST), scheme, scripts, shoot, scripting)
        return seen

    def ask(self, script: str) -> Any:
        """Evaluate a script in the page visited last."""
        return self._tab.evaluate(script)

    def _load(
        self,
        page: Path,
        width: int,
        height: int,
        scheme: str,
        scripts: tuple[str | Callable[[Tab], Any], ...],
        shoot: bool,
        scripting: bool,
    ) -> tuple[Visit, int]:
        tab = self._tab
        tab.open("about:blank")  # ends what the page before has begun
        prefer(tab, scheme)
        tab(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        tab("Emulation.setTouchEmulationEnabled", enabled=False)
        tab("Emulation.setScriptExecutionDisabled", value=not scripting)
        tab.open(page.resolve().as_uri())
        if scripting:
            tab.evaluate(READY)
        seen = Visit(
            problems=trouble(tab, width),
            values=[tab.evaluate(script) if isinstance(script, str) else script(tab) for script in scripts],
        )
        full = int(tab("Page.getLayoutMetrics")["cssContentSize"]["height"])
        if shoot:
            seen.png = base64.b64decode(tab("Page.captureScreenshot", format="png")["data"])
        return seen, full

    def _port(self) -> str:
        file = Path(self._profile.name) / "DevToolsActivePort"
        for _ in range(300):
            if file.exists() and file.read_text(encoding="utf-8").strip():
                return file.read_text(encoding="utf-8").split()[0]
            if self._process.poll() is not None:
                raise RuntimeError(f"Chromium ended with exit code {self._process.returncode} at its start")
            time.sleep(0.1)
        self._process.kill()
        raise TimeoutError("Chromium did not open its DevTools port within 30 seconds")


def prefer(tab: Tab, scheme: str) -> None:
    """Let the reader prefer a colour scheme."""
    colours = [{"name": "prefers-color-scheme", "value": scheme}]
    tab("Emulation.setEmulatedMedia", media="", features=colours)


def trouble(tab: Tab, width: int) -> list[str]:
    """What is wrong with the page of a tab until now, on a screen of this width."""
    found = [f"too wide: {what}" for what in tab.evaluate(TOO_WIDE.replace("WIDTH", str(width)))]
    for event in tab.events:
        params = event.get("params", {})
        match event["method"]:
            case "Network.requestWillBeSent" if not params["request"]["url"].startswith(LOCAL):
                found.append(f"external address: {params['request']['url']}")
            case "Network.loadingFailed":
                found.append(f"failed request: {params.get('errorText')}")
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                what = details.get("exception", {}).get("description", details["text"])
                found.append(f"script error: {what}")
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                found.append(f"console {params['type']}: {[a.get('value') for a in params['args']]}")
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                entry = params["entry"]
                found.append(f"log {entry['level']}: {entry['text']} {entry.get('url', '')}")
    return found


def main() -> int:
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE.html", help="below _build/html")
    chosen = parser.parse_args().pages or pages(SITE)
    if not chosen:
        parser.error("no built page; run `make book` first")
    SHOTS.mkdir(parents=True, exist_ok=True)
    problems = 0
    with Browser() as browser:
        for page, scheme, width in itertools.product(chosen, ("light", "dark"), (DESKTOP, PHONE)):
            seen = browser.visit(page, width=width, scheme=scheme, shoot=True)
            screen = "phone" if width == PHONE else "desktop"
            name = page.resolve().relative_to(SITE).with_suffix("").as_posix().replace("/", "-")
            (SHOTS / f"{name}-{scheme}-{screen}.png").write_bytes(seen.png)
            problems += len(seen.problems)
            for problem in seen.problems:
                print(f"{name}, {scheme}, {screen}: {problem}")
    print(f"{len(chosen)} pages photographed into {SHOTS.relative_to(TOP)}; {problems} problems")
    return min(problems, 1)


if __name__ == "__main__":
    sys.exit(main())
