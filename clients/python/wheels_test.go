package python

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sgppl/sgppl"
)

// tool writes wheels.
const tool = "../../packaging/wheels.py"

// wheelsPython returns an interpreter that can build wheels, which takes the package tomllib.
func wheelsPython(t *testing.T) string {
	t.Helper()
	for _, python := range pythons(t) {
		if exec.Command(python, "-c", "import tomllib, lzma").Run() == nil {
			return python
		}
	}
	t.Skip("no Python 3.11")
	return ""
}

// wheels writes the wheels of binaries, and returns the files that the program says it wrote.
func wheels(t *testing.T, python, dir string, binaries ...string) []string {
	t.Helper()
	args := append([]string{"-B", tool, dir}, binaries...)
	out := do(t, exec.Command(python, args...))
	return strings.Fields(string(out))
}

// checkWheel holds a wheel against the format (packaging.python.org, binary distribution format):
// RECORD has every file with its digest and size, and the tags are those of the name.
func checkWheel(t *testing.T, path string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if f.Method != zip.Store && f.Method != zip.Deflate {
			t.Errorf("%s is compressed by method %d, which installers need not know", f.Name, f.Method)
		}
	}
	parts := strings.Split(strings.TrimSuffix(filepath.Base(path), ".whl"), "-")
	version := strings.Replace(sgppl.Version, "-dev", ".dev0", 1)
	if len(parts) != 5 || !slices.Equal(parts[:4], []string{"sgppl", version, "py3", "none"}) {
		t.Fatalf("%q", parts)
	}
	info := "sgppl-" + version + ".dist-info/"
	records, err := csv.NewReader(bytes.NewReader(files[info+"RECORD"])).ReadAll()
	if err != nil || len(records) != len(files) {
		t.Errorf("RECORD has %d lines for %d files: %v", len(records), len(files), err)
	}
	for _, r := range records {
		text, is := files[r[0]]
		sum := sha256.Sum256(text)
		want := []string{r[0], "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]),
			strconv.Itoa(len(text))}
		if r[0] == info+"RECORD" {
			want = []string{r[0], "", ""}
		}
		if !is || !slices.Equal(r, want) {
			t.Errorf("%q is not %q", r, want)
		}
	}
	for _, tag := range strings.Split(parts[4], ".") {
		if !bytes.Contains(files[info+"WHEEL"], []byte("\nTag: py3-none-"+tag+"\n")) {
			t.Errorf("WHEEL lacks %s:\n%s", tag, files[info+"WHEEL"])
		}
	}
	for file, text := range map[string]string{
		"WHEEL": "Root-Is-Purelib: false\n", "METADATA": "\nName: sgppl\nVersion: " + version + "\n",
		"entry_points.txt": "[console_scripts]\nsgppl = sgppl.__main__:main\n",
	} {
		if !bytes.Contains(files[info+file], []byte(text)) {
			t.Errorf("%s lacks %q:\n%s", file, text, files[info+file])
		}
	}
	if !bytes.Contains(files["sgppl/__init__.py"], []byte("__version__ = \""+version+"\"\n")) {
		t.Errorf("sgppl.__version__ is not %s", version)
	}
}

// TestWheelsOfPlatforms: a program's header says which wheel it is for, the same program gives
// the same bytes, and what cannot be promised is refused.
func TestWheelsOfPlatforms(t *testing.T) {
	python := wheelsPython(t)
	config, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil || !bytes.Contains(config, []byte("goos: [linux, darwin, windows]\n"+
		"    goarch: [amd64, arm64]\n")) {
		t.Fatalf("releases are for other systems than these wheels: %v", err)
	}
	work := t.TempDir()
	place := func(name string, text []byte) string {
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := map[string][]byte{
		"manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64":    elf(62, 1, 1),
		"manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64": elf(183, 1, 1),
		"macosx_12_0_x86_64": header("\xcf\xfa\xed\xfe", 4, 0x01000007),
		"macosx_12_0_arm64":  header("\xcf\xfa\xed\xfe", 4, 0x0100000c),
		"win_amd64":          pe(0x8664), "win_arm64": pe(0xaa64),
	}
	for tags, text := range want {
		binary := place("program", text)
		first := wheels(t, python, filepath.Join(work, "a"), binary)[0]
		second := wheels(t, python, filepath.Join(work, "b"), binary)[0]
		if !strings.HasSuffix(first, "-py3-none-"+tags+".whl") {
			t.Errorf("%s is not for %s", first, tags)
		}
		checkWheel(t, first)
		a, err := os.ReadFile(first)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(second); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: the second wheel differs: %v", tags, err)
		}
	}
	for said, text := range map[string][]byte{
		"not static": elf(62, 3, 1), "has its symbols": elf(62, 1, 2), "the machine 0x3": elf(3, 1, 1),
		"no program": []byte("#!/bin/sh\n"),
	} {
		c := exec.Command(python, "-B", tool, work, place("program", text))
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), said) {
			t.Errorf("%s: %v %s", said, err, out)
		}
	}
}

// elf is the header of a program of Linux with a segment and a section of these kinds.
func elf(machine, segment, section byte) []byte {
	b := make([]byte, 64+56+64)
	copy(b, "\x7fELF\x02\x01\x01")
	b[18] = machine
	binary.LittleEndian.PutUint64(b[32:], 64)
	binary.LittleEndian.PutUint64(b[40:], 64+56)
	b[54], b[56], b[58], b[60] = 56, 1, 64, 1
	b[64], b[64+56+4] = segment, section
	return b
}

// header is a magic number with a machine at an offset.
func header(magic string, at int, machine uint32) []byte {
	b := make([]byte, 64)
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[at:], machine)
	return b
}

// pe is the header of a program of Windows.
func pe(machine uint32) []byte {
	b := make([]byte, 128)
	copy(b, "MZ")
	b[0x3c] = 64
	copy(b[64:], "PE\x00\x00")
	binary.LittleEndian.PutUint16(b[68:], uint16(machine))
	return b
}
