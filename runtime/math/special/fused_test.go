//go:build slow

package special

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestNothingFused compiles the packages of the runtime for arm64, where the compiler
// fuses x*y + z unless a conversion forbids it, and looks for what it fused.
// Products that are exact anyway carry the conversion too, so that any hit is
// a mistake. Products of matrices are fused on every machine, by math.FMA.
func TestNothingFused(t *testing.T) {
	fused := regexp.MustCompile(`(?m)^.*\tFN?M(ADD|SUB)[DS]\b.*$`)
	meant := regexp.MustCompile(`/fma(_arm64)?\.go:\d+\)`) // the products of package kernel
	directories, err := filepath.Glob("../../*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for i := range directories {
		directories[i] = filepath.Dir(directories[i])
	}
	multiplied := 0
	for _, pkg := range slices.Compact(directories) {
		cmd := exec.Command("go", "build", "-gcflags=-S", pkg)
		cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", pkg, err, out)
		}
		if bytes.Contains(out, []byte("\tFMULD\t")) {
			multiplied++
		}
		for _, line := range fused.FindAll(out, -1) {
			if !meant.Match(line) {
				t.Errorf("%s", line)
			}
		}
	}
	if multiplied < 10 {
		t.Errorf("%d packages multiply: were there listings?", multiplied)
	}
}
