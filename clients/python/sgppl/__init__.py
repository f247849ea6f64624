"""Posteriors of sgppl's models from Python. See README.md of this package."""

from typing import Any

from ._bound import Bound
from ._command import Error, Interrupted, command
from ._fit import Fit
from ._model import Model, resume

__version__ = "0.1.0.dev0"

__all__ = ["Bound", "Error", "Fit", "Interrupted", "Model", "command", "resume"]


def load_ipython_extension(shell: Any) -> None:
    """Gives IPython the cell magic %%sgppl: %load_ext sgppl."""
    from ._magic import register

    register(shell)
