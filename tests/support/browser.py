"""Phones for tests: pages in a real Chromium, driven by its DevTools protocol over a web socket, without a driver."""

import asyncio
import base64
import itertools
import json
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

PATIENCE: Final = 20.0
"""Seconds after which a test gives up waiting for something to be shown."""
CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
_FLAGS: Final = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-extensions", "--disable-component-update", "--mute-audio"),
    *("--remote-debugging-port=0", "--password-store=basic", "--disable-sync", "--hide-scrollbars"),
)
_WATCH: Final = """
(holds, patience) => new Promise(resolve => {
    const end = found => { watcher.disconnect(); clearTimeout(timer); resolve(found); };
    const watcher = new MutationObserver(() => holds() && end(true));
    const timer = setTimeout(end, patience, false);
    watcher.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
    if (holds()) end(true);
})
"""
"""Waits until something holds after a change of the page; whether it ever did."""


class Browser:
    """One Chromium."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._contexts: list[str] = []
        self._tabs: list[str] = []
        """Those of the browser itself."""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._socket:
            told = json.loads(message)
            if future := self._waiting.pop(told.get("id"), None):
                future.set_result(told)

    async def call(self, method: str, session: str | None = None, /, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol. Raises AssertionError if the browser refuses."""
        number = next(self._ids)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        await self._socket.send(json.dumps(message))
        async with asyncio.timeout(2 * PATIENCE):
            told = await future
        assert "error" not in told, f"{method}: {told}"
        result: dict[str, Any] = told["result"]
        return result

    async def phone(self, url: str, size: tuple[int, int] = (360, 640), scheme: str = "dark") -> "Phone":
        """A phone of its own, with nothing stored of this address, which has opened it.

        The first is the browser itself: another with a memory of its own takes half as much work again.
        """
        if not self._tabs:
            return await self.tab(url, None, size, scheme)
        context = (await self.call("Target.createBrowserContext"))["browserContextId"]
        self._contexts.append(context)
        return await self.tab(url, context, size, scheme)

    async def tab(
        self, url: str, context: str | None, size: tuple[int, int] = (360, 640), scheme: str = "dark"
    ) -> "Phone":
        """Another tab of a phone."""
        where = {"browserContextId": context} if context else {}
        target = (await self.call("Target.createTarget", url="about:blank", **where))["targetId"]
        self._tabs += [] if context else [target]
        session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        phone = Phone(self, session, context)
        width, height = size
        await phone.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=width < 700
        )
        await phone.call("Emulation.setTouchEmulationEnabled", enabled=True)
        await phone.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        await phone.call("Page.enable")
        await phone.call("Page.navigate", url=url)
        await phone.ready()
        return phone

    async def close(self) -> None:
        """Close all phones."""
        for context in self._contexts:
            await self.call("Target.disposeBrowserContext", browserContextId=context)
        for tab in self._tabs:
            await self.call("Target.closeTarget", targetId=tab)
        self._reading.cancel()


class Phone:
    """One page, as one person holds it."""

    def __init__(self, browser: Browser, session: str, context: str | None) -> None:
        self._browser = browser
        self._session = session
        self.context = context

    async def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol for this page."""
        return await self._browser.call(method, self._session, **parameters)

    async def value(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page says
        """The value of an expression in the page."""
        found = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, f"{expression}: {found['exceptionDetails']}"
        return found["result"].get("value")

    async def ready(self) -> None:
        """Wait until the page has been loaded."""
        while await self.value("location.href === 'about:blank' || document.readyState !== 'complete'"):
            await asyncio.sleep(0.01)

    async def until(self, expression: str) -> None:
        """Wait until an expression holds. Raises AssertionError if it never does."""
        if not await self.value(f"({_WATCH})(() => {expression}, {1000 * PATIENCE})"):
            raise AssertionError(f"never: {expression}; what is seen is\n{await self.value('document.body.innerText')}")

    async def sees(self, text: str) -> str:
        """Wait until a text is seen; all text that is seen then."""
        await self.until(f"document.body.innerText.includes({json.dumps(text)})")
        return str(await self.value("document.body.innerText"))

    async def tap(self, selector: str) -> None:
        """Tap the middle of what this selects, with a finger."""
        await self.until(f"!!document.querySelector({json.dumps(selector)})")
        x, y = await self.value(
            f"(e => {{ e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2] }})(document.querySelector({json.dumps(selector)}))"
        )
        await self.tap_at(x, y)

    async def tap_at(self, x: float, y: float) -> None:
        """Tap this point with a finger."""
        point = [{"x": x, "y": y}]
        await self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=point)
        await self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def type(self, text: str) -> None:
        """Type text where the focus is."""
        await self.call("Input.insertText", text=text)

    async def come_in(self, name: str) -> None:
        """Give a name, and come in."""
        await self.tap("input[name=name]")
        await self.type(name)
        await self.tap("form button")
        await self.sees(name)

    async def picture(self) -> bytes:
        """What is seen, as a PNG."""
        return base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"])


@contextmanager
def chromium(folder: Path) -> Iterator[str]:
    """A running Chromium whose profile is in this folder; where to speak with it."""
    with (
        (folder / "said").open("wb") as said,
        subprocess.Popen([CHROMIUM, *_FLAGS, f"--user-data-dir={folder}"], stderr=said, stdout=said) as process,
    ):
        try:
            until = time.monotonic() + PATIENCE
            while not (found := re.search(r"listening on (ws://\S+)", (folder / "said").read_text("utf-8"))):
                assert time.monotonic() < until, (folder / "said").read_text("utf-8")
                time.sleep(0.02)
            yield found[1]
        finally:
            process.terminate()


@asynccontextmanager
async def driven(address: str) -> AsyncIterator[Browser]:
    """The Chromium at this address; what was opened meanwhile is closed at the end."""
    async with connect(address, max_size=None) as socket:
        browser = Browser(socket)
        try:
            yield browser
        finally:
            await browser.close()
