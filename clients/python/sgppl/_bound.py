"""Models bound to data, evaluated by a child that lives as long as they do."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import Any, Optional, Sequence

from . import _command, _data

WORDS = {"NaN": float("nan"), "Inf": float("inf"), "-Inf": float("-inf")}


def number(x: Any) -> float:
    return WORDS[x] if isinstance(x, str) else float(x)


class Bound:
    """A model with its data: log densities, gradients, and maps. `dim` is the length of the
    state, `variables` the params and tracked values with their shapes."""

    def __init__(
        self, path: Optional[str], text: Optional[str], data: Any, set: list[str],
        inputs: dict[str, str], na: Optional[str],
    ) -> None:
        self._child = subprocess.Popen(
            [_command.command(), "serve", "--stdio"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, encoding="utf-8")
        self._id = 0
        try:
            with tempfile.TemporaryDirectory() as work:
                given = _data.give(data, os.path.join(work, "data"), inputs)
                params: dict[str, Any] = {
                    "data": given.specs, "set": set, "na": na or "",
                    "levels": [f"{dim}={levels}" for dim, levels in given.levels.items()]}
                params.update({"text": text} if path is None else {"model": path})
                self._model = self._ask("bind", params)
        except BaseException:
            self.close()
            raise
        self.dim: int = self._model["dim"]
        self.variables: list[dict[str, Any]] = self._model["variables"]

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        self._id += 1
        assert self._child.stdin and self._child.stdout
        request = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self._child.stdin.write(json.dumps(request, allow_nan=False) + "\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise _command.Error(5, "sgppl serve has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise _command.Error(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    def _at(self, method: str, x: Sequence[float], **more: Any) -> Any:
        state = [float(v) for v in x]
        return self._ask(method, {"model": self._model["model"], "x": state, **more})

    def log_density(self, x: Sequence[float], jacobian: bool = True) -> float:
        """The log density of a state."""
        return number(self._at("log_density", x, jacobian=jacobian))

    def gradient(self, x: Sequence[float], jacobian: bool = True) -> tuple[float, list[float]]:
        """The log density of a state, and its gradient."""
        got = self._at("gradient", x, jacobian=jacobian)
        return number(got["log_density"]), [number(v) for v in got["gradient"]]

    def log_lik(
        self, x: Sequence[float], rows: Optional[Sequence[int]] = None,
    ) -> list[float]:
        """The log likelihood of each row, or of those that are named."""
        some = {} if rows is None else {"rows": [int(r) for r in rows]}
        return [number(v) for v in self._at("log_lik", x, **some)]

    def constrain(self, x: Sequence[float]) -> dict[str, list[float]]:
        """The values of each variable, the last index fastest."""
        values = self._at("constrain", x)
        return {name: [number(v) for v in entries] for name, entries in values.items()}

    def unconstrain(self, values: dict[str, Sequence[float]]) -> list[float]:
        """The state that has these values of the params."""
        given = {k: [float(x) for x in v] for k, v in values.items()}
        state = self._ask("unconstrain", {"model": self._model["model"], "values": given})
        return [number(v) for v in state]

    def close(self) -> None:
        """Ends the child."""
        if self._child.stdin:
            self._child.stdin.close()
        self._child.wait()
        if self._child.stdout:
            self._child.stdout.close()

    def __enter__(self) -> "Bound":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
