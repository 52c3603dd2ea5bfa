"""Hues as colour-blind readers see them: Machado, Oliveira and Fernandes (2009)."""

from itertools import combinations

import numpy as np
import pytest

from figures.palette import METHOD_HUES, PALETTE

SEEN = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
APART = 10
"""CIE 1976 difference; 2.3 can just be noticed side by side."""


def seen(colour, matrix):
    """L*, a*, b* of a colour of the palette."""
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.array(matrix) @ linear, 0, 1) / TO_XYZ.sum(axis=1)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(one, other, matrix):
    return float(np.linalg.norm(seen(one, matrix) - seen(other, matrix)))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("matrix", SEEN.values(), ids=SEEN)
def test_curves_of_one_chart_are_told_apart(matrix, theme):
    hues = {name: PALETTE[name][theme] for name in (*METHOD_HUES, "risk", "truth")}
    close = {
        pair: round(difference(hues[pair[0]], hues[pair[1]], matrix), 1)
        for pair in combinations(hues, 2)
    }
    assert {pair: far for pair, far in close.items() if far < APART} == {}


def test_the_simulation_finds_a_pair_that_is_not():
    red, green = "#C0504D", "#7F7F3F"
    assert difference(red, green, np.eye(3)) > 3 * APART
    assert difference(red, green, SEEN["deuteranopia"]) < APART
