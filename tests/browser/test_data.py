"""The Data page in a real browser: what a steward brings, from a raw file to ready; no JSON."""

import random
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.screen import pick, press, until, use_data
from tests.browser.serving import choose
from tests.unit.test_cli_files import PAIR

pytestmark = pytest.mark.browser


def test_a_steward_brings_records_and_a_network(open_page, address, tmp_path):
    (tmp_path / "d.csv").write_text("a,b\n" + "yes,no\n" * 70 + "no,yes\n" * 30, encoding="utf-8")
    (tmp_path / "n.bif").write_text(PAIR, encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    choose(page, "data_file", tmp_path / "d.csv")
    page.get_by_text("2 used, 0 left out").wait_for()
    choose(page, "dag_file", tmp_path / "n.bif")
    page.get_by_text("100 records, 2 columns understood").wait_for()
    use_data(page)
    page.get_by_text("In use: 100 records").wait_for()
    to_explore(screen)
    until(
        page,
        lambda: (
            "your upload (2 nodes, 1 edge), 100 records"
            in page.locator("section[data-testid=stSidebar]").inner_text().replace("\n", " ")
        ),
    )
    assert "d.csv" not in page.url
    assert "n.bif" not in page.url
    assert screen.problems == []


def to_explore(screen):
    screen.visit("Explore the exact rows (counted)").painted()


def test_a_file_over_the_limit_is_refused_and_the_page_stays(open_page, address, tmp_path):
    with (tmp_path / "big.csv").open("wb") as file:
        file.truncate(201 * 2**20)
    screen = open_page(f"{address}/load-data")
    choose(screen.page, "data_file", tmp_path / "big.csv")
    refused = re.compile("200[.0]* ?MB or smaller|exceed", re.IGNORECASE)
    screen.page.locator(".st-key-data_file", has_text=refused).wait_for()
    assert screen.page.get_by_role("button", name="Use this data").count() == 0


def graph(page, way):
    page.get_by_role("button", name="Next: the graph").click()
    pick(page, "graph_from", way)


def use(page, records):
    use_data(page)
    page.get_by_text(f"In use: {records:,} records").wait_for()


def confirm(page, source):
    page.get_by_label("They are public knowledge, known from").fill(source)
    page.get_by_label("They are public knowledge, known from").press("Enter")
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("all public knowledge").wait_for()


def test_decimal_commas_and_dates_come_to_numbers(open_page, address, tmp_path):
    draw = random.Random(0)
    rows = [f"{i};{1 + i % 28:02}.0{1 + i % 9}.{2019 + i % 3};1,{draw.randint(50, 99)};"
            f"{draw.choice(['ja', 'nein'])};{draw.choice('ABC') if i % 50 else 'NA'}"
            for i in range(300)]  # fmt: skip
    text = "\r\n".join(["patient_id;besuch;größe;raucht;befund", *rows, ""])
    (tmp_path / "besuche.csv").write_bytes(text.encode("latin-1"))
    screen = open_page(f"{address}/load-data")
    page = screen.page
    choose(page, "data_file", tmp_path / "besuche.csv")
    page.get_by_text("separated by semicolon, cp1252, decimal comma").wait_for()
    page.get_by_text("4 used, 1 left out, 4 seen in the records: not private").wait_for()
    confirm(page, "the form of 2019")
    pick(page, "missing", "drop those rows")
    graph(page, "Draw it")
    page.get_by_role("button", name="Join each column to the next").click()
    page.get_by_text("drawn, 3 edges").wait_for()
    use(page, 294)
    page.get_by_text("(known from: the form of 2019)").wait_for()
    to_explore(screen)
    assert re.search(r"is off by 0\.\d+", screen.text(".finding"))
    assert screen.problems == [] and screen.outside == []


def test_a_graph_is_drawn_with_mouse_and_keyboard(open_page, address, tmp_path):
    draw = random.Random(1)
    lines = [",".join(draw.choice(["yes", "no"]) for _ in range(3)) for _ in range(200)]
    (tmp_path / "d.csv").write_text("\n".join(["smoke,lung,xray", *lines, ""]), encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    choose(page, "data_file", tmp_path / "d.csv")
    page.get_by_text("3 used, 0 left out").wait_for()
    graph(page, "Draw it")
    page.get_by_role("button", name="Edit edges").click()
    page.locator("[data-name=smoke]").click()
    page.locator("[data-name=lung]").click()
    page.get_by_text("drawn, 1 edge").wait_for()
    for name in ("lung", "xray"):
        press(page, page.locator(f"[data-name={name}]"), "Enter")
    page.get_by_text("drawn, 2 edges").wait_for()
    page.locator("[data-name=xray]").click()
    page.locator("[data-name=smoke]").click()
    page.get_by_text("would close the cycle").wait_for()
    use(page, 200)
    to_explore(screen)
    drawn = page.locator(".board [data-name]")
    names = "(all) => all.map((n) => n.dataset.name).sort()"
    until(page, lambda: drawn.evaluate_all(names) == ["lung", "smoke", "xray"])
    expect(page.locator(".board .edge")).to_have_count(2)
    assert screen.problems == []


WORK = ("Private", "State-gov", "Self-emp-inc", "?")
NAMES = ("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
         "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week",
         "native-country", "income")  # fmt: skip


def adult(rows):
    """Rows as the public file has them: blanks after commas, a question mark for nothing."""
    draw = random.Random(2)
    for _ in range(rows):
        yield ", ".join((
            str(draw.randint(17, 90)), draw.choice(WORK), str(draw.randint(12_000, 900_000)),
            draw.choice(["HS-grad", "Bachelors"]), str(draw.randint(1, 16)),
            draw.choice(["Divorced", "Never-married"]), draw.choice(["Sales", "?"]),
            draw.choice(["Husband", "Own-child"]), draw.choice(["White", "Black"]),
            draw.choice(["Male", "Female"]), str(draw.choice([0, 0, 7298])), "0",
            str(draw.randint(1, 99)), draw.choice(["United-States", "?"]),
            draw.choice(["<=50K", ">50K"]),
        ))  # fmt: skip


def test_adult_as_raw_text_is_ready_without_a_graph(open_page, address, tmp_path):
    text = "\n".join([", ".join(NAMES), *adult(400), ""])
    (tmp_path / "adult.data").write_text(text, encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    choose(page, "data_file", tmp_path / "adult.data")
    page.get_by_text("15 columns, separated by comma").wait_for()
    confirm(page, "the census bureau's questionnaire")
    pick(page, "missing", "treat as a state")
    graph(page, "None: learn it privately")
    use(page, 400)
    page.get_by_text("Learn it inside the release, on Release").wait_for()
    for _ in screen.looks((1440, 800)):
        pass
    assert screen.problems == []


def test_a_hostile_header_loads_nothing(open_page, address, tmp_path):
    rows = '"![](http://e.invalid/a.png)","<img src=http://e.invalid/b.png>"\n' + "a,b\nb,a\n" * 40
    (tmp_path / "h.csv").write_text(rows, encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    choose(page, "data_file", tmp_path / "h.csv")
    page.get_by_text("2 used, 0 left out").wait_for()
    graph(page, "Draw it")
    page.get_by_role("button", name="Edit edges").wait_for()
    use(page, 80)
    to_explore(screen)
    assert screen.outside == [] and screen.problems == []
    with urllib.request.urlopen(f"{address}/load-data") as answer:
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    page.evaluate("() => { new Image().src = 'http://e.invalid/c.png' }")
    until(page, lambda: any("Content Security Policy" in said for said in screen.problems))


def test_what_is_wrong_with_a_file_stands_within_the_page(open_page, address, tmp_path):
    (tmp_path / "two.csv").write_text("a,b,a\n1,2,3\n", encoding="utf-8")
    page = open_page(f"{address}/load-data").page
    choose(page, "data_file", tmp_path / "two.csv")
    told = page.locator(".st-key-said_file [data-testid=stAlert]", has_text="two columns named")
    told.wait_for()
    boxes = (told.bounding_box(), page.locator(".st-key-step_file").bounding_box())
    inner, outer = ((box["x"], box["x"] + box["width"]) for box in boxes)
    assert outer[0] < inner[0] and inner[1] <= outer[1]
