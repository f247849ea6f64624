"""Groups of a run's store as datasets of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from ._store import Store

if TYPE_CHECKING:
    import arviz
    import xarray

NO_XARRAY = "xarray is not installed; fit.draws() has the draws without it"


def dataset(directory: str, group: str) -> "xarray.Dataset":
    """A group of a store: read as it is needed where the package zarr is installed, and at once by
    this package's own reader otherwise. The numbers are the same."""
    try:
        import xarray
    except ImportError as e:
        raise ImportError(NO_XARRAY) from e
    store = Store(directory)
    try:
        import zarr  # noqa: F401
    except ImportError:
        return at_once(store, group)
    read = xarray.open_zarr(directory, group=group, consolidated=True)
    return read[[n for n in store.arrays(group) if n in read.data_vars]]


def at_once(store: Store, group: str) -> "xarray.Dataset":
    """A group by this package's reader."""
    import xarray

    arrays: dict[str, Any] = {}
    coords: dict[str, Any] = {}
    for name in store.arrays(group):
        key = f"{group}/{name}"
        dims = store.dims(key)
        attrs = {k: v for k, v in store.attrs(key).items() if k != "_ARRAY_DIMENSIONS"}
        to = coords if dims == (name,) else arrays
        to[name] = (dims, store.read(key), attrs)
    return xarray.Dataset(arrays, coords, store.attrs(group))


def has_trees() -> bool:
    """Whether xarray is there and has trees."""
    try:
        import xarray
    except ImportError:
        return False
    return hasattr(xarray, "DataTree")


def datatree(groups: Mapping[str, "xarray.Dataset"]) -> "xarray.DataTree":
    """A tree with a node for each group."""
    import xarray

    if not has_trees():
        raise ImportError(f"xarray {xarray.__version__} has no DataTree; 2024.10 and later do. "
                          "fit.to_xarray(group) has a group alone")
    return xarray.DataTree.from_dict(dict(groups))


def inferencedata(groups: Mapping[str, "xarray.Dataset"]) -> "arviz.InferenceData":
    """ArviZ's container of groups: InferenceData, or a tree in versions that use trees."""
    try:
        import arviz
    except ImportError as e:
        raise ImportError("arviz is not installed; fit.to_xarray() needs xarray alone") from e
    if not hasattr(arviz, "InferenceData"):
        return datatree(groups)
    return arviz.InferenceData(**groups)
