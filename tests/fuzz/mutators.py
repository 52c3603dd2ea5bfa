"""How an input is damaged: byte by byte, word by word, and by what its format means."""

import copy
import io
import json
import re
import zipfile

WORDS = re.compile(r"\w+|\s+|[^\w\s]")
LONG = "n" * 3000
NUMBERS = ("0", "1", "2", "3", "7", "10", "99", "4096", "1000000", "1e400", "0e0", "9" * 20)
ODD = (
    "", "0", "-1", "1e400", "-1e-400", "nan", "inf", "-inf", "9" * 400, "1_0", "١٢", "²", "0x10",
    "1e-999999999", "true", "null", "None", "\ufeff", "\u202e", "\x00", "\x1b[31m", "\ud800", "é",
    "\r", "\u2028", LONG, "a b " * 800, "'", '"', "`", "\\", "%s", "{}", "$(x)", "../../x", "~",
    "=1+1", "<script>", "![x](http://192.0.2.1/x.png)", "&lt;", "<!--", "]]>", "\n\nTraceback",
    "(" * 900, "[" * 900, "{" * 40, ")", "]", "}", ";", ",", "|", "\n", "\t", " ",
)  # fmt: skip
VALUES = (
    None, True, False, 0, -1, 1, 0.5, 1e308, -0.0, 10**400, 1e-320, "", "x", LONG, "a b " * 800,
    [], {}, [[]], [None], {"": None}, ["x", "x"], [1, "1"], "\x00", "\ud800", "nan", "inf",
    "1e999999999",
)  # fmt: skip


def damage_bytes(data, rng, others):
    """A few bytes changed, taken out, doubled, or from another input."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 2, 8, 64)))
        match rng.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
            case 1:
                data[at:end] = bytes([rng.choice((0, 10, 13, 34, 127, 128, 255))]) * (end - at)
            case 2:
                data[at:at] = rng.randbytes(rng.choice((1, 2, 8)))
            case 3:
                del data[at:end]
            case 4:
                data[at:at] = data[at:end] * rng.choice((1, 2, 40))
            case 5:
                del data[at:]
            case _:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                data[at:end] = other[start : start + rng.choice((4, 16, 200))]
    return bytes(data)


def damage_words(text, rng, others):  # noqa: C901 - one case for each way
    """Words and signs taken out, doubled, exchanged, or put in the place of others."""
    words = WORDS.findall(text)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        if not words:
            return rng.choice(ODD)
        at, to = rng.randrange(len(words)), rng.randrange(len(words))
        match rng.randrange(7):
            case 0:
                del words[at]
            case 1:
                words[at] = rng.choice(ODD)
            case 2:
                words.insert(at, rng.choice(ODD))
            case 3:
                words[at], words[to] = words[to], words[at]
            case 4:
                first, last = sorted((at, to))
                words[first:first] = words[first : min(last, first + 60)]
            case 5:
                first, last = sorted((at, to))
                del words[first : min(last, first + 60)]
            case _:
                words[at] = rng.choice(WORDS.findall(rng.choice(others)) or [""])
    return "".join(words)


def damage_tree(tree, rng):  # noqa: C901 - one case for each way
    """One place of a JSON document changed."""
    places = [((), tree)]
    for path, value in places:
        inner = value.items() if isinstance(value, dict) else ()
        inner = enumerate(value) if isinstance(value, list) else inner
        places += [((*path, key), one) for key, one in inner]
    path, value = rng.choice(places)
    if not path:
        return copy.deepcopy(rng.choice(VALUES)) if rng.random() < 0.2 else {**tree, LONG: 1}
    holder = tree
    for key in path[:-1]:
        holder = holder[key]
    match rng.randrange(7):
        case 0:
            del holder[path[-1]]
        case 1:
            holder[path[-1]] = [copy.deepcopy(value) for _ in range(rng.choice((2, 50)))]
        case 2 if isinstance(holder, dict):
            holder[rng.choice(ODD)] = holder.pop(path[-1])
        case 3:
            for _ in range(rng.choice((1, 3, 700))):
                value = {"g": value} if rng.random() < 0.7 else [value]
            holder[path[-1]] = value
        case 4:
            holder[path[-1]] = copy.deepcopy(rng.choice(places)[1])
        case 5 if isinstance(value, str):
            holder[path[-1]] = damage_words(value, rng, [value])
        case _:
            holder[path[-1]] = copy.deepcopy(rng.choice(VALUES))
    return tree


def damage_alike(text, rng):
    """Names for names and numbers for numbers: what it says changes, its grammar stays."""
    words = WORDS.findall(text)
    numbers = [at for at, word in enumerate(words) if word[0].isdigit()]
    names = [at for at, word in enumerate(words) if word[0].isalpha()]
    for _ in range(rng.choice((1, 1, 2, 4))):
        places = rng.choice((numbers, names))
        if places:
            other = words[rng.choice(places)]
            words[rng.choice(places)] = (
                rng.choice((other, *NUMBERS)) if places is numbers else other
            )
    return "".join(words)


def text(data, rng, others):
    """A file of text: by words, by words of one sort, or by bytes."""
    way = rng.random()
    if way < 0.3:
        return damage_alike(data.decode("utf-8", "replace"), rng).encode("utf-8", "replace")
    if way < 0.6:
        return damage_bytes(data, rng, others)
    said = [one.decode("utf-8", "replace") for one in (data, *others)]
    return damage_words(said[0], rng, said[1:]).encode("utf-8", "surrogatepass")


def tree(data, rng, others):
    """A JSON file: mostly by its meaning."""
    if rng.random() < 0.35:
        return text(data, rng, others)
    whole = json.loads(data)
    for _ in range(rng.choice((1, 1, 2))):
        if isinstance(whole, dict) and whole:
            whole = damage_tree(whole, rng)
    return json.dumps(whole, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def archive(data, rng, others):
    """A ZIP: mostly one of its parts, put back whole."""
    if rng.random() < 0.3:
        return damage_bytes(data, rng, others)
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        parts = {name: held.read(name) for name in held.namelist()}
    name = rng.choice(sorted(parts) or [""])
    how = tree if name.endswith(".json") else text
    parts[name] = how(parts.get(name, b""), rng, list(parts.values()) or [b""])
    if rng.random() < 0.1:
        parts.pop(name)
    if rng.random() < 0.1:
        parts[rng.choice(("../x", "work.json/", "\u202e", LONG[:200]))] = b"x"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for part, content in parts.items():
            made.writestr(part, content)
    return buffer.getvalue()


def line(data, rng, others):
    """Arguments, one on each line: mostly one of them."""
    if rng.random() < 0.3:
        return text(data, rng, others)
    given = data.decode("utf-8", "replace").split("\n")
    at = rng.randrange(len(given))
    match rng.randrange(5):
        case 0:
            del given[at]
        case 1:
            given[at] = rng.choice(ODD).replace("\n", " ").encode("utf-8", "replace").decode()
        case 2:
            given.insert(at, rng.choice(rng.choice(others).decode("utf-8", "replace").split("\n")))
        case 3:
            given[at] = given[at][: rng.randrange(len(given[at]) + 1)]
        case _:
            first = damage_words(given[at], rng, [given[at]])
            given[at] = first.encode("utf-8", "replace").decode().replace("\n", " ")
    return "\n".join(given).encode("utf-8", "replace")
