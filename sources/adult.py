"""The Adult table as the papers cut it: read from a folder that the user names."""

import json
from pathlib import Path

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.table import Variable

COLUMNS = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours", "country", "income"),
)
BINNED = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours")
"""Columns of sixteen equal bins, whose codes are in the order of their labels as text."""

BINS = 16


def read_adult(folder: Path) -> Rows | None:
    """Coded records of ``adult/adult.csv`` and its labels; none where they are not there."""
    place = folder / "adult"
    if not (place / "adult.csv").exists():
        return None
    raw = np.loadtxt(place / "adult.csv", delimiter=",", skiprows=1, dtype=np.int64)
    labels = json.loads((place / "adult_int_to_str.json").read_text(encoding="utf-8"))
    variables, columns = [], []
    for j, (name, names) in enumerate(zip(COLUMNS, labels, strict=True)):
        states = [names[str(code)] for code in range(len(names))]
        if name in BINNED:
            first = min(int(s) for s in states)
            columns.append(np.array([int(s) - first for s in states])[raw[:, j]])
            states = [str(first + i) for i in range(BINS)]
        else:
            columns.append(raw[:, j])
        variables.append(Variable(name, tuple(states)))
    return Rows(Dataset(tuple(variables), np.array(columns).T))
