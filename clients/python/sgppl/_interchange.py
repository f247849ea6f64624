"""Tables by the dataframe interchange protocol (data-apis.org/dataframe-protocol, version 0):
what libraries other than pandas offer as __dataframe__."""

from __future__ import annotations

from typing import Any, Optional

from ._columns import Numbers, Words

# Kinds of the protocol.
INT, UINT, FLOAT, BOOL, STRING, CATEGORICAL, DATETIME = 0, 1, 2, 20, 21, 23, 22
# How missing entries are told: not at all, by NaN, by a value, by bits, by bytes.
NONE, NAN, SENTINEL, BITS, BYTES = range(5)
UNITS = {"s": 1.0, "m": 1e3, "u": 1e6, "n": 1e9}


def columns(frame: Any) -> dict[str, Any]:
    """The columns of a table, as Numbers and Words. NumPy is needed."""
    chunks = list(frame.get_chunks())
    out: dict[str, Any] = {}
    for name in frame.column_names():
        parts = [part(str(name), chunk.get_column_by_name(name)) for chunk in chunks]
        out[str(name)] = parts[0] if len(parts) == 1 else joined(str(name), parts)
    return out


def joined(name: str, parts: list[Any]) -> Any:
    import numpy

    if all(isinstance(p, Numbers) for p in parts):
        return Numbers(numpy.concatenate([p.array for p in parts]))
    if all(isinstance(p, Words) for p in parts):
        levels = parts[0].levels
        if any(p.levels != levels for p in parts):
            levels = None
        return Words([w for p in parts for w in p.words], levels)
    raise TypeError(f"{name}: its parts are of several types")


def part(name: str, column: Any) -> Any:
    """A chunk of a column."""
    import numpy

    kind, _, code, _ = column.dtype
    buffers = column.get_buffers()
    gaps = missing(column, buffers)
    if kind == STRING:
        return Words(strings(column, buffers, gaps))
    values = numbers(column, *buffers["data"])
    if kind == CATEGORICAL:
        of = column.describe_categorical["categories"]
        inner = part(name, of)
        if not isinstance(inner, Words):
            raise TypeError(f"{name}: the categories of this table are no words")
        levels = [w or "" for w in inner.words]
        gone = gaps if gaps is not None else values < 0
        words = [None if g else levels[k] for k, g in zip(values.tolist(), gone.tolist())]
        return Words(words, levels if column.describe_categorical["is_dictionary"] else None)
    if kind == DATETIME:
        days = values.astype("float64")
        if code.startswith("td"):
            scale = 1.0 if code.startswith("tdD") else 86400.0
        else:
            scale = 86400.0 * UNITS[code[2]]
        days /= scale
        values = days
    elif kind not in (INT, UINT, FLOAT, BOOL):
        raise TypeError(f"{name}: a column of kind {kind} is no data")
    if gaps is not None and gaps.any():
        values = values.astype("float64")
        values[gaps] = numpy.nan
    return Numbers(values)


def numbers(column: Any, buffer: Any, dtype: Any, size: Optional[int] = None) -> Any:
    """The numbers of a buffer, copied."""
    import numpy

    kind, bits, _, _ = dtype
    n = column.size() if size is None else size
    at = column.offset if size is None else 0
    if kind == BOOL and bits == 1:
        raw = memory(buffer, "uint8", (at + n + 7) // 8)
        return numpy.unpackbits(raw, bitorder="little")[at:at + n].astype(bool)
    letter = {INT: "i", UINT: "u", FLOAT: "f", BOOL: "u", DATETIME: "i", STRING: "u"}[kind]
    got = memory(buffer, f"{letter}{bits // 8}", at + n)[at:].copy()
    return got.astype(bool) if kind == BOOL else got


def memory(buffer: Any, kind: str, n: int) -> Any:
    """The first n entries of a buffer, as an array that shares its memory."""
    import ctypes

    import numpy

    size = n * numpy.dtype(kind).itemsize
    if size == 0:
        return numpy.zeros(0, kind)
    if size > buffer.bufsize:
        raise ValueError(f"a buffer of {buffer.bufsize} bytes is to hold {size}")
    raw = (ctypes.c_char * size).from_address(buffer.ptr)
    return numpy.frombuffer(raw, dtype=kind)


def missing(column: Any, buffers: Any) -> Any:
    """Which entries are missing; None where none are, or NaN says it."""
    import numpy

    how, value = column.describe_null
    if how in (NONE, NAN):
        return None
    if how == SENTINEL:
        if column.dtype[0] == STRING:
            return None
        return numbers(column, *buffers["data"]) == value
    mask, dtype = buffers["validity"]
    if how == BITS:
        dtype = (BOOL, 1, dtype[2], dtype[3])
    return numbers(column, mask, dtype).astype(bool) == bool(value)


def strings(column: Any, buffers: Any, gaps: Any) -> list[Optional[str]]:
    """Texts of UTF-8 in one buffer, between offsets in another."""
    data, _ = buffers["data"]
    offsets, kind = buffers["offsets"]
    n = column.size()
    at = memory(offsets, f"i{kind[1] // 8}", column.offset + n + 1)[column.offset:].tolist()
    text = memory(data, "u1", at[-1]).tobytes() if n else b""
    gone = gaps.tolist() if gaps is not None else [False] * n
    return [None if gone[i] else text[at[i]:at[i + 1]].decode("utf-8") for i in range(n)]
