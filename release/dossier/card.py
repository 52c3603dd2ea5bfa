"""The card of a release: one page for whoever receives the files, made from the dossier alone."""

from release.published import Document
from release.review.declared import NOT_STATED
from release.uncertainty import ABOUT

CARD = "card.md"

LOADING = """## Loading it

pgmpy (Python):

```python
from pgmpy.readwrite import BIFReader

model = BIFReader("model.bif").get_model()
```

pyAgrum (Python; it reads no name in quotes, so where a state is not letters, digits, - and _ alone
take pgmpy):

```python
import pyagrum

model = pyagrum.loadBN("model.bif")
```

bnlearn (R):

```r
model <- bnlearn::read.bif("model.bif")
```
"""

UNCERTAINTY = f"""## How far to trust it

Each number of the model has a 90 % interval in `intervals.json`, and so has the answer to any
question: `python cli.py query --model model.json --target X --given Y=y` beside
`measurements.json`. {ABOUT} Where an interval is nearly all of 0 to 1, the release says nothing."""


def card(document: Document) -> bytes:
    """What it is, what it is for, how it is loaded and checked."""
    said = {row["key"]: row["text"] for row in document["declared"]}
    names = [file["name"] for file in document["files"]]
    parts = [
        f"# Release {document['decision']['release']}",
        "A Bayesian network learned from records of people, made private before it was published. "
        "Noise was added to every table that it was fitted to: its numbers are not those of the "
        "records, and rows that few people have are the least exact.",
        f"Guarantee: {_line(document['guarantee']['sentence'])}",
        *(f"{title}: {_line(said[key])}" for title, key in LINES),
        "## Files",
        "\n".join(f"- `{name}`: {WHAT.get(name, 'as its name says')}" for name in names),
        *([LOADING.strip()] if "model.bif" in names else []),
        *([UNCERTAINTY] if "intervals.json" in names else []),
        "## Checking it",
        "`python cli.py verify DIR --rebuild` compares every file with its checksum and makes the "
        "model again from `measurements.json`. The noise of each table is in that file, with its "
        "law and scale.",
    ]
    return ("\n\n".join(parts) + "\n").encode()


LINES = (("For", "use"), ("Not for", "unfit"), ("Terms", "model"), ("Questions", "contact"))
WHAT = {
    "model.bif": "the model, for other programs",
    "model.json": "the model with every digit, and how it was made",
    "graph.json": "the graph, and how it was made",
    "measurements.json": "the noisy tables as they were drawn",
    "intervals.json": "the 90 % interval of every probability of the model",
    "records.csv": "synthetic records drawn from the model; none is a person's",
}


def _line(text: str) -> str:
    """A statement in Markdown: as it was written, nothing of it a link, a tag or a heading."""
    if text == NOT_STATED:
        return text
    return "".join(
        f"\\{c}" if c in "\\`*_[]<>#!|~&" else c if c.isprintable() else " " for c in text
    )
