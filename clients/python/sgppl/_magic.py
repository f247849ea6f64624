"""The cell magic %%sgppl of IPython and Jupyter."""

from __future__ import annotations

import shlex
import sys
from typing import Any, Optional

from . import _command
from ._model import Model

USAGE = """%%sgppl NAME [--fit FIT] [--data EXPRESSION] [--FLAG [VALUE]]...

The cell is a model, which is bound to NAME. With --fit it is sampled too, and the run is bound to
FIT: --data is an expression of Python, such as the name of a data frame; other flags are those of
`sgppl sample`: --seed 1 --chains 8."""


def register(shell: Any) -> None:
    """Gives a shell the magic."""

    def sgppl(line: str, cell: str) -> None:
        try:
            run(shell, line, cell)
        except (_command.Error, TypeError, ValueError) as e:
            # The place in the cell helps, the frames of this package do not.
            print(e, file=sys.stderr)

    sgppl.__doc__ = USAGE
    shell.register_magic_function(sgppl, magic_kind="cell", magic_name="sgppl")


def run(shell: Any, line: str, cell: str) -> None:
    """Compiles a cell, and samples its model where the line asks for it."""
    words = shlex.split(line)
    if not words or words[0].startswith("-"):
        raise ValueError(USAGE)
    name, flags = words[0], parsed(words[1:])
    fit, data = flags.pop("fit", None), flags.pop("data", None)
    for given in (name, fit):
        if given is not None and not (isinstance(given, str) and given.isidentifier()):
            raise ValueError(f"{given} is no name of a variable\n\n{USAGE}")
    if fit is None and (data is not None or flags):
        raise ValueError(f"--fit says where the run is to be kept\n\n{USAGE}")
    model = Model(cell)
    shell.user_ns[name] = model
    if fit is None:
        return
    values = eval(data, shell.user_global_ns, shell.user_ns) if data is not None else None
    shell.user_ns[fit] = got = model.sample(values, **flags)
    print(got.verdict)


def parsed(words: list[str]) -> dict[str, Any]:
    """Flags as keywords: --seed 1, --seed=1, and --save-warmup, which has no value. A flag that
    comes again is a list."""
    out: dict[str, Any] = {}
    key: Optional[str] = None
    for word in words:
        if word.startswith("--"):
            key, has, value = word[2:].replace("-", "_").partition("=")
            if has:
                value = word.partition("=")[2]
            add(out, key, value if has else True)
            if has:
                key = None
        elif key is None:
            raise ValueError(f"{word} has no flag before it\n\n{USAGE}")
        else:
            take(out, key, word)
            key = None
    return out


def add(out: dict[str, Any], key: str, value: Any) -> None:
    if key not in out:
        out[key] = value
    else:
        out[key] = [*(out[key] if isinstance(out[key], list) else [out[key]]), value]


def take(out: dict[str, Any], key: str, word: str) -> None:
    """Replaces the True of a flag by its value."""
    if isinstance(out[key], list):
        out[key][-1] = word
    else:
        out[key] = word
