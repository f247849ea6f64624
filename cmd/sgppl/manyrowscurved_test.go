package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
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
	write(t, at("axis.sg"), strings.Replace(curvedModel, "a + 2 * (x[n] @ u)",
		"a + 2 * (x[n] @ u) ^ 2", 1))
	src := rand.New(rand.NewPCG(7, 2))
	var b, c strings.Builder
	for _, b := range []*strings.Builder{&b, &c} {
		b.WriteString("x[0],x[1],x[2],y\n")
	}
	for range n {
		x := []float64{src.NormFloat64(), src.NormFloat64(), src.NormFloat64()}
		along := 0.6*x[0] - 0.8*x[2]
		for k, eta := range []float64{0.5 + 2*along, 0.5 + 2*along*along} {
			fmt.Fprintf([]*strings.Builder{&b, &c}[k], "%.4f,%.4f,%.4f,%d\n", x[0], x[1], x[2],
				map[bool]int{true: 1}[src.Float64() < 1/(1+math.Exp(-eta))])
		}
	}
	write(t, at("u.csv"), b.String())
	write(t, at("axis.csv"), c.String())
	return at
}

// A sampleCase is the arguments of a command with the status that it ends with and words
// of what it prints.
type sampleCase struct {
	args   string
	status int
	says   string
}

// sampleCases runs sample with each of the arguments. Models and tables are files of the
// test's directory.
func sampleCases(t *testing.T, at func(name string) string, cases []sampleCase) {
	t.Helper()
	for _, c := range cases {
		args := []string{"sample", "--engine", "vm", "--progress", "none", "--out", at("other"),
			"--force"}
		for _, a := range strings.Fields(c.args) {
			if strings.HasSuffix(a, ".sg") || strings.HasSuffix(a, ".csv") {
				a = at(a)
			}
			args = append(args, a)
		}
		status, stdout, stderr := inProcess(t, "", args...)
		if status != c.status || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: status %d, %q is expected in\n%s%s", c.args, status, c.says, stdout, stderr)
		}
	}
}

// TestManyRowsCurved: a model with a direction is sampled by minibatches with an anchor
// without settings. A process that is killed in a round, and one that is interrupted in
// the set-up, go on to the draws of one that was not; a posterior of an axis, which has two
// modes, takes full passes by gmc.
func TestManyRowsCurved(t *testing.T) {
	at := curvedBench(t, 4000)
	base := []string{"--data", at("u.csv"), "--engine", "vm", "--draws", "900", "--chains", "2",
		"--checkpoint", "0.5"}
	status, _, stderr := inProcess(t, "",
		append([]string{"sample", at("u.sg"), "--out", at("whole"), "--threads", "1"}, base...)...)
	if status != 0 || !strings.Contains(stderr,
		"sampler auto: minibatches with an anchor (4000 rows of N; gmc would take about ") {
		t.Fatal(status, stderr)
	}
	r := readRun(t, at("whole"))
	if p := r.Tuning; !p.Minibatches || p.Dim != 3 || p.FullPasses != "gmc" ||
		r.Settings.Sampler != "geodesic_sghmc" || r.Settings.Anchor != "mode" {
		t.Errorf("recorded: %+v, %+v", p, r.Settings)
	}
	want := contents(t, at("whole"))
	round := append([]string{"sample", at("u.sg"), "--out", at("round"), "--progress", "none",
		"--threads", "3"}, base...)
	dies(t, at(""), killedAt("chain-1.ckpt", 1), strings.Join(round, " "))
	e, _ := interruptedEnv(append([]string{"sample", at("u.sg"), "--out", at("setup"), "--progress",
		"none"}, base...))
	if status := execute(e); status != session.ExitInterrupted {
		t.Errorf("interrupted in the set-up: status %d", status)
	}
	for _, name := range []string{"round", "setup"} {
		if status, _, stderr := inProcess(t, "", "sample", "--resume", at(name), "--progress",
			"none", "--threads", "2"); status != 0 {
			t.Fatal(name, stderr)
		}
		if got := contents(t, at(name)); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped in the %s the run has other draws", name)
		}
	}
	if status, _, stderr := inProcess(t, "",
		append([]string{"sample", at("u.sg"), "--stream", "--out", at("streamed"), "--progress",
			"none"}, base...)...); status != 0 {
		t.Fatal(stderr)
	}
	if got := contents(t, at("streamed")); !reflect.DeepEqual(got, want) {
		t.Error("the draws of a stream are others")
	}
	sampleCases(t, at, []sampleCase{
		{"u.sg --data u.csv --dry", 0, "metric dense; anchor at the mode"},
		{"u.sg --data u.csv --sampler geodesic_sghmc --anchor mode --dry", 0,
			"sampler geodesic_sghmc: minibatches with an anchor (4000 rows of N)"},
		{"u.sg --data u.csv --sampler geodesic_sghmc --anchor mean --dry", 0, "anchor at the mean"},
		{"u.sg --data u.csv --sampler sghmc --anchor mode", 2,
			"--sampler sghmc: a block is on a curved space; --sampler geodesic_sghmc has anchors there"},
		{"axis.sg --data axis.csv --dry", 0,
			"sampler gmc on all 4000 rows of N, 1000 draws of each chain: "},
	})
}

// TestManyRowsThermostats: thermostats take an anchor by hand, with rows by size or in
// passes, on a sphere too. They find their step and the size of their minibatches; a run
// that is interrupted goes on to the draws of one that was not. What has no anchor says so.
func TestManyRowsThermostats(t *testing.T) {
	at := curvedBench(t, 2500)
	write(t, at("local.sg"), "dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n"+
		"for n in N {\n  local z : real ~ normal(m, 1) by gmc\n"+
		"  y[n] ~ student_t(3, exp(z), 1)\n}\n")
	write(t, at("local.csv"), "y\n"+strings.Repeat("1.5\n0.2\n", 1100))
	whole := []string{"--data", at("u.csv"), "--engine", "vm", "--sampler", "geodesic_sgnht",
		"--anchor", "mode", "--warmup", "300", "--draws", "300", "--thin", "4", "--chains", "2"}
	status, _, stderr := inProcess(t, "",
		append([]string{"sample", at("u.sg"), "--out", at("whole")}, whole...)...)
	if status != 0 || !strings.Contains(stderr,
		"sampler geodesic_sgnht: minibatches with an anchor (2500 rows of N)") ||
		!strings.Contains(stderr, " by size") {
		t.Fatal(status, stderr)
	}
	r := readRun(t, at("whole"))
	if c := &r.Settings; !r.Whitened() || c.Sampler != "geodesic_sgnht" || c.Batch < 8 ||
		c.Batch > 500 || c.BatchOrder != "size" || c.Anchor != "mode" || r.Settings.Draws != 300 {
		t.Errorf("recorded: %+v, %+v", c, r.Tuning)
	}
	e, _ := interruptedEnv(append([]string{"sample", at("u.sg"), "--out", at("stopped"),
		"--progress", "none"}, whole...))
	if status := execute(e); status != session.ExitInterrupted {
		t.Errorf("interrupted: status %d", status)
	}
	killed := append([]string{"sample", at("u.sg"), "--out", at("killed"), "--progress", "none",
		"--checkpoint", "0.5"}, whole...)
	dies(t, at(""), killedAt("chain-1.ckpt", 2), strings.Join(killed, " "))
	want := contents(t, at("whole"))
	for _, name := range []string{"stopped", "killed"} {
		if status, _, stderr := inProcess(t, "", "verify", at(name)); status != 0 {
			t.Errorf("%s: %s", name, stderr)
		}
		if status, _, stderr := inProcess(t, "", "sample", "--resume", at(name), "--progress",
			"none"); status != 0 {
			t.Fatal(name, stderr)
		}
		if got := contents(t, at(name)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the run has other draws", name)
		}
	}
	status, stdout, _ := inProcess(t, "", "summary", at("whole"))
	for _, part := range []string{"u[2]", "xi"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("status %d: %q is not in the summary\n%s", status, part, stdout)
		}
	}
	sampleCases(t, at, []sampleCase{
		{"m.sg --data d.csv --sampler msgnht --anchor mean --batch 40 --step 0.3 --friction 1 " +
			"--warmup 50 --draws 20 --chains 1", 2, "axis N has 1"},
		{"u.sg --data u.csv --sampler msgnht --anchor mean --batch 40 --step 0.3 --friction 1 " +
			"--warmup 50 --draws 20 --chains 1", 0, "batch 40 of N by size"},
		{"u.sg --data u.csv --sampler sgnht --anchor mode --batch-order shuffle --batch 50 " +
			"--warmup 50 --draws 20 --chains 1", 0, "batch 50 of N in passes"},
		{"u.sg --data u.csv --sampler sgnht --anchor mode --metric diag", 2,
			"--anchor mode: --metric is of other ways of sampling"},
		{"u.sg --data u.csv --sampler msgnht --anchor mode --leapfrog 3", 2, "--leapfrog"},
		{"u.sg --data u.csv --sampler sgld --anchor mode", 2,
			"is for samplers on stochastic gradients with a velocity"},
		{"axis.sg --data axis.csv --sampler geodesic_sgnht --anchor mode", 4,
			"several modes; --sampler auto chooses another way"},
		{"local.sg --data local.csv --sampler sghmc --anchor mode", 2,
			"--anchor mode: chains draw latent values of rows, so the gradient of all rows at an " +
				"anchor is a mean over draws and not known"},
		{"local.sg --data local.csv --sampler msgnht --anchor mode", 2,
			"--anchor mode: chains draw latent values of rows"},
		{"local.sg --data local.csv --batch N=10 --dry", 0,
			"chains draw latent values of rows, so the gradient of all rows at an anchor is a " +
				"mean over draws and not known"},
	})
}
