"""Runs."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from typing import Any

from . import _command


class Fit:
    """A run directory of `sgppl sample`."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = os.fspath(directory)
        self._summary: dict[str, Any] = json.loads(_command.run(["summary", self.directory, "--json"]))

    @property
    def verdict(self) -> str:
        """A sentence that begins with ok, unsure or off: may these draws be trusted?"""
        return self._summary["verdict"]

    @property
    def health(self) -> list[dict[str, Any]]:
        """The rows of the health table."""
        return self._summary["health"]

    def summary(self) -> dict[str, dict[str, float]]:
        """For each number its mean, sd, quantiles, effective sample sizes and R-hat."""
        return {v["name"]: {k: x for k, x in v.items() if k != "name"} for v in self._summary["vars"]}

    def draws(self) -> dict[str, list[float]]:
        """The draws of each number, chain after chain. Beside them are the columns chain and draw."""
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, "draws.csv")
            _command.run(["export", self.directory, "--to", "csv", "--out", path])
            with open(path, newline="", encoding="utf-8") as f:
                rows = csv.reader(f)
                names = next(rows)
                columns: list[list[float]] = [[] for _ in names]
                for row in rows:
                    for column, cell in zip(columns, row):
                        column.append(float(cell))
        return dict(zip(names, columns))

    def report(self, path: str) -> str:
        """Writes the report, a page of HTML, and returns its path."""
        _command.run(["report", self.directory, "--out", path, "--force"])
        return path

    def __repr__(self) -> str:
        return f"Fit({self.directory!r}): {self.verdict}"
