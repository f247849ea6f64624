package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/run"
)

const curvedModel = `dim N, P
data x[N] : real[P]
data y[N] : bool
param a : real ~ normal(0, 3)
param u : sphere[P] ~ uniform_sphere()
for n in N { y[n] ~ bernoulli_logit(a + 2 * (x[n] @ u)) }
`

// curvedBench is a directory with a model of a direction and so many rows.
func curvedBench(t *testing.T, n int) (at func(name string) string) {
	t.Helper()
	at = manyBench(t, 1)
	write(t, at("u.sg"), curvedModel)
	write(t, at("axis.sg"), strings.Replace(curvedModel, "a + 2 * (x[n] @ u)", "a + 2 * (x[n] @ u) ^ 2", 1))
	src := rand.New(rand.NewPCG(7, 2))
	var b, c strings.Builder
	for _, b := range []*strings.Builder{&b, &c} {
		b.WriteString("x[0],x[1],x[2],y\n")
	}
	for range n {
		x := []float64{src.NormFloat64(), src.NormFloat64(), src.NormFloat64()}
		along := 0.6*x[0] - 0.8*x[2]
		for k, eta := range []float64{0.5 + 2*along, 0.5 + 2*along*along} {
			fmt.Fprintf([]*strings.Builder{&b, &c}[k], "%.4f,%.4f,%.4f,%d\n", x[0], x[1], x[2], map[bool]int{true: 1}[src.Float64() < 1/(1+math.Exp(-eta))])
		}
	}
	write(t, at("u.csv"), b.String())
	write(t, at("axis.csv"), c.String())
	return at
}

// TestManyRowsCurved: a model with a direction is sampled by minibatches with an anchor
// without settings. A process that is killed in a round, and one that is interrupted in
// the set-up, go on to the draws of one that was not; a posterior of an axis, which has two
// modes, takes full passes by gmc.
func TestManyRowsCurved(t *testing.T) {
	at := curvedBench(t, 4000)
	base := []string{"--data", at("u.csv"), "--engine", "vm", "--draws", "900", "--chains", "2", "--checkpoint", "0.02"}
	status, _, stderr := inProcess(t, "", append([]string{"sample", at("u.sg"), "--out", at("whole"), "--threads", "1"}, base...)...)
	if status != 0 || !strings.Contains(stderr, "sampler auto: minibatches with an anchor (4000 rows of N; gmc would take about ") {
		t.Fatal(status, stderr)
	}
	r := readRun(t, at("whole"))
	if p := r.Tuning; !p.Minibatches || p.Dim != 3 || p.FullPasses != "gmc" || r.Settings.Sampler != "geodesic_sghmc" || r.Settings.Anchor != "mode" {
		t.Errorf("recorded: %+v, %+v", p, r.Settings)
	}
	want := contents(t, at("whole"))
	cmd := program(t, t.TempDir(), append([]string{"sample", at("u.sg"), "--out", at("round"), "--progress", "none", "--threads", "3"}, base...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if _, err := os.Lstat(at("round/chain-1.ckpt")); err == nil {
			break
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if r := readRun(t, at("round")); r.Status != run.Running {
		t.Error("it was not killed in time")
	}
	e, _ := interruptedEnv(append([]string{"sample", at("u.sg"), "--out", at("setup"), "--progress", "none"}, base...))
	if status := execute(e); status != exitInterrupted {
		t.Errorf("interrupted in the set-up: status %d", status)
	}
	for _, name := range []string{"round", "setup"} {
		if status, _, stderr := inProcess(t, "", "sample", "--resume", at(name), "--progress", "none", "--threads", "2"); status != 0 {
			t.Fatal(name, stderr)
		}
		if got := contents(t, at(name)); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped in the %s the run has other draws", name)
		}
	}
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"u.sg --data u.csv --dry", 0, "metric dense; anchor at the mode"},
		{"u.sg --data u.csv --sampler geodesic_sghmc --anchor mode --dry", 0, "sampler geodesic_sghmc: minibatches with an anchor (4000 rows of N)"},
		{"u.sg --data u.csv --sampler geodesic_sghmc --anchor mean --dry", 0, "anchor at the mean"},
		{"u.sg --data u.csv --sampler sghmc --anchor mode", 2, "--sampler sghmc: a block is on a curved space; --sampler geodesic_sghmc has anchors there"},
		{"axis.sg --data axis.csv --dry", 0, "sampler gmc on all 4000 rows of N, 1000 draws of each chain: "},
	} {
		args := []string{"sample", "--engine", "vm", "--progress", "none", "--out", at("other")}
		for _, a := range strings.Fields(c.args) {
			if strings.Contains(a, ".") {
				a = at(a)
			}
			args = append(args, a)
		}
		if status, stdout, stderr := inProcess(t, "", args...); status != c.status || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: status %d, %q is expected in\n%s%s", c.args, status, c.says, stdout, stderr)
		}
	}
}
