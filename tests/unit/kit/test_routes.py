"""Files handed out beside the pages."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.ui.kit import routes


def client():
    return TestClient(Starlette(routes=routes.routes()))


def test_plotly_is_the_file_of_the_package_and_may_be_kept_for_good():
    answer = client().get(routes.plotly_path())
    assert answer.status_code == 200
    assert answer.content == routes.PLOTLY.read_bytes()
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")


def test_a_module_has_another_address_when_its_text_changes():
    first, second = routes.offer("sheet", "export default 1;\n"), routes.offer("sheet", "2\n")
    assert first != second
    assert client().get(first).text == "export default 1;\n"


def test_an_address_that_was_not_offered_is_not_found():
    answer = client().get("/vendor/..%2Fapp.py")
    assert answer.status_code == 404
    assert client().get("/vendor/other.js").status_code == 404


def test_a_page_is_told_where_the_server_is_and_need_not_ask_below_its_own_address():
    answer = TestClient(Starlette(routes=routes.routes(["assess-risk"]))).get("/assess-risk")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    told = answer.text.index("BACKEND_BASE_URL:location.origin")
    assert told < answer.text.index('type="module"'), "before Streamlit's own code runs"
    assert answer.text.count("<head>") == 1
