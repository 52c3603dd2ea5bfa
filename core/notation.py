"""Numbers as people write them, one way on every page, in every chart and in the shell.

What is to be typed, a command line or an error about what was typed, keeps the form it is typed in.
"""

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def short(value: float, digits: int = 2) -> str:
    """So many digits, thousands whole, small ones with a power of ten.

    >>> short(0.0412), short(178.2), short(10_000), short(0.00072), short(1e-5), short(-3.5)
    ('0.041', '178', '10,000', '7.2·10⁻⁴', '10⁻⁵', '−3.5')
    """
    if 0 < abs(value) < 0.001:
        front, exponent = f"{value:.{digits - 1}e}".split("e")
        front, raised = f"{float(front):g}", power_of_ten(int(exponent))
        return raised if front == "1" else f"{front}·{raised}".replace("-", "−")
    text = f"{value:,.{digits}g}"
    return (f"{value:,.0f}" if "e" in text else text).replace("-", "−")


def power_of_ten(exponent: int) -> str:
    """Ten to a power, raised.

    >>> power_of_ten(12), power_of_ten(-6)
    ('10¹²', '10⁻⁶')
    """
    return f"10{str(exponent).translate(RAISED)}"
