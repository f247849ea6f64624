"""Runs."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import _command, _data, _xarray
from ._store import Store

if TYPE_CHECKING:
    import arviz
    import xarray

PREDICTIVE = "posterior_predictive"


class Fit:
    """A run directory of `sgppl sample`. `notes` has what the command noted while it ran."""

    def __init__(
        self, directory: Union[str, "os.PathLike[str]"], notes: Sequence[str] = (),
    ) -> None:
        self.directory = os.fspath(directory)
        self.notes = list(notes)
        self._summary: dict[str, Any] = json.loads(
            _command.run(["summary", self.directory, "--json"]))
        self._whole: Optional[str] = None  # the store, or a copy of its whole draws
        self._predicted: Optional[str] = None

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
        return {v["name"]: {k: x for k, x in v.items() if k != "name"}
                for v in self._summary["vars"]}

    def draws(self) -> dict[str, list[float]]:
        """The draws of each number, chain after chain. Beside them are the columns chain and
        draw."""
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

    def report(self, path: Union[str, "os.PathLike[str]"]) -> str:
        """Writes the report, a page of HTML, and returns its path."""
        out = os.fspath(path)
        _command.run(["report", self.directory, "--out", out, "--force"])
        return out

    def export(self, to: str, path: Union[str, "os.PathLike[str]"]) -> list[str]:
        """Writes the draws as csv, parquet, zarr or stan-csv, which CmdStanPy's from_csv and
        cmdstanr read, and returns the paths of what was written."""
        out = os.fspath(path)
        return _command.run(["export", self.directory, "--to", to, "--out", out]).split("\n")[:-1]

    def predict(
        self, data: Any = None, *, set: Optional[dict[str, Any]] = None, seed: int = 1,
    ) -> "xarray.Dataset":
        """Posterior predictive draws for new rows; without data and set for the rows of the run."""
        work = tempfile.mkdtemp(prefix="sgppl-")
        given = _data.give(data, os.path.join(work, "data"), self._inputs())
        out = os.path.join(work, "predicted.zarr")
        args = ["predict", self.directory, "--out", out, "--seed", str(seed)]
        for spec in given.specs:
            args += ["--data", spec]
        for name, value in (set or {}).items():
            args += ["--set", f"{name}={value}"]
        _command.run(args)
        if data is None and set is None and seed == 1:
            self._predicted = out
        return _xarray.dataset(out, PREDICTIVE)

    def loo(self) -> dict[str, Any]:
        """Leave-one-out cross-validation, as `sgppl loo --json` prints it. The log likelihoods
        are kept in the run, where they are the group log_likelihood."""
        keep = [] if "log_likelihood" in self.groups else ["--save"]
        return json.loads(_command.run(["loo", self.directory, "--json", *keep]))

    @property
    def groups(self) -> list[str]:
        """The groups that the run has stored: posterior, sample_stats, and others."""
        return Store(self._store()).groups()

    def to_xarray(self, group: str = "posterior") -> "xarray.Dataset":
        """A group as a dataset of xarray: posterior, sample_stats, log_likelihood, observed_data,
        or posterior_predictive. Axes have the names of the model's dims, and coordinates the
        names of their entries. Of a run that is not complete it has the whole draws alone."""
        if group == PREDICTIVE:
            return _xarray.dataset(self._predicted, group) if self._predicted else self.predict()
        if group not in self.groups:
            more = "; fit.loo() stores it, or sample(…, log_lik=True)" \
                if group in ("log_likelihood", "observed_data") else ""
            raise KeyError(f"the run has no group {group}; it has {', '.join(self.groups)}{more}")
        return _xarray.dataset(self._store(), group)

    def to_datatree(self, predictive: bool = False) -> "xarray.DataTree":
        """All groups as a DataTree of xarray, with predictive also posterior_predictive."""
        return _xarray.datatree(self._datasets(predictive))

    def to_inferencedata(self, predictive: bool = False) -> "arviz.InferenceData":
        """All groups as ArviZ has them, with predictive also posterior_predictive."""
        return _xarray.inferencedata(self._datasets(predictive))

    def _datasets(self, predictive: bool) -> dict[str, "xarray.Dataset"]:
        names = self.groups + ([PREDICTIVE] if predictive else [])
        return {name: self.to_xarray(name) for name in names}

    def _store(self) -> str:
        """The store of draws. Of a run that is not complete it is a copy of the whole draws."""
        if self._whole is None:
            with open(os.path.join(self.directory, "run.json"), encoding="utf-8") as f:
                done = json.load(f).get("status") == "done"
            self._whole = os.path.join(self.directory, "draws.zarr")
            if not done:
                out = os.path.join(tempfile.mkdtemp(prefix="sgppl-"), "draws.zarr")
                _command.run(["export", self.directory, "--to", "zarr", "--out", out])
                self._whole = out
        return self._whole

    def _inputs(self) -> dict[str, str]:
        from ._model import inputs_of

        return inputs_of(os.path.join(self.directory, "model.sg"), None)

    def __repr__(self) -> str:
        return f"Fit({self.directory!r}): {self.verdict}"
