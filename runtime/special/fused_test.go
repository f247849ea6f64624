//go:build slow

package special

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestNothingFused compiles the numeric packages for arm64, where the compiler
// fuses x*y + z unless a conversion forbids it, and looks for what it fused.
// Products that are exact anyway carry the conversion too, so that any hit is
// a mistake. Products of matrices are fused on every machine, by math.FMA.
func TestNothingFused(t *testing.T) {
	fused := regexp.MustCompile(`(?m)^.*\tFN?M(ADD|SUB)[DS]\b.*$`)
	meant := regexp.MustCompile(`/fma(_arm64)?\.go:\d+\)`) // the products of package kernel
	for _, pkg := range []string{"special", "kernel", "rng", "manifold", "flow"} {
		cmd := exec.Command("go", "build", "-gcflags=-S", "../"+pkg)
		cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", pkg, err, out)
		}
		if !regexp.MustCompile(`\tFMULD\b`).Match(out) {
			t.Fatalf("%s: no listing", pkg)
		}
		for _, line := range fused.FindAll(out, -1) {
			if !meant.Match(line) {
				t.Errorf("%s", line)
			}
		}
	}
}
