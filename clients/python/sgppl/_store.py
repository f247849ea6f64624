"""A reader of the draws of a run, which are a Zarr store of version 2 without compression."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any, Iterator

Meta = dict[str, Any]


class Store:
    """A store of groups of arrays. Arrays are NumPy's."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        with open(os.path.join(directory, ".zmetadata"), encoding="utf-8") as f:
            self._meta: Meta = json.load(f)["metadata"]

    def groups(self) -> list[str]:
        """The names of the groups."""
        return sorted(k[:-len("/.zgroup")] for k in self._meta if k.endswith("/.zgroup"))

    def attrs(self, key: str) -> Meta:
        """The attributes of a group or an array."""
        return dict(self._meta.get(f"{key}/.zattrs", {}))

    def arrays(self, group: str) -> list[str]:
        """The names of the arrays of a group, coordinates included, in the model's order."""
        start, end = group + "/", "/.zarray"
        names = [k[len(start):-len(end)] for k in self._meta
                 if k.startswith(start) and k.endswith(end)]
        return sorted(names, key=lambda n: (self.attrs(start + n).get("sgppl_order", -1), n))

    def dims(self, key: str) -> tuple[str, ...]:
        """The names of the axes of an array."""
        return tuple(self.attrs(key)["_ARRAY_DIMENSIONS"])

    def read(self, key: str) -> Any:
        """The numbers or texts of an array."""
        import numpy

        meta = self._meta[key + "/.zarray"]
        if meta["zarr_format"] != 2 or meta["compressor"] or meta["filters"] \
                or meta["order"] != "C":
            raise ValueError(f"{key} is stored in a way that sgppl does not use")
        dtype = numpy.dtype(meta["dtype"])
        shape, chunks = tuple(meta["shape"]), tuple(meta["chunks"])
        fill = meta["fill_value"]
        out = numpy.full(shape, numpy.nan if fill == "NaN" else fill or 0, dtype)
        if dtype.kind == "U":
            out[...] = ""
        for place in places(shape, chunks):
            path = os.path.join(self.directory, *key.split("/"), ".".join(map(str, place)) or "0")
            try:
                chunk = numpy.fromfile(path, dtype=dtype).reshape(chunks)
            except FileNotFoundError:
                continue
            here = tuple(slice(k * c, min((k + 1) * c, n)) for k, c, n in zip(place, chunks, shape))
            out[here] = chunk[tuple(slice(0, s.stop - s.start) for s in here)]
        return out


def places(shape: tuple[int, ...], chunks: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The places of the chunks of an array."""
    return itertools.product(*(range(-(-n // c)) for n, c in zip(shape, chunks)))
