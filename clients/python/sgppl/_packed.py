"""The command that a wheel carries: packed, and unpacked where it is first needed."""

from __future__ import annotations

import lzma
import os
import sys
import tempfile
from typing import Optional

NAME = "sgppl.exe" if sys.platform == "win32" else "sgppl"
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")


def caches() -> list[str]:
    """Directories for what can be made again, the best first."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        user = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        user = os.path.join(home, "Library", "Caches")
    else:
        user = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return [os.path.join(user, "sgppl"), os.path.join(tempfile.gettempdir(), f"sgppl-{owner()}")]


def owner() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def unpacked() -> Optional[str]:
    """The path of the command of this package; None where it carries none. The first call writes
    it into a cache, in a directory that is named by its digest."""
    packed = os.path.join(HERE, NAME + ".xz")
    try:
        with open(packed + ".sha256", encoding="ascii") as f:
            digest = f.read().strip()
    except OSError:
        return None
    problem: Optional[OSError] = None
    for cache in caches():
        path = os.path.join(cache, "bin", digest[:16], NAME)
        try:
            os.makedirs(cache, mode=0o700, exist_ok=True)
            if not ours(cache):
                continue
            if not os.path.exists(path):
                unpack(packed, path)
            return path
        except OSError as e:
            problem = e
    raise OSError(f"the command cannot be unpacked: {problem}") from problem


def ours(path: str) -> bool:
    """Whether nobody else can have put what is in a directory there."""
    return not hasattr(os, "getuid") or os.stat(path).st_uid in (os.getuid(), 0)


def unpack(packed: str, path: str) -> None:
    """Writes the command to path, whole or not at all."""
    directory = os.path.dirname(path)
    os.makedirs(directory, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=directory)
    try:
        with open(handle, "wb") as to, lzma.open(packed) as source:
            while block := source.read(1 << 20):
                to.write(block)
        os.chmod(part, 0o755)
        os.replace(part, path)
    except BaseException:
        try:
            os.remove(part)
        except OSError:
            pass
        raise
