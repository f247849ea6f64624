"""The command itself: python -m sgppl, and the script sgppl."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from . import _packed


def main() -> int:
    """Becomes the command with the arguments of this process, or where a process cannot become
    another, runs it and returns its status."""
    path = os.environ.get("SGPPL") or _packed.unpacked() or elsewhere()
    if not path:
        print("sgppl: error: this package carries no command, and none is on PATH", file=sys.stderr)
        return 5
    if sys.platform == "win32":
        return subprocess.call([path, *sys.argv[1:]])
    os.execv(path, [path, *sys.argv[1:]])


def elsewhere() -> str | None:
    """The command on PATH that is not the script which runs this."""
    own = os.path.realpath(sys.argv[0])
    for directory in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which("sgppl", path=directory)
        if found and os.path.realpath(found) != own:
            return found
    return None


if __name__ == "__main__":
    sys.exit(main())
