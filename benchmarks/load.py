"""A class of fifty that opens Explore at once and moves ε, over websockets.

``python -m benchmarks.load``: a server on loopback; first one visitor alone, then all at once. Each
speaks Streamlit's own protocol and does what a browser does: opens the page, sends a moved ε as the
slider does (one of its 1001 places), and once the picture has come and the slider has rested for
a quarter of a second lets the whole page follow. Nothing is drawn, so times end with the picture's
arrival. Memory is the server's resident set, before the class comes and two minutes after it left.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.timing import Goal, print_goals
from pages.ui.kit.dragging import EPSILON
from tests.browser.serving import running

FIRST = 5.0
"""Seconds that 95 of 100 visitors wait at most for their first picture."""

SLOWER = 5.0
"""How much slower a move may be in the class than alone, at the 95th percentile."""

GROWN = 1.3
REST = 0.25
"""Seconds after which a slider that is let go tells the rest of the page."""

PATIENCE = 1.25
"""Seconds after which a slider that got no answer tells the whole page."""

LONGEST = 120.0
"""Seconds after which an answer counts as missing."""

TICKS = os.sysconf("SC_CLK_TCK")


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile of the measured times."""
    if len(values) < 2:
        return values[0] if values else float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]


@dataclass(frozen=True)
class Server:
    """Where the server is, and what it has used."""

    address: str
    process: int

    @property
    def memory(self) -> float:
        """Resident mebibytes."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        used = Path(f"/proc/{self.process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(used[11]) + int(used[12])) / TICKS


@dataclass
class Visitor:
    """One browser: what it has been sent, and how long each answer took."""

    server: Server
    query: str
    seed: int
    first: float = 0.0
    moves: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    received: int = 0
    widgets: dict[str, tuple[str, str]] = field(default_factory=dict)
    shown: float | None = None
    page: str = ""
    running: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def visit(self, seconds: float, pause: float) -> None:
        """Open the page, move ε for a while, leave."""
        dice, began = random.Random(self.seed), time.perf_counter()
        address = self.server.address.replace("http", "ws", 1)
        async with websockets.connect(
            f"{address}/_stcore/stream", subprotocols=["streamlit"], max_size=None,
            origin=self.server.address, compression=None,
        ) as socket:  # fmt: skip
            listening = asyncio.create_task(self._listen(socket))
            await self._send(socket, {})
            if not await self._until(lambda: self.shown is not None):
                raise TimeoutError("no first picture")
            self.first = time.perf_counter() - began
            await self._until(lambda: not self.running)
            end = time.perf_counter() + seconds
            await asyncio.sleep(dice.random() * pause)
            while time.perf_counter() < end and not self.problems:
                began = time.perf_counter()
                await self._move(socket, EPSILON.low * (EPSILON.high / EPSILON.low)
                                 ** (dice.randrange(1001) / 1000))  # fmt: skip
                await asyncio.sleep(max(0.0, pause - (time.perf_counter() - began)))
            listening.cancel()

    async def _move(self, socket: Any, place: float) -> None:  # noqa: ANN401
        value = float(f"{place:.3g}")
        began = time.perf_counter()
        moved = {"knob": "epsilon", "value": value}
        await self._send(socket, {"board": [{"event": "knob", "value": moved}]})
        settled = {"eps_live": [{"event": "value", "value": value}]}
        late = not await self._until(lambda: self.shown == value, PATIENCE)
        if late:  # as the slider does: the whole page is asked for it
            await self._send(socket, settled)
            if not await self._until(lambda: self.shown == value):
                self.problems.append(f"no answer within {LONGEST:g} s")
                return
        self.moves.append(time.perf_counter() - began)
        if not late:
            await asyncio.sleep(REST)
            await self._send(socket, settled)

    async def _until(self, condition: Any, seconds: float = LONGEST) -> bool:  # noqa: ANN401
        end = time.perf_counter() + seconds
        while not condition():
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), end - time.perf_counter())
            except TimeoutError:
                return False
        return True

    async def _send(self, socket: Any, answers: dict[str, object]) -> None:  # noqa: ANN401
        message = BackMsg()
        client = message.rerun_script
        client.query_string = self.query
        client.page_script_hash = self.page
        client.context_info.url = f"{self.server.address}/?{self.query}"
        client.context_info.timezone = "UTC"
        for key, answer in answers.items():
            identity, client.fragment_id = self.widgets[key]
            state = client.widget_states.widgets.add()
            state.id = f"$$STREAMLIT_INTERNAL_KEY_{identity}__events"
            state.json_trigger_value = json.dumps(answer)
        await socket.send(message.SerializeToString())

    async def _listen(self, socket: Any) -> None:  # noqa: ANN401
        async for data in socket:
            self.received += len(data)
            message = ForwardMsg()
            message.ParseFromString(data)
            self._heed(message)
            self.news.set()

    def _heed(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.running += 1
        elif kind == "navigation":
            self.page = message.navigation.page_script_hash
        elif kind == "script_finished":
            self.running = max(0, self.running - 1)
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                self.problems.append("a page that does not compile")
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._look(message.delta.new_element, message.delta.fragment_id)

    def _look(self, element: Any, fragment: str) -> None:  # noqa: ANN401
        kind = element.WhichOneof("type")
        if kind in ("exception", "alert"):
            self.problems.append(str(element)[:300])
        if kind != "bidi_component":
            return
        identity = element.bidi_component.id
        self.widgets[identity.rpartition("-")[2]] = (identity, fragment)
        if element.bidi_component.component_name == "equipoise_sheet":
            self.shown = json.loads(element.bidi_component.bytes)["knobs"]["epsilon"]


@dataclass(frozen=True)
class Lesson:
    """What a number of visitors met with."""

    visitors: list[Visitor]
    seconds: float
    """Processor time of the server."""

    @property
    def firsts(self) -> list[float]:
        """Seconds to the first picture."""
        return [visitor.first for visitor in self.visitors]

    @property
    def moves(self) -> list[float]:
        """Seconds of every move."""
        return [took for visitor in self.visitors for took in visitor.moves]

    @property
    def problems(self) -> list[str]:
        """What should not have happened."""
        return [problem for visitor in self.visitors for problem in visitor.problems]

    def tell(self, name: str) -> None:
        """One line each for pictures and moves."""
        for what, times in (("first picture", self.firsts), ("a moved ε", self.moves)):
            middle, late = quantile(times, 0.5), quantile(times, 0.95)
            print(
                f"  {name:<12} {what:<14} p50 {middle * 1e3:8.0f} ms   p95 {late * 1e3:8.0f} ms"
                f"   {len(times):5d} times"
            )
        share = self.seconds / max(len(self.moves), 1)
        sent = sum(visitor.received for visitor in self.visitors) / 1e6
        print(
            f"  {'':<12} server: {self.seconds:.1f} s of processor time, {share * 1e3:.0f} ms for "
            f"each move, first pictures included; {sent:.1f} MB sent; {len(self.problems)} errors"
        )
        for problem in sorted(set(self.problems))[:5]:
            print(f"  {'':<12} {problem}")


async def lesson(server: Server, number: int, given: argparse.Namespace) -> Lesson:
    """So many visitors at once, until the last has left.

    A class has a seed of its own, so that nothing of its scenario was computed before it came.
    """
    before = server.seconds
    query = f"{given.query}&seed={number}"
    visitors = [Visitor(server, query, seed) for seed in range(number)]
    ended = await asyncio.gather(
        *(visitor.visit(given.seconds, given.pause) for visitor in visitors),
        return_exceptions=True,
    )
    for visitor, problem in zip(visitors, ended, strict=True):
        if problem is not None:
            visitor.problems.append(repr(problem)[:300])
    return Lesson(visitors, server.seconds - before)


def main(given: argparse.Namespace) -> int:
    """Print what one visitor and the class met with, and the goals."""
    with running() as (address, process):
        server = Server(address, process)
        asyncio.run(lesson(server, 1, argparse.Namespace(**{**vars(given), "seconds": 4.0})))
        alone = asyncio.run(lesson(server, 1, given))
        time.sleep(1)
        begun = server.memory
        together = asyncio.run(lesson(server, given.visitors, given))
        full = server.memory
        time.sleep(given.after)
        left = server.memory
    print(f"\nExplore with {given.query}; each visitor moves ε every {given.pause:g} s")
    alone.tell("one visitor")
    together.tell(f"{given.visitors} visitors")
    each = (full - begun) / given.visitors
    print(
        f"  memory: {begun:.0f} MiB before, {full:.0f} with all ({each:.1f} a visitor), {left:.0f} "
        f"MiB {given.after:g} s after they left"
    )
    ratio = quantile(together.moves, 0.95) / quantile(alone.moves, 0.95)
    goals = [
        Goal("errors", "allowed", len(together.problems), 0, at_most=True, unit=""),
        Goal("first picture, p95", "allowed", quantile(together.firsts, 0.95), FIRST,
             at_most=True, unit="s"),
        Goal("a moved ε, p95", "one visitor, p95", ratio, SLOWER, at_most=True),
        Goal("memory after", "before", left / begun, GROWN, at_most=True),
    ]  # fmt: skip
    print_goals(goals)
    return int(not all(goal.met for goal in goals))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0, help="that each moves ε")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds from move to move")
    parser.add_argument("--after", type=float, default=120.0, help="seconds until memory is read")
    parser.add_argument("--query", default="network=alarm&replicates=100")
    sys.exit(main(parser.parse_args()))
