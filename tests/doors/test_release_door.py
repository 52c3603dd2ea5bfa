"""Release against ``audit`` and ``ledger``; tests/pages/test_release_doors.py holds its review."""

import pytest

from cli import main
from tests.doors.conftest import command, same
from tests.pages.releasing import confirm, overrule, published, stated, uploaded


def test_an_audit(page, shell):
    screen = page("review_release", network="asia", records="300", replicates="10", seed="4")
    screen.at.selectbox(key="audit_trials").set_value(4_000).run()
    screen.at.button(key="audit_run").click().run()
    screen.at.session_state["jobs"]["release_audit"].wait(60)
    screen.at.run()
    view = screen.sheet("release_audited")["audited"]
    names, bounds, _ = view["table"]["columns"]
    document = shell(command(view))
    told = {pair["pair"]: pair["lower_bound"] for pair in document["pairs"]}
    (kept,) = screen.at.session_state["release_audits"].values()
    same({pair.pair: pair.lower_bound for pair in kept.pairs}, told)
    assert dict(zip(names, bounds, strict=True)) == pytest.approx(told, rel=1e-4)
    assert (kept.verdict, kept.trials) == (document["verdict"], document["trials"])
    same(kept.lower_bound, document["lower_bound"])


def test_what_was_spent(open_app, ledger, shell):
    screen = confirm(stated(uploaded(open_app, eps="1"), budget=1.5))
    overrule(screen, "risk")
    published(confirm(screen))
    (outcomes,) = screen.at.session_state["release_outcomes"].values()
    (account,) = shell(["ledger", "--ledger", str(ledger)])["datasets"]
    same(float(outcomes[0].account.spent), account["spent"])
    same(float(outcomes[0].account.remaining), account["remaining"])
    (line,) = account["releases"]
    assert line["id"] == outcomes[0].published.id
    screen.at.button(key=f"verify-{line['id']}").click().run()
    assert [box.value for box in screen.at.success if "made again" in box.value]
    folder = outcomes[0].directory
    words = ["verify", str(folder), "--ledger", str(ledger), "--rebuild"]
    assert shell(words)["problems"] == []
    (folder / "model.bif").write_bytes(b"other")
    screen.at.button(key=f"verify-{line['id']}").click().run()
    assert [text for text in screen.errors if "model.bif is not as it was released" in text]
    assert main([*words, "--json"]) == 2
