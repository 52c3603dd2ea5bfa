"""Two visitors with private files of one name, a record apart: nothing of one reaches the other."""

import contextlib
import itertools
import re
import secrets
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from tests.browser.screen import Screen, at_rest, use_data
from tests.browser.serving import choose, running

pytestmark = pytest.mark.browser

COLUMNS = ("ward", "age", "smoker", "drug", "outcome", "site")
ROWS = 90_000
"""Six columns of so many records: more cells than Streamlit's caches look at."""

LEFT = ROWS // 100
"""Words in memory after everybody left, at most: names in caches, pages still in use."""

EDGES = "parent,child\n" + "".join(f"{a},{b}\n" for a, b in itertools.pairwise(COLUMNS))


class Visitor:
    """A browser of its own, everything it was sent, and a word that only its file has."""

    def __init__(self, browser, folder, sign, changed):
        self.browser, self.word = browser, f"q{sign}{secrets.token_hex(12)}"
        self.folder = folder / sign
        self.folder.mkdir()
        picked = np.random.default_rng(5).integers(0, 2, (ROWS, len(COLUMNS)))
        picked[:2, :2] = [[2, changed], [2, 0]]  # neighbours: one of two in a rare ward is older
        self.exact = f"{1 - changed / 2:.2f}", f"{changed / 2:.2f}"
        names = np.array([["no", "yes", "rare"]] * 5 + [["other", self.word, ""]])
        rows = names[np.arange(len(COLUMNS)), picked]
        lines = [",".join(COLUMNS), *map(",".join, rows.tolist())]
        (self.folder / "people.csv").write_text("\n".join(lines) + "\n")
        (self.folder / "graph.csv").write_text(EDGES)

    def come(self, address):
        self.sent, self.asked = [], []
        self.screen = Screen(self.browser)
        page = self.screen.page
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda s: s.on("framereceived", lambda data: self.sent.append(data)))
        page.on("websocket", lambda s: self.asked.append(s.url))
        self.screen.open(f"{address}/load-data?replicates=10")

    def bring(self):
        page = self.screen.page
        choose(page, "data_file", self.folder / "people.csv")
        page.get_by_text("6 used, 0 left out").wait_for()
        choose(page, "dag_file", self.folder / "graph.csv")
        page.get_by_text("90,000 records, 6 columns understood").wait_for()
        use_data(page)
        page.get_by_text("In use: 90,000 records").wait_for()

    def look(self):
        """What Explore says of the exact rows, and of the two in the rare ward."""
        page = self.screen.visit("Explore the exact rows (counted)").painted().page
        graph = page.locator(".view.graph")
        graph.get_by_role("button", name="age").first.click()
        page.locator(".view.panel h2", has_text="age").wait_for()
        at_rest(page)
        row = page.locator(".view.panel tbody tr", has_text="rare").inner_text()
        assert tuple(re.findall(r"\n\t(\d\.\d\d)\t", row)) == self.exact, "their own numbers"
        return self.screen.text(".finding"), row

    def forget(self):
        self.screen.visit("Data")
        self.screen.page.get_by_role("button", name="Forget this data").click()
        self.screen.page.get_by_text("Nothing of yours is here").wait_for()

    def leave(self):
        self.screen.context.close()

    def told(self, word):
        """Whether any message or address had this word."""
        frames = [f if isinstance(f, bytes) else f.encode() for f in self.sent]
        return any(word.encode() in f for f in frames) or any(word in url for url in self.asked)


def memory(process, *words):
    """How often each word stands in the memory of a process and of those it started."""
    found = dict.fromkeys(words, 0)
    for number in (process, *_children(process)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            _count(number, found)
    return [found[word] for word in words]


def _children(process):
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from _children(int(child))


def _count(number, found):
    with Path(f"/proc/{number}/mem").open("rb", 0) as held:
        for line in Path(f"/proc/{number}/maps").read_text().splitlines():
            first, last = (int(end, 16) for end in line.split()[0].split("-"))
            if "r" not in line.split()[1] or last > 2**63:
                continue
            with contextlib.suppress(OSError):  # what the kernel keeps to itself
                held.seek(first)
                part = held.read(last - first)
                for word in found:
                    found[word] += part.count(word.encode())


def answers(address, *paths):
    """What a server says to those who ask for what is not theirs."""
    for path in paths:
        try:
            with urllib.request.urlopen(f"{address}{path}", timeout=60) as answer:
                yield answer.read()
        except urllib.error.HTTPError as problem:
            yield problem.read()


def test_two_visitors_at_once_and_after_each_other(browser, tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    both = first, second = [Visitor(browser, tmp_path, sign, k) for k, sign in enumerate("ab")]
    words = first.word, second.word
    environment = {"TMPDIR": str(room), "EQUIPOISE_LEDGER": str(room / "ledger.db")}
    options, log = ("--server.disconnectedSessionTTL", "1"), tmp_path / "log"
    with running("serve.py", *options, log=log, environment=environment) as (address, process):
        found = {"before": memory(process, *words)}
        for visitor in both:
            visitor.come(address)
        for visitor in both:
            visitor.bring()
        together = [visitor.look() for visitor in both]
        found["during"] = memory(process, *words)
        check_strangers(browser, address, words)
        check_messages(first, second)
        alone = {}
        for visitor in (first, second):
            visitor.forget()
            visitor.leave()
        for visitor in (second, first):  # in the other order, and each alone
            visitor.come(address)
            visitor.bring()
            alone[visitor] = visitor.look()
            visitor.forget()
            visitor.leave()
        check_messages(first, second)
        found["after"] = settled(process, words)
    print(f"words in memory: {found}")
    assert together == [alone[first], alone[second]]
    assert first.exact != second.exact and together[0] != together[1]
    assert re.search(r"0\.\d+", together[0][0])
    written = [path for path in (log, *room.rglob("*")) if path.is_file()]
    assert [p for p in written if any(word.encode() in p.read_bytes() for word in words)] == []
    assert found["before"] == [0, 0] and min(found["during"]) > ROWS // 3
    assert max(found["after"]) < LEFT, found


def check_strangers(browser, address, words):
    """Who comes by meanwhile sees nothing of it, nor who asks for what is not there."""
    stranger = Screen(browser).open(f"{address}/explore-tradeoff?network=asia&replicates=10")
    stranger.painted()
    assert not any(word in stranger.page.content() for word in words)
    stranger.context.close()
    told = list(answers(address, "/nowhere", "/media/nowhere.csv", "/_stcore/upload_file/a/b"))
    assert not any(word.encode() in page for page in told for word in words)


def check_messages(first, second):
    """Each was sent its own word and never the other's; no address has either."""
    for own, other in ((first, second), (second, first)):
        assert own.told(own.word) and not own.told(other.word)
        assert not any(word in url for url in own.asked for word in (own.word, other.word))


def settled(process, words):
    """Once it is no more: sessions are let go of a while after their browsers."""
    for _ in range(24):
        time.sleep(5)
        seen = memory(process, *words)
        if max(seen) < LEFT:
            break
    return seen
