package drawhash_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/drawhash"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/source"
)

// emulator runs programs for linux/arm64.
const emulator = "qemu-aarch64-static"

// build returns a program, built in a directory for a processor.
func build(t *testing.T, dir, arch string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), arch)
	c := exec.Command("go", append(append([]string{"build", "-o", out}, args...), ".")...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=-mod=mod",
		"GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, text)
	}
	return out
}

// lines is what a program prints, with kernels of a level or, for "", the best.
func lines(t *testing.T, level string, command ...string) []string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), "SGPPL_KERNELS="+level)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestSameDrawsOnARM64: ten examples have the same draws here and on arm64, to the bit,
// with the kernels for NEON and with the portable ones; and so has a generated package.
func TestSameDrawsOnARM64(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("compares linux/amd64 with linux/arm64")
	}
	if _, err := exec.LookPath(emulator); err != nil {
		t.Skipf("%s is not installed (Debian: qemu-user-static)", emulator)
	}
	models := filepath.Join(reference.Root(t), "examples", "models")
	want := lines(t, "", build(t, "vm", "amd64"), models)
	if len(want) != len(drawhash.Cases) {
		t.Fatalf("%d lines:\n%s", len(want), strings.Join(want, "\n"))
	}
	there := build(t, "vm", "arm64")
	for _, level := range []string{"neon", "portable"} {
		got := lines(t, level, emulator, there, models)
		for i, w := range want {
			if i >= len(got) || got[i] != w {
				t.Errorf("%s: %q here and %q there", level, w, got[min(i, len(got)-1)])
			}
		}
	}
	const of = 0
	got := lines(t, "", emulator, build(t, generated(t, models, of), "arm64"),
		filepath.Join(models, drawhash.Cases[of].Model+".json"))
	if got[0] != want[of] {
		t.Errorf("the generated package: %q here and %q there", want[of], got[0])
	}
}

// generated is a module with the package of an example, and a program that prints the line
// of its case.
func generated(t *testing.T, models string, of int) string {
	t.Helper()
	name := drawhash.Cases[of].Model
	text, err := os.ReadFile(filepath.Join(models, name+".sg"))
	if err != nil {
		t.Fatal(err)
	}
	c, diags := driver.Compile(source.New(name+".sg", string(text)), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	code, err := codegen.Generate(codegen.Input{Spec: c.Spec, Programs: c.Programs})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod": "module github.com/sgppl/sgppl/generated\n\ngo 1.26\n\n" +
			"require github.com/sgppl/sgppl v0.0.0\n\nreplace github.com/sgppl/sgppl => " +
			reference.Root(t) + "\n",
		"main.go": fmt.Sprintf(program, of),
	}
	for name, text := range code {
		files["compiled/"+name] = string(text)
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// program prints the line of a case; errors end it.
const program = `package main

import (
	"fmt"
	"os"

	compiled "github.com/sgppl/sgppl/generated/compiled"
	"github.com/sgppl/sgppl/internal/drawhash"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

func main() {
	spec, code := compiled.Compiled()
	bound, _, errs := data.Bind(&spec.Schema, os.Args[1:], nil, data.Options{})
	if len(errs) > 0 {
		panic(errs[0])
	}
	m, err := model.New(spec, code, bound, nil)
	if err != nil {
		panic(err)
	}
	line, err := drawhash.Cases[%d].Line(m)
	if err != nil {
		panic(err)
	}
	fmt.Println(line)
}
`
