"""Models."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Iterable, Optional, Union

from . import _command, _data, _progress
from ._bound import Bound
from ._fit import Fit

Path = Union[str, "os.PathLike[str]"]


class Model:
    """A model: the path of a file that ends in .sg, or its text. `inputs` has the types of its
    data by their names."""

    def __init__(self, model: Path) -> None:
        text = os.fspath(model)
        self.path: Optional[str] = text if text.endswith(".sg") and "\n" not in text else None
        self.text: Optional[str] = None if self.path else text
        self.inputs: dict[str, str] = inputs_of(self.path or "-", self.text)

    def sample(
        self, data: Any = None, *, directory: Optional[Path] = None,
        set: Optional[dict[str, Any]] = None, progress: _progress.Progress = None, **flags: Any,
    ) -> Fit:
        """Draws from the posterior.

        data: a dict, a data frame, a path, or a list of paths.
        directory: the run directory to be written; by default a new one for temporary files.
        set: dims, consts and scalar inputs.
        progress: True shows a line of each chain, False none; by default it is shown in
            notebooks and on terminals. A function is called for each event, a dict.
        Other keywords are flags of `sgppl sample`: seed=1, chains=8, target_accept=0.9.

        Raises Error where sgppl refuses something, and Interrupted at an interrupt, after which
        `sgppl.resume` goes on."""
        kept = os.fspath(directory) if directory else os.path.join(
            tempfile.mkdtemp(prefix="sgppl-"), "run")
        os.makedirs(os.path.dirname(os.path.abspath(kept)), exist_ok=True)
        given = _data.give(data, kept.rstrip("/\\") + ".data", self.inputs)
        args = ["sample", self.path or "-", "--out", kept]
        args += flagged({"data": given.specs, "set": pairs(set)})
        args += flagged({"levels": ordered(given.levels, flags.pop("levels", None))})
        return start(args + flagged(flags), kept, self.text, progress)

    def bind(
        self, data: Any = None, *, set: Optional[dict[str, Any]] = None, na: Optional[str] = None,
    ) -> Bound:
        """Binds data for log densities and gradients. Use it in a with statement, or close it.
        na="drop" leaves out rows with missing entries."""
        return Bound(self.path, self.text, data, pairs(set), self.inputs, na)

    def __repr__(self) -> str:
        return f"Model({self.path or self.text!r})"


def resume(
    directory: Path, *, more_draws: Optional[int] = None, progress: _progress.Progress = None,
    **flags: Any,
) -> Fit:
    """Goes on with an interrupted run, or takes more draws of every chain of a complete one."""
    kept = os.fspath(directory)
    args = ["sample", "--resume", kept, *flagged({"more_draws": more_draws, **flags})]
    return start(args, kept, None, progress)


def start(
    args: list[str], directory: str, text: Optional[str], progress: _progress.Progress,
) -> Fit:
    with _progress.watcher(progress) as watch:
        notes = _command.sample(args, directory, text, watch)
    return Fit(directory, notes)


def inputs_of(path: str, text: Optional[str]) -> dict[str, str]:
    """The inputs of a model. Raises what sgppl says of its errors."""
    try:
        said = json.loads(_command.run(["check", path, "--json"], text))
    except _command.Error as e:
        error = e
    else:
        return {d["name"]: d["type"] for d in said["data"]}
    _command.run(["check", path], text)  # raises the same errors as texts
    raise error


def pairs(of: Optional[dict[str, Any]]) -> list[str]:
    return [f"{name}={value}" for name, value in (of or {}).items()]


def ordered(found: dict[str, str], said: Union[None, str, Iterable[str]]) -> list[str]:
    """Orders of levels: those that the user says go before those of the data."""
    own = [said] if isinstance(said, str) else list(said or [])
    named = {s.split("=", 1)[0].strip() for s in own}
    return own + [f"{dim}={levels}" for dim, levels in found.items() if dim not in named]


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
