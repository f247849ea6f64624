"""Data for the command: paths as they are, all else as files that it reads.

Arrays of numbers become one npz file, columns of words a csv, and the rest, such as numbers
alone and lists of lists, JSON.
"""

from __future__ import annotations

import csv
import json
import os
import re
from typing import Any, Iterable, Mapping, Optional

from . import _columns
from ._columns import Numbers, Plain, Sparse, Words

INPUT = re.compile(r"^(.+?)(?:\.(\d+)|\[(\d+)\])$")
MISSING = ("", "NA", "null", "NaN", "nan")


class Given:
    """What --data and --levels are given."""

    def __init__(self) -> None:
        self.specs: list[str] = []
        self.levels: dict[str, str] = {}


def give(data: Any, stem: str, inputs: Optional[Mapping[str, str]] = None) -> Given:
    """Data as the command takes it. Files that have to be written begin with stem; inputs has the
    types of the model's inputs by their names, which are the columns of a table that are read."""
    given = Given()
    if data is None:
        return given
    if isinstance(data, (str, os.PathLike)):
        given.specs = [os.fspath(data)]
        return given
    if isinstance(data, (list, tuple)) and all(isinstance(d, (str, os.PathLike)) for d in data):
        given.specs = [os.fspath(d) for d in data]
        return given
    columns = {name: _columns.column(name, value, of_index(name, inputs))
               for name, value in chosen(data, inputs).items()}
    write(columns, stem, given)
    for name, column in columns.items():
        if isinstance(column, Words):
            order(name, column, inputs or {}, given)
    return given


def of_index(name: str, inputs: Optional[Mapping[str, str]]) -> bool:
    return inputs is not None and dim_of(inputs.get(name, "")) is not None


def dim_of(kind: str) -> Optional[str]:
    """The dim of a type index[dim]; None of others."""
    found = re.search(r"\bindex\[([A-Za-z_]\w*)\]", kind)
    return found.group(1) if found else None


def chosen(data: Any, inputs: Optional[Mapping[str, str]]) -> dict[str, Any]:
    """The entries of a dict, or the columns of a table that the model reads. The columns x.0,
    x.1, … or x[0], x[1], … are one array."""
    if isinstance(data, Mapping):
        return {str(k): v for k, v in data.items()}
    table = _columns.table(data)
    if inputs is None:
        return {name: table[name] for name in table}
    out: dict[str, Any] = {}
    parts: dict[str, dict[int, Any]] = {}
    for name in table:
        found = INPUT.match(name)
        if name in inputs:
            out[name] = table[name]
        elif found and found.group(1) in inputs:
            place = int(found.group(2) or found.group(3))
            parts.setdefault(found.group(1), {})[place] = table[name]
    for name, of in parts.items():
        if sorted(of) != list(range(len(of))):
            raise ValueError(f"{name}: its columns have the numbers {sorted(of)}, which do not "
                             "count from 0 without a gap")
        out.setdefault(name, _columns.stack(name, [of[k] for k in range(len(of))]))
    if not out:
        raise ValueError(f"the table has the columns {', '.join(table)}; the model reads "
                         f"{', '.join(inputs) or 'no data'}")
    return out


def write(columns: Mapping[str, Any], stem: str, given: Given) -> None:
    """Writes the files of columns."""
    arrays = {n: c.array for n, c in columns.items() if isinstance(c, Numbers)}
    if arrays:
        import numpy

        path = stem + ".npz"
        with open(path, "wb") as f:
            numpy.savez(f, **arrays)
        given.specs.append(path)
    plain = {n: c.value for n, c in columns.items() if isinstance(c, Plain)}
    if plain:
        path = stem + ".json"
        with open(path, "w", encoding="utf-8") as text:
            json.dump(plain, text)
        given.specs.append(path)
    by_length: dict[int, dict[str, Words]] = {}
    for name, c in columns.items():
        if isinstance(c, Words):
            by_length.setdefault(len(c.words), {})[name] = c
        elif isinstance(c, Sparse):
            path = f"{stem}.{name}.libsvm"
            with open(path, "w", encoding="ascii") as text:
                text.writelines(c.lines())
            given.specs.append(f"{name}={path}:features0")
    for i, words in enumerate(by_length.values()):
        path = f"{stem}{f'-{i}' if i else ''}.csv"
        write_words(words, path)
        given.specs.append(path)


def write_words(columns: Mapping[str, Words], path: str) -> None:
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(columns)
        for name, c in columns.items():
            refuse_missing(name, c)
        lists = [c.words for c in columns.values()]
        w.writerows(["NA" if cell is None else cell for cell in row] for row in zip(*lists))


def refuse_missing(name: str, column: Words) -> None:
    """Refuses words that a file would say are missing."""
    for word in set(column.words):
        if word is not None and word.strip() in MISSING:
            raise ValueError(f"{name} has the word {word!r}, which a file says is missing: "
                             "write None for a missing entry, or another word")


def told_apart(name: str, words: Iterable[Optional[str]]) -> None:
    """Refuses words that differ, and that a file would make one level: blanks around a word are
    left out, and numbers are levels by their value."""
    before: dict[Any, str] = {}
    for word in set(words):
        if word is None:
            continue
        key: Any = word.strip()
        try:
            key = float(key)
        except ValueError:
            pass
        if before.setdefault(key, word) != word:
            raise ValueError(f"{name} has the words {before[key]!r} and {word!r}, which a file "
                             "makes one level: write them alike, or otherwise")


def order(name: str, column: Words, inputs: Mapping[str, str], given: Given) -> None:
    """Keeps the levels of a categorical as those of the model's dim. Words that look like numbers
    are levels too."""
    dim = dim_of(inputs.get(name, ""))
    if dim is None:
        return
    told_apart(name, column.words if column.levels is None else column.levels)
    levels = "appearance" if column.levels is None else listed(column.levels)
    before = given.levels.setdefault(dim, levels)
    if before != levels:
        if "appearance" not in (before, levels):
            raise ValueError(f"{name}: another categorical of the dim {dim} has other levels: "
                             f"{before}, and not {levels}")
        given.levels[dim] = levels if before == "appearance" else before


def listed(levels: Iterable[str]) -> str:
    """Levels as --levels takes them."""
    all_levels = list(levels)
    quoted = []
    for level in all_levels:
        if re.search('[,"\n]', level) or level in ("...", "…") or \
                len(all_levels) == 1 and level in ("appearance", "sorted"):
            level = '"' + level.replace('"', '""') + '"'
        quoted.append(level)
    return ",".join(quoted)
