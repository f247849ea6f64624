"""Models."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from . import _command, _data
from ._bound import Bound
from ._fit import Fit


class Model:
    """A model: the path of a file that ends in .sg, or its text."""

    def __init__(self, model: str | os.PathLike[str]) -> None:
        text = os.fspath(model)
        self.path = text if text.endswith(".sg") and "\n" not in text else None
        self.text = None if self.path else text
        _command.run(["check", self.path or "-"], self.text)

    def sample(self, data: Any = None, *, directory: str | None = None, set: dict[str, Any] | None = None,
               show: bool = False, **flags: Any) -> Fit:
        """Draws from the posterior. directory is the run directory to be written, a new one by
        default; set has dims, consts and scalar inputs; show prints progress; other keywords are
        flags of `sgppl sample`. Errors are of type Error."""
        kept = directory or os.path.join(tempfile.mkdtemp(prefix="sgppl-"), "run")
        beside = os.path.dirname(os.path.abspath(kept))
        args = ["sample", self.path or "-", "--out", kept]
        for spec in _data.specs(data, beside):
            args += ["--data", spec]
        for name, value in (set or {}).items():
            args += ["--set", f"{name}={value}"]
        args += flagged(flags) + ([] if show or "progress" in flags else ["--progress", "none"])
        _command.run(args, self.text, show)
        return Fit(kept)

    def bind(self, data: Any = None, *, set: dict[str, Any] | None = None) -> Bound:
        """Binds data for log densities and gradients. Use it in a with statement, or close it."""
        return Bound(self.path, self.text, data, set or {})


def flagged(flags: dict[str, Any]) -> list[str]:
    """Keywords as flags: True is a flag without a value, a list one that is repeated."""
    out: list[str] = []
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        for v in value if isinstance(value, (list, tuple)) else [value]:
            if v is True:
                out.append(flag)
            elif v is not False and v is not None:
                out.append(f"{flag}={v}")
    return out
