"""Writes wheels of clients/python, each with the command of a platform inside.

    python3 packaging/wheels.py DIR BINARY...

A binary is a static, stripped program as releases have it; what it was built for is read from its
header. The command is packed by xz, which makes a wheel a quarter smaller than deflate does; the
package unpacks it at its first call. The same files give the same bytes. Python 3.11 is needed, and
no network.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import lzma
import os
import struct
import sys
import tomllib
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLIENT = os.path.join(ROOT, "clients", "python")

# The tags of each platform. A static program runs with any C library; Go 1.26 asks for macOS 12.
TAGS = {
    ("linux", "amd64"): ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
    ("linux", "arm64"): ["manylinux_2_17_aarch64", "manylinux2014_aarch64",
                         "musllinux_1_1_aarch64"],
    ("darwin", "amd64"): ["macosx_12_0_x86_64"],
    ("darwin", "arm64"): ["macosx_12_0_arm64"],
    ("windows", "amd64"): ["win_amd64"],
    ("windows", "arm64"): ["win_arm64"],
}


def platform(binary: bytes) -> tuple[str, str]:
    """What a program was built for, by its header: the formats ELF, Mach-O and PE."""
    if binary[:6] == b"\x7fELF\x02\x01":
        machine = struct.unpack_from("<H", binary, 18)[0]
        checked_elf(binary)
        return "linux", named({62: "amd64", 183: "arm64"}, machine)
    if binary[:4] == b"\xcf\xfa\xed\xfe":
        machine = struct.unpack_from("<I", binary, 4)[0]
        return "darwin", named({0x01000007: "amd64", 0x0100000C: "arm64"}, machine)
    if binary[:2] == b"MZ":
        at = struct.unpack_from("<I", binary, 0x3C)[0]
        if binary[at:at + 4] == b"PE\0\0":
            machine = struct.unpack_from("<H", binary, at + 4)[0]
            return "windows", named({0x8664: "amd64", 0xAA64: "arm64"}, machine)
    raise ValueError("is no program of Linux, macOS or Windows with 64 bits")


def named(names: dict[int, str], machine: int) -> str:
    if machine not in names:
        raise ValueError(f"is for the machine {machine:#x}; there are wheels for amd64 and arm64")
    return names[machine]


def checked_elf(binary: bytes) -> None:
    """Refuses a program that asks for a dynamic linker, or that has its symbols."""
    programs, sections = struct.unpack_from("<QQ", binary, 32)
    size, count, width, length = struct.unpack_from("<HHHH", binary, 54)
    for i in range(count):
        if struct.unpack_from("<I", binary, programs + i * size)[0] == 3:  # PT_INTERP
            raise ValueError("is not static; build it with CGO_ENABLED=0")
    for i in range(length):
        if struct.unpack_from("<I", binary, sections + i * width + 4)[0] == 2:  # SHT_SYMTAB
            raise ValueError('has its symbols; build it with -ldflags "-s -w"')


def packed(binary: bytes, machine: str) -> bytes:
    """A program by xz. Jumps of amd64 become absolute before, which repeat more often; words of
    arm64 are aligned to four bytes."""
    size = max(1 << 16, 1 << (len(binary) - 1).bit_length())
    last = {"id": lzma.FILTER_LZMA2, "preset": 6,
            "dict_size": min(size, 1 << 26)}
    if machine == "amd64":
        filters = [{"id": lzma.FILTER_X86}, last]
    else:
        filters = [{**last, "lc": 2, "lp": 2, "pb": 2}]
    return lzma.compress(binary, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC64, filters=filters)


def metadata(project: dict, readme: str) -> str:
    """METADATA, of version 2.1 of the core metadata."""
    lines = [
        "Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
        f"Summary: {project['description']}", f"License: {project['license']['text']}",
        "License-File: LICENSE", f"Requires-Python: {project['requires-python']}",
    ]
    for extra, needs in sorted(project.get("optional-dependencies", {}).items()):
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {need}; extra == "{extra}"' for need in needs]
    return "\n".join(lines + ["Description-Content-Type: text/markdown", "", readme])


def contents(binary: bytes, system: str, machine: str, tags: list[str]) -> dict[str, bytes]:
    """The files of a wheel but for RECORD."""
    with open(os.path.join(CLIENT, "pyproject.toml"), "rb") as f:
        project = tomllib.load(f)["project"]
    files: dict[str, bytes] = {}
    package = os.path.join(CLIENT, "sgppl")
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".typed")):
            files[f"sgppl/{name}"] = read(os.path.join(package, name))
    command = "sgppl/bin/sgppl.exe.xz" if system == "windows" else "sgppl/bin/sgppl.xz"
    files[command] = packed(binary, machine)
    files[command + ".sha256"] = hashlib.sha256(binary).hexdigest().encode() + b"\n"
    info = f"sgppl-{project['version']}.dist-info/"
    readme = read(os.path.join(CLIENT, project["readme"])).decode()
    wheel = ["Wheel-Version: 1.0", "Generator: sgppl packaging/wheels.py", "Root-Is-Purelib: false"]
    files[info + "LICENSE"] = read(os.path.join(ROOT, "LICENSE"))
    files[info + "METADATA"] = metadata(project, readme).encode()
    files[info + "WHEEL"] = "\n".join(wheel + [f"Tag: py3-none-{t}" for t in tags] + [""]).encode()
    scripts = "".join(f"{k} = {v}\n" for k, v in project["scripts"].items())
    files[info + "entry_points.txt"] = f"[console_scripts]\n{scripts}".encode()
    return files


def read(path: str) -> bytes:
    with open(path, "rb") as f:
        return f.read()


def record(files: dict[str, bytes], own: str) -> bytes:
    """RECORD: each file with its digest and size, and itself without."""
    out = io.StringIO()
    w = csv.writer(out, lineterminator="\n")
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        w.writerow([name, "sha256=" + digest, len(text)])
    w.writerow([own, "", ""])
    return out.getvalue().encode()


def wheel(binary: bytes, directory: str) -> str:
    """Writes the wheel of a program, and returns its path."""
    system, machine = platform(binary)
    tags = TAGS[system, machine]
    files = contents(binary, system, machine, tags)
    info = next(name for name in files if name.endswith(".dist-info/WHEEL"))[:-len("WHEEL")]
    files[info + "RECORD"] = record(files, info + "RECORD")
    name = f"{info[:-len('.dist-info/')]}-py3-none-{'.'.join(tags)}.whl"
    path = os.path.join(directory, name)
    with zipfile.ZipFile(path + ".part", "w") as z:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            # What xz has packed does not become smaller.
            kind = zipfile.ZIP_STORED if name.endswith(".xz") else zipfile.ZIP_DEFLATED
            z.writestr(entry, text, kind, 9)
    os.replace(path + ".part", path)
    return path


def main(args: list[str]) -> int:
    if len(args) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    os.makedirs(args[0], exist_ok=True)
    for path in args[1:]:
        try:
            print(wheel(read(path), args[0]))
        except (OSError, ValueError) as e:
            print(f"wheels: {path}: {e}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
