"""Data for the command: paths as they are, all else as a file of JSON."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping


def plain(value: Any) -> Any:
    """value as JSON has it: lists for arrays, null for missing entries."""
    if hasattr(value, "tolist"):  # numpy, pandas
        value = value.tolist()
    elif hasattr(value, "to_list"):  # polars
        value = value.to_list()
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def fields(data: Any) -> dict[str, Any]:
    """The fields of a dict, or the columns of a table."""
    if isinstance(data, Mapping):
        return {str(k): plain(v) for k, v in data.items()}
    columns: Iterable[Any] = getattr(data, "columns", ())
    out = {str(name): plain(data[name]) for name in columns}
    if not out:
        raise TypeError("data must be a dict, a path, a list of paths, or a table with columns")
    return out


def specs(data: Any, directory: str) -> list[str]:
    """What --data is given. A file that has to be written is in directory."""
    if data is None:
        return []
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple)):
        return [os.fspath(d) for d in data]
    path = os.path.join(directory, "data.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(fields(data), f, allow_nan=False)
    return [path]
