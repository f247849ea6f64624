"""Posteriors of sgppl's models from Python. See README.md of this package."""

from ._bound import Bound
from ._command import Error, command
from ._fit import Fit
from ._model import Model

__all__ = ["Bound", "Error", "Fit", "Model", "command"]
