"""Save my work: read again it is equal, and what is none is refused in one sentence."""

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from pages.ui.data import work_file
from pages.ui.data.upload import Upload
from pages.ui.data.work_file import DOCUMENT, Saved, read_work, write_work
from sources.opening import open_table

UPLOAD = Upload(None, ("ä.csv", b"a,b\nx,y\n"), ("e.csv", b"parent,child\na,b\n"), None, "drop", 50)
SAVED = Saved(
    upload=UPLOAD,
    scenario={"eps": "0.3", "locks": "0-0.5"},
    stated={"name": "ward 7", "budget": 1.5, "domain": True, "records": None},
    reasons=(("risk", "agreed on 3 May", "0.7 %", "above"),),
    signed="Ana Kim",
    looks=("0f", "a1", "b2"),
    spent=0.3,
)


def repacked(**changes):
    """The file with other parts."""
    with zipfile.ZipFile(io.BytesIO(write_work(SAVED))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {**parts, **changes}.items():
            if data is not None:
                archive.writestr(name, data)
    return buffer.getvalue()


def document():
    with zipfile.ZipFile(io.BytesIO(write_work(SAVED))) as archive:
        return json.loads(archive.read(DOCUMENT))


def test_it_comes_back_equal_and_says_that_it_is_private():
    data = write_work(SAVED)
    assert read_work("w.zip", data) == SAVED
    assert read_work("w.zip", repacked()) == SAVED
    assert "contains the records" in document()["private"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no work that was saved here"),
        (b"PK\x03\x04 not really", "no work that was saved here"),
        (write_work(SAVED)[:-40], "no work that was saved here"),
        (repacked(**{DOCUMENT: None}), "has no work.json inside"),
        (repacked(**{DOCUMENT: b"[1]"}), "work.json"),
        (repacked(**{DOCUMENT: b'{"equipoise-work": 99}'}), "another version"),
        (repacked(data=None), "lacks .data."),
    ],
)
def test_what_is_none_is_refused_in_one_sentence(data, said):
    with pytest.raises(EquipoiseError, match=said):
        read_work("w.zip", data)


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch):
    bomb = repacked(bomb=b"0" * 2**21)
    monkeypatch.setattr(work_file, "LARGEST", 2**20)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
    with pytest.raises(EquipoiseError, match="unpacks to more than 1 MB"):
        read_work("w.zip", bomb)


def damaged(packing, *names):
    """An archive packed in this way, its first file not as it was packed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for name in names:
            archive.writestr(name, b"{}" * 5000)
    data = bytearray(buffer.getvalue())
    place = 30 + len(names[0])
    data[place : place + 20] = bytes(20)
    return bytes(data)


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_archive_is_refused_however_it_is_packed(packing):
    """What LZMA says of damage is none of the errors of the others: the page broke."""
    with pytest.raises(EquipoiseError, match="no work that was saved here"):
        read_work("w.zip", damaged(packing, DOCUMENT))
    with pytest.raises(EquipoiseError, match="not a workbook that can be read"):
        open_table("t.xlsx", damaged(packing, "[Content_Types].xml", "xl/workbook.xml"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)


@given(key=st.sampled_from(sorted(document())), value=VALUES)
def test_whatever_stands_there_is_read_or_refused(key, value):
    changed = repacked(**{DOCUMENT: json.dumps({**document(), key: value})})
    try:
        assert isinstance(read_work("w.zip", changed), Saved)
    except EquipoiseError as refused:
        assert str(refused).startswith("w.zip")
