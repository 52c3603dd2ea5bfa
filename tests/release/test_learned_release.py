"""A release that learns its graph: what it pays, what it writes, what is remembered of it."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from cli import main
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.privbayes import candidates
from core.scenario import Scenario
from core.table import Variable
from release.dossier.numbers import parts
from release.files import GRAPH, read_published
from release.ledger.account import PaidItem
from release.ledger.spending import cost_of, graph_digest, learned_graph
from release.order import AS_MEASURED, spend_of
from release.preview import preview
from release.publish import publish
from release.published import Receipt
from release.review.facts import Statements
from release.review.rehearsing import RANDOM, rehearsed, stand_in
from release.review.request import Request
from release.review.reviewed import reviewed
from release.worker import ExactSampler
from sources.study import sampled_study, without_graph
from tests.release.ordering import here, order
from tests.release.paying import spend
from tests.release.reviewing import account

SCENARIO = Scenario(epsilon=2.0, replicates=4)
WHOLE = ("privbayes", "privbayes-plus")


@pytest.fixture(scope="module")
def bare():
    return without_graph(sampled_study("asia", None, records=3000, seed=0))


def ordered(bare, method="privbayes-plus", **changes):
    wish = {"scenario": SCENARIO, "budget": Fraction(9), "synthetic": AS_MEASURED, **changes}
    return order(bare, method=method, **wish)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", WHOLE)
def test_every_part_is_paid_in_exact_fractions(bare, ledger, tmp_path, method, neighbours):
    wish = ordered(bare, method, scenario=replace(SCENARIO, neighbours=neighbours))
    found = publish(wish, ledger, tmp_path / "out", workers=here())
    published, (line,) = found.published, found.account.lines
    assert sum(part for _, part in line.parts) == line.epsilon == 2
    names = [name for name, _ in line.parts]
    assert names == ["number of records", "structure", "tables"][neighbours is Neighbours.REPLACE :]
    told = dict(parts(published))  # the dossier's: spent, by the names it was charged under
    assert list(told) == names and sum(told.values()) == published.cost
    kinds = ["records" if not m.variables else "choice" if m.is_choice else "table"
             for m in published.measurements]  # fmt: skip
    assert kinds == sorted(kinds, key=["records", "choice", "table"].index)
    assert kinds.count("choice") == len(bare.network.variables) - 1
    assert published.cost == sum(m.budget for m in published.measurements) <= 2
    assert published.cost > Fraction(2) * (1 - Fraction(1, 10**9))
    chosen = {m.variables for m in published.measurements if m.is_choice}
    network = published.model.network
    assert network.variables == bare.network.variables
    families = {tuple(v.name for v in family) for family in network.families}
    assert chosen <= families and network.edges


def test_files_read_back_and_the_same_click_pays_once(bare, ledger, tmp_path):
    wish = ordered(bare)
    first = publish(wish, ledger, tmp_path / "out", workers=here())
    assert {f.name for f in first.published.files} == {
        "model.bif", "model.json", "records.csv", "measurements.json", "intervals.json"
    }  # fmt: skip
    header, *lines = (first.directory / "records.csv").read_text().splitlines()
    assert header.split(",") == list(bare.network.names)
    assert len(lines) == first.published.synthetic and abs(len(lines) - 3000) < 600
    again = publish(wish, ledger, tmp_path / "out", workers=here())
    assert again.repeated and again.published.model.network == first.published.model.network
    assert ledger.accounts()[0].spent == 2


def test_a_graph_alone_is_charged_once_and_known_again(bare, study, ledger, tmp_path):
    wish = ordered(bare, "privbayes-structure", synthetic=0)
    found = publish(wish, ledger, tmp_path / "out", workers=here())
    assert [f.name for f in found.published.files] == [GRAPH, "measurements.json"]
    assert not [m for m in found.published.measurements if m.variables and not m.is_choice]
    assert (read_published(found.directory, found.published.files).model.network
            == found.published.model.network)  # fmt: skip
    learned = replace(bare, network=found.published.model.network, graph="given", sampled=False)
    said = Statements(unit="person", records=3000)
    request = Request(study=learned, method="equipoise", scenario=SCENARIO, statements=said)
    held = ledger.accounts()[0]
    assert held.lines[0].graph == graph_digest(learned.network)
    seen = reviewed(request, held)
    line = next(x for x in seen.checklist.lines if x.key == "structure")
    assert line.state == "pass" and found.published.id in line.sentence
    assert seen.proposal.cost == 2
    asked = spend_of(
        request.order("later"), preview(learned.network, "equipoise", SCENARIO), ledger
    )
    for stated in (None, learned_graph(learned.network, 0.7)):
        assert cost_of(held, replace(asked, graph=stated)) == (2, 0)
    other = reviewed(request, account())
    assert next(x for x in other.checklist.lines if x.key == "structure").state == "fail"


def test_the_parts_of_a_spend_are_its_whole(bare, ledger):
    wish = ordered(bare)
    asked = spend_of(wish, preview(wish.network, wish.method, wish.scenario), ledger)
    with pytest.raises(EquipoiseError, match="parts of a spend are not its ε"):
        replace(asked, parts=(*asked.parts, ("more", Fraction(1, 10**30))))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"network": sampled_study("asia", None, records=9, seed=0).network}, "has been given one"),
        ({"method": "equipoise"}, "'equipoise' needs a graph"),
        ({"scenario": replace(SCENARIO, options=Options(prior=1.0))}, "no locks, weights or prior"),
    ],
)
def test_what_a_learner_cannot_use_is_refused(bare, changes, sentence):
    with pytest.raises(EquipoiseError, match=sentence):
        ordered(bare, **changes)


def test_records_left_out_are_refused_where_their_number_is_public(bare):
    dropping = replace(bare, missing="drop")
    ordered(dropping)
    with pytest.raises(EquipoiseError, match="leaving out those with a missing value"):
        ordered(dropping, scenario=replace(SCENARIO, neighbours=Neighbours.REPLACE))


def test_the_review_rehearses_on_a_stand_in_and_the_dossier_has_the_graph(bare, ledger, tmp_path):
    private = replace(bare, sampled=False)
    said = Statements(unit="person", records=3000)
    request = Request(study=private, method="privbayes-plus", scenario=SCENARIO, statements=said,
                      budget=Fraction(9))  # fmt: skip
    held = rehearsed(request, stand_in(request, RANDOM))
    seen = reviewed(request, None, rehearsal=held)
    states = {line.key: line.state for line in seen.checklist.lines}
    assert states["structure"] == states["error"] == states["rehearsed"] == states["plan"] == "pass"
    assert seen.proposal.curve.key == "pure_epsilon"
    ahead = seen.document()["plan"]
    assert ahead["tables"] == []  # nobody knows them before the graph is learned
    assert sum(Fraction(part) for *_, part in ahead["parts"]) == 2
    assert states["risk"] == "fail" and "risk fails" in seen.passing.sentence
    found = publish(request.order("click"), ledger, tmp_path / "out", workers=here(),
                    extra=seen.papers)  # fmt: skip
    paper = json.loads((found.directory / "dossier.json").read_text())
    network = found.published.model.network
    assert [row["variable"] for row in paper["graph"]] == list(network.names)
    assert [tuple(row["parents"]) for row in paper["graph"]] == list(network.parents)
    assert paper["guardrails"][0]["number"] == f"C = {network.complexity:,}"
    assert [name for name, *_ in paper["plan"]["parts"]] == [
        "number of records", "structure", "tables",
    ]  # fmt: skip
    total = sum(Fraction(part) for *_, part in paper["plan"]["parts"])
    assert total == Fraction(paper["plan"]["cost"])
    assert "Learned graph" in (found.directory / "dossier.html").read_text()


def test_another_graph_is_still_due():
    paid = {"id": "r", "what": "release", "time": "t", "method": "privbayes-plus"}
    exact = {"epsilon": Fraction(1), "delta": Fraction(0), "receipt": Receipt(1, "0")}
    line = PaidItem(**paid, **exact, state="complete", settled=True, graph="g")
    graph = learned_graph(sampled_study("asia", None, records=9, seed=0).network, 0.5)
    assert cost_of(account(spent=(line,)), spend(graph=graph))[0] == Fraction("0.9")


def test_the_shell_needs_a_table_and_its_schema_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        "commands.release.publish", lambda *a, **k: publish(*a, **k, workers=here())
    )
    (tmp_path / "d.csv").write_text("a,b,c\n" + "x,x,y\ny,y,x\nx,y,y\n" * 400)
    columns = [{"name": name, "states": ["x", "y"]} for name in "abc"]
    (tmp_path / "s.json").write_text(json.dumps({"columns": columns}))
    words = ["release", "--method", "privbayes-plus", "--data", str(tmp_path / "d.csv"),
             "--ledger", str(tmp_path / "l.db"), "--out", str(tmp_path / "out"), "--budget", "3",
             "--epsilon", "2", "--unit", "person", "--public-records", "1200", "--json",
             "--signed", "A Tester",
             "--override", "a test of the shell, of nobody's records"]  # fmt: skip
    assert main(words) == 2
    assert "--schema FILE" in capsys.readouterr().err
    assert main([*words, "--schema", str(tmp_path / "s.json")]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spent"] == 2 and "records.csv" in document["checksums"]
    assert main(["ledger", "--ledger", str(tmp_path / "l.db"), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["datasets"][0]["releases"]
    assert sum(Fraction(part) for part in told["parts"].values()) == 2


class Counting(ExactSampler):
    """No noise on counts: how far the search goes does not depend on a draw of their number."""

    def noise(self, kind, scales, cells):
        return np.zeros(sum(cells), dtype=np.int64)


def test_a_search_that_grows_with_the_records_is_not_lost(ledger, tmp_path, monkeypatch):
    """On ten thousand records as on zeros no parent is useful; of more, too many sets of three."""
    monkeypatch.setattr(candidates, "CANDIDATE_LIMIT", 15)
    coins = tuple(Variable(f"coin {i}", ("heads", "tails")) for i in range(7))
    codes = np.random.default_rng(0).integers(0, 2, (40_000, 7), dtype=np.int8)
    bare = without_graph(sampled_study("asia", None, records=10, seed=0))
    network, rows = Network(coins, ((),) * 7), Dataset(coins, codes)
    many = replace(bare, network=network, people=rows)
    wish = ordered(many, "privbayes", scenario=replace(SCENARIO, epsilon=0.01))
    published = publish(wish, ledger, tmp_path / "out", workers=here(Counting())).published
    choices = [m for m in published.measurements if m.is_choice]
    assert [m.cells <= 15 for m in choices] == [True] * 6
    assert max(len(m.variables) for m in choices) == 4  # three parents, where they can be compared


def test_a_graph_that_is_learned_here_costs_nothing_besides(bare):
    with pytest.raises(EquipoiseError, match=r"learns its graph within its own ε, and ε = 0\.2"):
        ordered(bare, graph_epsilon=0.2)
    stated = Statements(graph="private", graph_epsilon=0.2)
    with pytest.raises(EquipoiseError, match="leave that out"):
        Request(study=bare, method="privbayes", scenario=SCENARIO, statements=stated)
