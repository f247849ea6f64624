//go:build slow

package python

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl"
)

// most is the size of a wheel of nutpie, a sampler for Stan and PyMC from Python.
const most = 10_600_000

// TestWheel: a wheel with the command of this machine is smaller than a rival's, has what the
// format asks for, and is installed from its file; then models are sampled with nothing else.
func TestWheel(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the wheel of Linux is tested")
	}
	python := wheelsPython(t)
	work := t.TempDir()
	binary := filepath.Join(work, "sgppl")
	// As releases are built, but for -trimpath, with which everything would be compiled once more.
	c := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", binary,
		"../../cmd/sgppl")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	do(t, c)
	wheel := wheels(t, python, work, binary)[0]
	info, err := os.Stat(wheel)
	if err != nil || info.Size() >= most {
		t.Errorf("%v: the wheel has %d bytes", err, info.Size())
	}
	t.Logf("%s: %d bytes", filepath.Base(wheel), info.Size())
	checkWheel(t, wheel)
	site := install(t, python, wheel, work)
	bare := slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "SGPPL=") || strings.HasPrefix(s, "PYTHONPATH=")
	})
	env := append(bare, "PYTHONPATH="+site, "XDG_CACHE_HOME="+filepath.Join(work, "cache"))
	for i := range 2 {
		c := exec.Command(python, "-c", firstDraw)
		c.Env, c.Dir = env, work
		var took struct{ Wall, CPU float64 }
		if err := json.Unmarshal(do(t, c), &took); err != nil {
			t.Fatal(err)
		}
		t.Logf("from import to the first fit: %.2f s, of which the processors worked %.2f s",
			took.Wall, took.CPU)
		// Other tests take the processors meanwhile: their time says what a free machine does.
		// The first call unpacks the command.
		if limit := []float64{3, 1}[i]; took.CPU > limit {
			t.Errorf("call %d: %.2f s of processor time, more than %v s", i, took.CPU, limit)
		}
	}
	script := filepath.Join(site, "bin", "sgppl")
	for _, args := range [][]string{{python, "-m", "sgppl", "version"}, {script, "version"}} {
		if _, err := os.Stat(args[0]); err != nil && len(args) == 2 {
			continue // unpacked without pip, which writes scripts
		}
		c := exec.Command(args[0], args[1:]...)
		c.Env, c.Dir = env, work // and not in the sources of the package
		if out := do(t, c); !strings.HasPrefix(string(out), "sgppl "+sgppl.Version+"\n") {
			t.Errorf("%v: %s", args, out)
		}
	}
}

// firstDraw prints the seconds from the import of the package to the first fit.
const firstDraw = `
import time
start = time.perf_counter()
import sgppl
fit = sgppl.Model("param mu : real ~ normal(0, 5)\n").sample(engine="vm", seed=1)
wall = time.perf_counter() - start
import json, os
t = os.times()
assert len(fit.draws()["mu"]) == 4000
print(json.dumps({"wall": wall, "cpu": t.user + t.system + t.children_user + t.children_system}))
`

// install installs a wheel from its file by pip, or by unpacking it where there is no pip.
func install(t *testing.T, python, wheel, work string) string {
	t.Helper()
	site := filepath.Join(work, "site")
	if exec.Command(python, "-m", "pip", "--version").Run() == nil {
		do(t, exec.Command(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
			"--no-index", "--no-deps", "--target", site, wheel))
		return site
	}
	do(t, exec.Command(python, "-m", "zipfile", "-e", wheel, site))
	return site
}
