"""Columns of tables and arrays of many libraries, as numbers, words, sparse rows, or lists."""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any, Iterator, Optional, Sequence

SECONDS = 86400.0
EPOCH = datetime.datetime(1970, 1, 1)
WHOLE = 2**53  # beyond it a float does not hold every whole number


class Numbers:
    """An array of numbers; NaN is missing."""

    def __init__(self, array: Any) -> None:
        self.array = array


class Words:
    """Texts; None is missing. levels has those of a categorical, in their order."""

    def __init__(self, words: Sequence[Optional[str]], levels: Optional[list[str]] = None) -> None:
        self.words = words
        self.levels = levels


class Plain:
    """A value as JSON has it."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Sparse:
    """A matrix of SciPy in compressed rows."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def lines(self) -> Iterator[str]:
        """Its rows as libsvm has them, with columns from 0. The last row names the last column,
        so that the file has the width of the matrix."""
        m = self.matrix
        m.sum_duplicates()
        for i in range(m.shape[0]):
            part = slice(m.indptr[i], m.indptr[i + 1])
            cells = [f"{k}:{v!r}" for k, v in zip(m.indices[part].tolist(), m.data[part].tolist())]
            last = m.shape[1] - 1
            if i == m.shape[0] - 1 and (not cells or m.indices[part][-1] != last):
                cells.append(f"{last}:0")
            yield " ".join(["0", *cells]) + "\n"


def table(data: Any) -> dict[str, Any]:
    """The columns of a data frame by their names."""
    names = getattr(data, "columns", None)
    if names is None or callable(names) or not hasattr(data, "__getitem__"):
        if hasattr(data, "__dataframe__"):
            from . import _interchange

            return _interchange.columns(data.__dataframe__())
        raise TypeError(f"data of type {type(data).__name__}: a dict, a path, a list of paths, or "
                        "a table with columns is expected")
    listed = [str(n) for n in names]
    if len(set(listed)) < len(listed):
        raise ValueError("the table has two columns of one name")
    return {str(n): data[n] for n in names}


def stack(name: str, columns: Sequence[Any]) -> Any:
    """Columns of numbers as the columns of one array."""
    done = [column(name, c, False) for c in columns]
    if all(isinstance(c, Numbers) for c in done):
        import numpy

        return numpy.column_stack([c.array for c in done])
    if all(isinstance(c, Plain) for c in done):
        return [list(row) for row in zip(*(c.value for c in done))]
    raise ValueError(f"{name}: its columns must all be numbers")


def column(name: str, value: Any, index: bool) -> Any:
    """A column as Numbers, Words, Sparse or Plain. Of an index the categories are words, also
    where they are numbers."""
    if isinstance(value, (Numbers, Words)):
        return value
    if value is None or isinstance(value, (bool, int, float, str)):
        return Plain(finite(value))
    if hasattr(value, "tocsr"):
        return Sparse(value.tocsr().copy())
    if getattr(value, "ndim", 1) == 2 and hasattr(value, "columns"):
        return of_table(name, value)
    categorical = categories(value)
    if categorical is not None:
        return of_categories(name, *categorical, index)
    array = as_array(value)
    if array is not None:
        return of_array(name, array)
    if hasattr(value, "to_list"):
        value = value.to_list()
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (datetime.date, decimal.Decimal)):
        return Plain(number(value))
    if not isinstance(value, (list, tuple)):
        try:
            value = list(value)
        except TypeError:
            raise TypeError(f"{name}: a value of type {type(value).__name__} is no data") from None
    return of_list(name, value)


def of_table(name: str, value: Any) -> Any:
    """A data frame as a matrix."""
    whole = stack(name, list(table(value).values()))
    return Plain(whole) if isinstance(whole, list) else Numbers(whole)


def categories(value: Any) -> Optional[tuple[list[Any], Any]]:
    """The categories and the codes of a categorical, −1 for a missing entry; None of others."""
    of = getattr(value, "cat", value)
    if hasattr(of, "categories") and hasattr(of, "codes"):  # pandas
        return list(of.categories), of.codes
    kind: Any = getattr(value, "dtype", None)
    if type(kind).__name__ == "Enum" and hasattr(kind, "categories"):  # polars
        names = list(kind.categories)
        place = {n: i for i, n in enumerate(names)}
        return names, [place.get(w, -1) for w in value.to_list()]
    return None


def of_categories(name: str, levels: list[Any], codes: Any, index: bool) -> Any:
    if index or all(isinstance(level, str) for level in levels):
        words = [text(level) for level in levels]
        if len(set(words)) < len(words):
            raise ValueError(f"{name}: two categories have the same text")
        at = codes.tolist() if hasattr(codes, "tolist") else codes
        return Words([None if k < 0 else words[k] for k in at], words)
    values = [number(level) for level in levels] + [math.nan]
    return of_list(name, [values[k] for k in codes])


def text(level: Any) -> str:
    """A category as a word: a whole number has no point."""
    whole = isinstance(level, float) and level.is_integer()
    return str(int(level)) if whole else str(level)


def as_array(value: Any) -> Any:
    """value as an array of NumPy, where it is one, or has an array of numbers or dates inside;
    None of others."""
    kind = str(getattr(value, "dtype", ""))
    if not kind and not hasattr(value, "__array__"):
        return None
    try:
        import numpy
    except ImportError:
        return None
    if isinstance(value, numpy.ndarray):
        return value
    if hasattr(value, "dt") and getattr(getattr(value, "dtype", None), "tz", None) is not None:
        value = value.dt.tz_convert("UTC").dt.tz_localize(None)  # pandas
    if kind[:3] in ("Int", "UIn", "Flo", "boo") and hasattr(value, "isna"):
        return nullable(value, kind)
    if kind.lower().startswith(("str", "utf8", "categorical", "list", "object", "null", "dec")):
        return None
    if not hasattr(value, "to_numpy"):
        return numpy.asarray(value)
    return value.to_numpy()


def nullable(value: Any, kind: str) -> Any:
    """A column of pandas whose type has missing entries beside its numbers."""
    gaps = value.isna()
    if not gaps.any():
        return value.to_numpy(dtype=kind.lower() if kind != "boolean" else "bool")
    if "nt" in kind:
        exact(value.dropna().to_numpy(dtype=kind.lower()), value.name)
    return value.to_numpy(dtype="float64", na_value=math.nan)


def exact(array: Any, name: Any) -> None:
    """Refuses whole numbers that floats, which missing entries need, would round."""
    if array.size and max(abs(int(array.min())), abs(int(array.max()))) > WHOLE:
        raise ValueError(f"{name} has missing entries and whole numbers beyond 2^53")


def of_array(name: str, array: Any) -> Any:
    """An array of NumPy. Dates are days since 1970-01-01 in UTC."""
    import numpy

    if isinstance(array, numpy.ma.MaskedArray):
        return of_masked(name, array)
    kind = array.dtype.kind
    if kind in "Mm":
        unit = numpy.timedelta64(1, "us")
        since = array - numpy.datetime64(0, "s") if kind == "M" else array
        return Numbers(numpy.asarray(since / unit, dtype="float64") / (SECONDS * 1e6))
    if kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype("float64")
    if kind in "biuf":
        return Plain(finite(array.item())) if array.ndim == 0 else Numbers(array)
    if kind in "OUST":
        return of_list(name, array.tolist())
    raise TypeError(f"{name}: an array of {array.dtype} is no data")


def of_masked(name: str, array: Any) -> Any:
    """An array of NumPy with a mask, whose entries are missing."""
    import numpy

    if not numpy.ma.is_masked(array):
        return of_array(name, array.data)
    if array.dtype.kind in "biuf":
        if array.dtype.kind in "iu":
            exact(array.compressed(), name)
        return Numbers(array.astype("float64").filled(math.nan))
    return of_list(name, array.tolist())  # which has None where the mask is


def of_list(name: str, values: Any) -> Any:
    """A list: words, or what JSON has."""
    if not isinstance(values, (list, tuple)):
        return Plain(finite(values))
    if any(isinstance(v, str) for v in values):
        if not all(isinstance(v, str) or gap(v) for v in values):
            other = next(v for v in values if not isinstance(v, str) and not gap(v))
            raise TypeError(f"{name} has words and {other!r}: words and numbers are in one column")
        return Words([v if isinstance(v, str) else None for v in values])
    return Plain([plain(name, v) for v in values])


def gap(value: Any) -> bool:
    """Whether a value stands for a missing entry."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)


def plain(name: str, value: Any) -> Any:
    """value as JSON has it: lists for arrays, null for missing entries."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(name, v) for v in value]
    value = number(value)
    if value is not None and not isinstance(value, (bool, int, float, str)):
        raise TypeError(f"{name}: a value of type {type(value).__name__} is no data")
    return value


def number(value: Any) -> Any:
    """Dates as days since 1970-01-01 in UTC, decimals as floats; others as they are."""
    if gap(value):
        return None
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (value - EPOCH) / datetime.timedelta(days=1)
    if isinstance(value, datetime.date):
        return float((value - EPOCH.date()).days)
    if isinstance(value, datetime.timedelta):
        return value / datetime.timedelta(days=1)
    return float(value) if isinstance(value, decimal.Decimal) else value


def finite(value: Any) -> Any:
    """A number as JSON has it: null where it is missing."""
    return None if gap(value) else value
