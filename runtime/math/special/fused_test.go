//go:build slow

package special

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestNothingFused compiles the packages of the runtime, and the engine in process, for
// arm64, where the compiler fuses x*y + z unless a conversion forbids it, and looks for
// what it fused. Products that are exact anyway carry the conversion too, so that any hit
// is a mistake. Products of matrices are fused on every machine, by math.FMA, and what is
// fused in single precision is in files of that name.
func TestNothingFused(t *testing.T) {
	fused := regexp.MustCompile(`(?m)^.*\tFN?M(ADD|SUB)[DS]\b.*$`)
	meant := regexp.MustCompile(`/fma(32)?(_arm64)?\.go:\d+\)`)
	cmd := exec.Command("go", "build", "-gcflags=-S", "./runtime/...", "./internal/vm")
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, line := range fused.FindAll(out, -1) {
		if !meant.Match(line) {
			t.Errorf("%s", line)
		}
	}
	if n := bytes.Count(out, []byte("\tFMULD\t")); n < 1000 {
		t.Errorf("%d products: were there listings?", n)
	}
}
