"""From a file to ready on the Data page: guesses, statements, graphs, and what is refused."""

import contextlib
import json
import re
from dataclasses import replace

import pytest

from cli import main
from pages.ui.data import columns_step
from pages.ui.kit import limits
from tests.pages.releasing import QUICK, letters

PEOPLE = ("people.csv", (
    "person_id;visit;height;smokes;grade\n"
    + "".join(f"{i};{1 + i % 28:02}.{1 + i % 12:02}.{2019 + i % 3};1,{50 + i % 45};"
              f"{'ja' if i % 3 else 'nein'};{'NA' if i == 7 else 'ABC'[i % 3]}\n"
              for i in range(120))
).encode("latin-1"))  # fmt: skip


def data(open_app, **files):
    return open_app(**QUICK).visit("load_data").upload(**files)


def say(screen, **stated):
    """What the table of columns would be told, row by row."""
    draft = screen.at.session_state["data_draft"]
    screen.at.session_state["data_draft"] = replace(draft, stated={**draft.stated, **stated})
    screen.at.run()
    return screen


def set_graph(screen, way):
    screen.at.segmented_control(key="graph_from").set_value(way).run()
    return screen


def use(screen):
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    assert not screen.at.exception
    return screen.at.session_state["session"].upload


def drop(screen):
    screen.at.segmented_control(key="missing").set_value("drop").run()
    return screen


def texts(screen):
    kinds = ("markdown", "caption", "info", "warning", "success", "error")
    return " ".join(letters(e.value) for kind in kinds for e in screen.at.main.get(kind))


def table(screen):
    (grid,) = [d.value for d in screen.at.dataframe if "kind" in d.value]
    return {row["column"]: row for row in grid.to_dict("records")}


def test_a_semicolon_file_with_decimal_commas_and_dates_is_understood(open_app):
    screen = data(open_app, data_file=PEOPLE)
    assert screen.errors == []
    assert "separated by semicolon, utf-8, decimal comma, names in its first row" in texts(screen)
    rows = table(screen)
    kinds = ["identifier", "dates", "numbers", "yes/no", "states"]
    assert [row["kind"] for row in rows.values()] == kinds
    assert not rows["person_id"]["use"] and rows["grade"]["verdict"] == columns_step.SEEN
    study = use(set_graph(drop(screen), "learn"))
    assert (study.records, study.graph, len(study.network.names)) == (119, "none", 4)
    assert study.seen == study.network.names
    labels = [link.proto.label for link in screen.at.get("page_link")]
    assert "Learn it inside the release, on Release" in labels


def test_a_table_that_ends_early_in_a_line_is_mended_first(open_app):
    screen = data(open_app, data_file=("ragged.csv", "a,b,c\n1,2,3\n1,2\n"))
    assert "line 3: the number of fields is 2 where the header has 3" in screen.errors[0]
    assert [letters(info.value) for info in screen.at.info] == ["Next: mend what 2 Columns says."]


def test_every_guess_can_be_changed(open_app):
    money = "pay;day\n" + "".join(
        f"{1 + i // 9}.{100 + i},5;0{1 + i % 9}/03/2020\n" for i in range(60)
    )
    screen = data(open_app, data_file=("pay.csv", money))
    assert "decimal comma, names in its first row, point between thousands" in texts(screen)
    assert table(screen)["pay"]["kind"] == "numbers"
    assert table(screen)["day"][columns_step.VALUES].endswith("by month, written dd/mm/yyyy")
    say(screen, day={"values": "written mm/dd/yyyy"})
    assert use(set_graph(screen, "learn")).network.variables[1].cardinality == 12
    screen.at.selectbox(key="dialect_thousands").set_value("").run()
    assert table(screen)["pay"]["kind"] == "states", "1.100,5 is no number then"
    screen.at.selectbox(key="dialect_thousands").set_value(",").run()
    assert "It is not read so: ',' stands between thousands" in texts(screen)


def test_what_is_stated_and_confirmed_is_public_by_its_word(open_app):
    screen = data(open_app, data_file=PEOPLE)
    say(screen, height={"values": "1.4 to 2.2 in 4"}, grade={"use": False})
    assert table(screen)["height"]["known from"] == "limits that were stated"
    screen.at.text_input(key="data_known_from").set_value("the form of 2019").run()
    screen.at.button(key="data_confirm").click().run()
    assert "all public knowledge" in texts(screen)
    study = use(set_graph(screen, "learn"))
    assert study.seen == () and dict(study.known_from)["visit"] == "the form of 2019"
    assert study.network.variables[1].cardinality == 4
    assert "visit, smokes (known from: the form of 2019)" in texts(screen)


def test_the_schema_is_the_one_that_the_shell_writes_and_is_read_again(open_app, tmp_path):
    screen = data(open_app, data_file=PEOPLE)
    say(screen, height={"values": "1.4 to 2.2 in 4"}, visit={"missing": "drop"})
    study = use(set_graph(drop(screen), "learn"))
    name, written = screen.at.session_state["upload_files"].schema
    (tmp_path / "people.csv").write_bytes(PEOPLE[1])
    shell = ["schema", "--data", str(tmp_path / "people.csv"), "--limits", "height=1.4:2.2:4",
             "--missing", "visit=drop", "--out", str(tmp_path / "schema.json")]  # fmt: skip
    with contextlib.suppress(SystemExit):
        main(shell)
    assert json.loads(written) == json.loads((tmp_path / "schema.json").read_bytes())
    again = data(open_app, data_file=PEOPLE).upload(schema_file=("s.json", written))
    assert use(set_graph(drop(again), "learn")).fingerprint == study.fingerprint
    assert again.at.session_state["upload_files"].schema == ("s.json", written)
    assert name == "schema.json"


def test_private_proposals_look_at_no_record(open_app, monkeypatch):
    screen = data(open_app)
    screen.at.toggle(key="data_private").set_value(True).run()
    monkeypatch.setattr(columns_step, "look", lambda *_: pytest.fail("a record was looked at"))
    screen.upload(data_file=PEOPLE)
    assert any("'height': its states are not known" in e for e in screen.errors)
    assert not [b for b in screen.at.button if b.label == "Use this data"]
    book = "column,value,label\nsmokes,ja,yes\nsmokes,nein,no\n"
    screen.upload(book_file=("book.csv", book))
    assert table(screen)["smokes"]["known from"] == "code book book.csv"


def test_a_graph_drawn_by_hand_is_used(open_app):
    screen = set_graph(drop(data(open_app, data_file=PEOPLE)), "draw")
    screen.at.button(key="graph_chain").click().run()
    study = use(screen)
    pairs = (("visit", "height"), ("height", "smokes"), ("smokes", "grade"))
    assert set(study.network.edges) == set(pairs)
    drawn = screen.sheet("data_graph")["graph"]
    assert len(drawn["edges"]) == 3 and drawn["nodes"][0]["name"] == "visit"
    screen.visit("explore_tradeoff").visit("load_data")
    assert "drawn, 3 edges" in texts(screen), "a draft stays while other pages are open"


def test_a_sample_is_copied_where_the_names_fit(open_app):
    rows = "asia,tub,smoke,lung,bronc,either,xray,dysp\n" + "yes,no,no,no,no,no,no,no\n" * 60
    screen = set_graph(data(open_app, data_file=("a.csv", rows)), "copy")
    assert screen.at.selectbox(key="against").options == ["asia"]
    assert len(use(screen).network.edges) == 8
    screen.at.multiselect(key="known_your upload").set_value(["either"]).run()
    assert [one.name for one in screen.at.session_state["session"].options["your upload"].known] \
        == ["either"]  # fmt: skip
    screen.visit("explore_tradeoff")
    nodes = [n["name"] for n in screen.board["graph"]["nodes"]]
    budget, _, share = (m["values"] for m in screen.board["graph"]["measures"])
    assert budget[nodes.index("either")] == 0 == share[nodes.index("either")]
    other = set_graph(data(open_app, data_file=PEOPLE), "copy")
    assert "No sample network has names" in texts(other)


def test_a_known_table_carries_no_risk(open_app):
    screen = open_app(network="asia", records="500", replicates="10").visit("load_data")
    screen.at.multiselect(key="known_asia").set_value(["either"]).run()
    screen.visit("assess_risk")
    graph = screen.sheet("risk_causes")["graph"]
    assert graph["subtitle"].startswith("C = 14, ")
    assert any("--known either" in text for _, text in graph["details"])
    assert any("1 table known" in c.value for c in screen.at.sidebar.caption)
    place = [n["name"] for n in graph["nodes"]].index("either")
    assert graph["measures"][0]["values"][place] == 0
    screen.visit("load_data").upload(known_file=("k.json", '{"known": []}'))
    screen.upload(known_file=("k.json", "[]"))
    assert "k.json" in screen.errors[0]


def test_records_are_bounded_for_each_unit(open_app):
    rows = "who,a\n" + "".join(f"p{i // 5},{'yes' if i % 2 else 'no'}\n" for i in range(50))
    screen = set_graph(data(open_app, data_file=("r.csv", rows)), "learn")
    say(screen, who={"use": False})
    screen.at.selectbox(key="data_unit").set_value("who").run()
    screen.at.number_input(key="data_per_unit").set_value(2).run()
    study = use(screen)
    assert (study.records, study.unit, study.per_unit) == (20, "who", 2)
    assert "At most 2 records of each who" in texts(screen)


def test_a_path_is_read_only_where_the_server_allows_it(open_app, tmp_path, monkeypatch):
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "p.csv").write_bytes(PEOPLE[1])
    (tmp_path / "secret.csv").write_bytes(PEOPLE[1])
    monkeypatch.setenv("EQUIPOISE_FILES", str(tmp_path / "open"))
    screen = data(open_app)
    screen.at.text_input(key="data_path").set_value("../secret.csv").run()
    assert any("is not in" in e for e in screen.errors)
    screen.at.text_input(key="data_path").set_value("p\0.csv").run()
    assert any("cannot be reached" in e for e in screen.errors)
    screen.at.text_input(key="data_path").set_value("p.csv").run()
    study = use(set_graph(drop(screen), "learn"))
    assert study.records == 119
    assert "Records read from a path are in no saved file" in texts(screen)
    monkeypatch.delenv("EQUIPOISE_FILES")
    closed = data(open_app)  # on loopback too: a proxy may bring visitors from elsewhere
    assert closed.at.text_input(key="data_path").disabled
    assert "Off: whoever runs this server can name a folder" in texts(closed)


def test_an_upload_over_the_servers_setting_is_refused(open_app, monkeypatch):
    monkeypatch.setattr(limits, "upload_megabytes", lambda: 1)
    screen = data(open_app, data_file=("d.csv", b"a,b\n" + b"yes,no\n" * 160_000))
    assert "d.csv is larger than 1 MB, this server's setting" in screen.errors[0]
    assert screen.at.session_state["data_draft"].data is None


HOSTILE = "![](http://e.invalid/a.png)"


def test_a_hostile_header_is_text(open_app):
    rows = f'"{HOSTILE}","<img src=x onerror=alert(1)>"\n' + "yes,no\nno,yes\n" * 30
    screen = set_graph(data(open_app, data_file=("h.csv", rows)), "draw")
    assert screen.errors == [] and HOSTILE in table(screen)
    use(screen)
    for kind in ("markdown", "caption", "info", "warning", "success", "error"):
        for element in screen.at.main.get(kind):
            assert not re.search(r"(?<!\\)(!\[|<img)", element.value)


BAD = {
    "two columns of one name": (("d.csv", "a,a\nyes,no\n"), {}, "two columns named 'a'"),
    "80,000 columns": (("d.csv", ",".join(f"c{i}" for i in range(80_000)) + "\n"), {},
                       "80,000 columns"),
    "a day that is none": (PEOPLE, {"visit": {"values": "2019-01-01, 2019-31-12"}},
                           "'2019-31-12' is not a day"),
    "limits that are none": (PEOPLE, {"height": {"values": "2 to 1 in 5"}}, "leave no room"),
    "numbers outside": (PEOPLE, {"height": {"values": "1 to 1.6 in 3"}}, "column 'height'"),
    "every column left out": (("d.csv", "a,b\nyes,no\n"),
                              {"a": {"use": False}, "b": {"use": False}}, "every column is left"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_problem_is_one_sentence_at_its_place(open_app, case):
    file, stated, words = BAD[case]
    screen = say(set_graph(data(open_app, data_file=file), "learn"), **stated)
    screen.at.segmented_control(key="missing").set_value("drop").run()
    assert any(words in e for e in screen.errors), screen.errors
    assert not [b for b in screen.at.button if b.label == "Use this data"]
    assert screen.at.session_state["session"].upload is None


def test_numbers_outside_may_have_a_state_of_their_own(open_app):
    screen = set_graph(drop(data(open_app, data_file=PEOPLE)), "learn")
    say(screen, height={"values": "1 to 1.6 in 3", "outside": "state"})
    assert "outside" in use(screen).network.variables[1].states


def test_a_schema_for_another_file_is_refused(open_app):
    schema = '{"columns": [{"name": "x", "states": ["a", "b"]}]}'
    screen = data(open_app, data_file=PEOPLE).upload(schema_file=("s.json", schema))
    assert "s.json is a schema for another file" in screen.errors[0]


def test_what_was_guessed_can_be_changed(open_app):
    screen = data(open_app, data_file=PEOPLE)
    screen.at.selectbox(key="dialect_header").set_value(False).run()
    assert "column_1" in table(screen) and "no header" in texts(screen)
    screen.at.selectbox(key="dialect_delimiter").set_value(",").run()
    assert "line 2: the number of fields is 2" in screen.errors[0]
    screen.at.selectbox(key="dialect_delimiter").set_value(";").run()
    assert screen.errors == [] and "column_1" in table(screen)


def test_what_is_said_of_data_in_use_is_taken_over(open_app):
    """Rows were equal, so it was called in use already: no source or bound could be added."""
    screen = set_graph(drop(data(open_app, data_file=PEOPLE)), "learn")
    first = use(screen)
    screen.at.text_input(key="data_known_from").set_value("the form of 2019").run()
    screen.at.button(key="data_confirm").click().run()
    second = use(screen)
    assert first.seen and not second.seen and second.fingerprint == first.fingerprint
    screen.at.selectbox(key="data_unit").set_value("person_id").run()
    assert (use(screen).unit, screen.at.session_state["session"].upload.seen) == ("person_id", ())
    assert next(b for b in screen.at.button if b.label == "Use this data").disabled
