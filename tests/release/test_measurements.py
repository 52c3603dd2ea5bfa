"""The noisy tables of a release: whole, as measured, and enough to make the model again."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from release.measurements import MEASUREMENTS, not_rebuilt, rebuilt
from release.publish import publish
from release.worker import ExactSampler
from sources.study import without_graph
from tests.release.ordering import here, order

RELEASABLE = [name for name, m in (METHODS | LEARNERS).items() if not m.refused]


class Silent(ExactSampler):
    """No noise: noisy tables are the counts themselves."""

    def noise(self, kind, scales, cells):
        return np.zeros(sum(cells), dtype=np.int64)

    def thinned(self, counts, rate):
        return counts


def released(study, ledger, out, method, drawer=None, **changes):
    own = without_graph(study) if method in LEARNERS else study
    asked = order(own, method=method, **changes)
    return publish(asked, ledger, out, workers=here(drawer))


@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("method", RELEASABLE)
def test_a_model_is_made_again_byte_for_byte(study, ledger, tmp_path, method, neighbours):
    scenario = Scenario(epsilon=0.7, neighbours=neighbours, options=Options(delta=1e-7))
    folder = released(study, ledger, tmp_path, method, scenario=scenario).directory
    again = rebuilt((folder / MEASUREMENTS).read_bytes())
    assert again
    for name, data in again.items():
        assert (folder / name).read_bytes() == data


def test_a_model_says_what_learning_its_graph_has_cost(study, ledger, tmp_path):
    done = released(study, ledger, tmp_path, "equipoise", graph_epsilon=0.25)
    files = {path.name: path.read_bytes() for path in done.directory.iterdir()}
    assert json.loads(files["model.json"])["release"]["graph_epsilon"] == "1/4"
    assert b'property graph_epsilon = "0.25";' in files["model.bif"]
    assert not_rebuilt(files) == ()
    assert (done.published.epsilon, done.account.spent) == (Fraction(1, 2), Fraction(3, 4))
    plain = released(study, ledger, tmp_path, "equipoise", token="known")
    assert b"graph_epsilon" not in (plain.directory / "model.json").read_bytes()


def test_what_another_processor_makes_is_the_same_and_a_changed_number_is_not(
    study, ledger, tmp_path
):
    folder = released(study, ledger, tmp_path, "equipoise").directory
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("model.json", "model.bif"):
        number = re.search(rb"0\.\d{6,}", files[name]).group()
        for changed, same in ((1e-12, True), (1e-6, False)):
            other = repr(float(number) + changed).encode()
            given = {**files, name: files[name].replace(number, other, 1)}
            assert not_rebuilt(given) == (() if same else (name,))
    assert not_rebuilt({**files, "model.bif": files["model.bif"].replace(b"smoke", b"smoky")})


def test_knobs_are_kept(study, ledger, tmp_path):
    options = Options(prior=0.5, floors=(("smoke", 0.2),), weights=(("lung", 2.0),))
    for method in ("equipoise", "data-dependent-icml"):
        scenario = Scenario(epsilon=0.3, split=0.25, rate=0.5, options=options)
        done = released(study, ledger, tmp_path, method, scenario=scenario, token=method)
        folder = done.directory
        again = rebuilt((folder / MEASUREMENTS).read_bytes())
        assert (folder / "model.json").read_bytes() == again["model.json"]


@pytest.mark.parametrize(
    "method", ["equipoise", "uniform", "data-dependent-icml", "privbayes-plus"]
)
def test_without_noise_the_tables_are_the_counts(study, ledger, tmp_path, method):
    """Twin: every table counted by name, the last variable fastest."""
    folder = released(study, ledger, tmp_path, method, Silent()).directory
    measured = json.loads((folder / MEASUREMENTS).read_text())["measurements"]
    own = {v.name: v for v in study.network.variables}
    tables = [m for m in measured if "values" in m]
    assert tables
    for m in tables:
        (table,) = study.counts.counts([tuple(own[name] for name in m["variables"])])
        assert m["values"] == table.values.ravel().astype(int).tolist()
        assert m["noise"] == "discrete laplace"
        assert len(m["values"]) == m["cells"]


def test_what_was_changed_is_refused_or_gives_another_model(study, ledger, tmp_path):
    folder = released(study, ledger, tmp_path, "equipoise").directory
    whole = json.loads((folder / MEASUREMENTS).read_text())
    whole["measurements"][0]["values"][0] += 100
    other = rebuilt(json.dumps(whole).encode())
    assert other["model.json"] != (folder / "model.json").read_bytes()
    whole["measurements"][0]["values"].pop()
    for bad in (json.dumps(whole).encode(), b"[]", b"{}", b"\xff", b'{"format": "other"}'):
        with pytest.raises(EquipoiseError, match="measurements"):
            rebuilt(bad)


@pytest.mark.filterwarnings("error")
def test_what_no_noise_adds_up_to_is_refused(study, ledger, tmp_path):
    found = publish(order(study), ledger, tmp_path, workers=here())
    whole = json.loads((found.directory / MEASUREMENTS).read_bytes())
    values = whole["measurements"][0]["values"]
    whole["measurements"][0]["values"] = [1e308] * len(values)
    with pytest.raises(EquipoiseError, match="no count with noise"):
        rebuilt(json.dumps(whole).encode())


def test_a_method_that_hides_its_tables_is_refused_before_money_moves(
    study, ledger, tmp_path, monkeypatch
):
    monkeypatch.setattr("core.methods.design.noted", lambda *_, rng: None)
    with pytest.raises(EquipoiseError, match=r"noted 0.*nothing was spent"):
        released(study, ledger, tmp_path, "equipoise")
    assert not ledger.accounts()
