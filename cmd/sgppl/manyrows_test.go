package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const manyModel = `dim N, P
data x[N] : real[P]
data y[N] : bool
param w[P] : real ~ normal(0, 3)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w) }
`

var manyTruth = []float64{0.5, -1, 0.3, 0.8}

// manyRows makes n rows of a logistic regression as a csv file.
func manyRows(n int) string {
	src := rand.New(rand.NewPCG(7, 1))
	var b strings.Builder
	b.WriteString("x[0],x[1],x[2],x[3],y\n")
	for range n {
		sum := 0.0
		for _, w := range manyTruth {
			x := src.NormFloat64()
			sum += w * x
			fmt.Fprintf(&b, "%.4f,", x)
		}
		fmt.Fprintf(&b, "%d\n", map[bool]int{true: 1}[src.Float64() < 1/(1+math.Exp(-sum))])
	}
	return b.String()
}

// manyBench is a directory with the model and so many rows.
func manyBench(t *testing.T, rows int) (at func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	at = func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), manyModel)
	write(t, at("d.csv"), manyRows(rows))
	return at
}

func readRun(t *testing.T, dir string) *run.Record {
	t.Helper()
	r, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestManyRowsNeedNoSettings: a model and a file of 5,000 rows are all that a person
// gives. The run takes minibatches with an anchor, says what it found, bounds its bias,
// and what reads runs reads it.
func TestManyRowsNeedNoSettings(t *testing.T) {
	at := manyBench(t, 5000)
	status, stdout, stderr := inProcess(t, "", "sample", at("m.sg"), "--data", at("d.csv"),
		"--engine", "vm", "--max-bias", "0.3", "--target-ess", "300", "--out", at("r"))
	if status != 0 {
		t.Fatal(status, stderr)
	}
	for _, part := range []string{"sampler auto: minibatches with an anchor (5000 rows of N; " +
		"nuts would take about ", "tuning: batch ", "set-up: ", "set-up: sizes of rows"} {
		if !strings.Contains(stderr, part) {
			t.Errorf("%q is not said in\n%s", part, stderr)
		}
	}
	for _, part := range []string{"bias_mean", "bias_sd", "noise_share",
		"bias: means are right within 0."} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%q is not said in\n%s", part, stdout)
		}
	}
	r := readRun(t, at("r"))
	c := &r.Settings
	if p := r.Tuning; p == nil || !p.Minibatches || p.Rows != 5000 || c.Sampler != "sghmc" ||
		c.Anchor != "mode" || c.Batch != p.Batch || c.Step != p.Step || c.BatchOrder != "size" ||
		c.TargetESS != 300 {
		t.Errorf("recorded: %+v, %+v", r.Tuning, c)
	}
	status, stdout, stderr = inProcess(t, "", "summary", at("r"), "--json")
	var s struct {
		Draws  int
		Vars   []show.SummaryVar
		Health []run.Health
	}
	if err := json.Unmarshal([]byte(stdout), &s); status != 0 || err != nil {
		t.Fatal(status, err, stderr)
	}
	for i, v := range s.Vars {
		if sd := float64(v.SD); math.Abs(float64(v.Mean)-manyTruth[i]) > 5*sd || sd < 0.02 ||
			sd > 0.06 || float64(v.ESSBulk) < 300 {
			t.Errorf("%+v", v)
		}
	}
	bounds := 0
	for _, h := range s.Health {
		if h.Statistic == "bias_mean" || h.Statistic == "bias_sd" {
			bounds++
			if h.Verdict != "ok" || !(h.MCSE > 0) {
				t.Errorf("%+v", h)
			}
		}
	}
	if bounds != 2 || len(s.Vars) != 4 || int64(s.Draws) != r.Settings.Draws {
		t.Errorf("%d bounds, %d vars, %d draws of %d", bounds, len(s.Vars), s.Draws,
			r.Settings.Draws)
	}
	for _, args := range [][]string{
		{"verify", at("r")}, {"report", at("r"), "--out", at("r.html")},
		{"export", at("r"), "--to", "csv", "--out", at("r.csv")},
		{"score", at("r"), "--data", at("d.csv")},
		{"predict", at("r"), "--data", at("d.csv"), "--out", at("p.csv"), "--mean"},
		{"sample", "--resume", at("r")},
	} {
		if status, _, stderr := inProcess(t, "", args...); status != 0 {
			t.Errorf("%v: status %d\n%s", args, status, stderr)
		}
	}
	page, err := os.ReadFile(at("r.html"))
	if err != nil || !strings.Contains(string(page), "bias_mean") ||
		!strings.Contains(string(page),
			"sampler auto: minibatches with an anchor (5000 rows of N") {
		t.Error("the page of a report has no biases, or no plan", err)
	}
}

// TestManyRowsInterrupted: a process that is killed in the set-up, or in a round, goes
// on to the draws of one that was not, on one thread as on three; an interrupt in the
// set-up ends with 130 and leaves what can go on.
func TestManyRowsInterrupted(t *testing.T) {
	at := manyBench(t, 5000)
	base := []string{"--data", at("d.csv"), "--engine", "vm", "--draws", "1500", "--chains", "2",
		"--checkpoint", "0.02"}
	if status, _, stderr := inProcess(t, "",
		append([]string{"sample", at("m.sg"), "--out", at("whole"), "--progress", "none",
			"--threads", "1"}, base...)...); status != 0 {
		t.Fatal(stderr)
	}
	want := contents(t, at("whole"))
	for name, ready := range map[string]func(lines string) bool{
		"setup": func(lines string) bool { return strings.Contains(lines, "sizes of rows") },
		"round": func(string) bool {
			_, err := os.Lstat(at("round/chain-1.ckpt"))
			return err == nil
		},
	} {
		cmd := program(t, t.TempDir(),
			append([]string{"sample", at("m.sg"), "--out", at(name), "--progress", "plain",
				"--threads", "3"}, base...)...)
		if name == "round" {
			pauses(t, cmd, "chain-1.ckpt") // and is killed there
		}
		var lines safeBuffer
		cmd.Stderr = &lines
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); !ready(lines.String()) && time.Now().Before(end); {
			time.Sleep(2 * time.Millisecond)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if r := readRun(t, at(name)); r.Status != run.Running {
			t.Errorf("%s was not killed in time: %s", name, r.Status)
		} else if name == "setup" && r.Tuning != nil {
			t.Error("the set-up was over")
		}
		if status, _, stderr := inProcess(t, "", "verify", at(name)); status != 0 {
			t.Errorf("%s: %s", name, stderr)
		}
		if status, _, stderr := inProcess(t, "", "sample", "--resume", at(name), "--progress",
			"none", "--threads", "2"); status != 0 {
			t.Fatal(name, stderr)
		}
		if got := contents(t, at(name)); !reflect.DeepEqual(got, want) {
			t.Errorf("killed in the %s the run has other draws", name)
		}
	}
	e, stderr := interruptedEnv(append([]string{"sample", at("m.sg"), "--out", at("stopped"),
		"--progress", "none"}, base...))
	if status := execute(e); status != session.ExitInterrupted ||
		!strings.Contains(stderr.String(), "interrupted in the set-up: no draw is taken yet") {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	if status, _, stderr := inProcess(t, "", "summary", at("stopped")); status !=
		session.ExitFiles || !strings.Contains(stderr, "go on with: sgppl sample --resume") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if status, _, stderr := inProcess(t, "", "verify", at("stopped")); status != 0 {
		t.Error(stderr)
	}
	if status, _, stderr := inProcess(t, "", "sample", "--resume", at("stopped"), "--progress",
		"none"); status != 0 {
		t.Fatal(stderr)
	}
	if got := contents(t, at("stopped")); !reflect.DeepEqual(got, want) {
		t.Error("interrupted in the set-up the run has other draws")
	}
}

// interruptedEnv is one whose process is interrupted at once, with what it says.
func interruptedEnv(args []string) (*session.Session, *bytes.Buffer) {
	var stdout, stderr bytes.Buffer
	return &session.Session{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, Quit: func(int) {},
		Args: args,
		Interrupts: func(f func()) func() {
			f()
			return func() {}
		}}, &stderr
}

// A deafDisk fails once, to remove a file whose name ends so.
type deafDisk struct {
	disk.FS
	name  string
	times int
}

func (d *deafDisk) Remove(path string) error {
	if strings.HasSuffix(path, d.name) {
		if d.times++; d.times == 1 {
			return fmt.Errorf("remove %s: input/output error", path)
		}
	}
	return d.FS.Remove(path)
}

// TestManyRowsBegunAnew: draws that are off are dropped, and the run begins once more with
// less noise and a smaller step. A failure between the two leaves a run that goes on to
// the same draws.
func TestManyRowsBegunAnew(t *testing.T) {
	at := manyBench(t, 1)
	var rows strings.Builder
	rows.WriteString("x[0],x[1],y\n")
	for i := range 300 { // two are 1, and the posterior is skewed
		fmt.Fprintf(&rows, "1,%.3f,%d\n", float64(i*37%300)/150-1,
			map[bool]int{true: 1}[i%151 == 0])
	}
	write(t, at("rare.csv"), rows.String())
	args := []string{"sample", at("m.sg"), "--data", at("rare.csv"), "--engine", "vm", "--sampler",
		"sghmc", "--anchor", "mode", "--chains", "2", "--progress", "none",
		"--threads", "1", "--checkpoint", "0.02"}
	status, _, stderr := inProcess(t, "", append(args, "--out", at("whole"))...)
	if status != 0 || !strings.Contains(stderr,
		"w[0] is off by more than --max-bias allows: the draws so far are dropped, and the run "+
			"begins once more with less noise and a smaller step") {
		t.Fatal(status, stderr)
	}
	r := readRun(t, at("whole"))
	if n := r.Tuning.Attempt; n != 1 || len(r.Tuning.Refined) != n || r.Tuning.Refined[0] <= 2 ||
		r.Settings.Step > 0.6 || r.Settings.Step != r.Tuning.Step ||
		r.Settings.Batch != r.Tuning.Batch {
		t.Errorf("%d attempts, step %v, batch %d: %+v", n, r.Settings.Step, r.Settings.Batch,
			r.Tuning)
	}
	want := contents(t, at("whole"))
	on := &deafDisk{FS: disk.OS, name: "chain-1.ckpt"}
	if status, msg := faulty(on, append(args, "--out", at("failed"))...); status !=
		session.ExitFiles || !strings.Contains(msg, "input/output error") {
		t.Fatal(status, msg)
	}
	if r := readRun(t, at("failed")); r.Tuning.Attempt != 0 || r.Status != run.Failed {
		t.Errorf("attempt %d, %s", r.Tuning.Attempt, r.Status)
	}
	if status, _, stderr := inProcess(t, "", "sample", "--resume", at("failed"), "--progress",
		"none"); status != 0 {
		t.Fatal(stderr)
	}
	if got := contents(t, at("failed")); !reflect.DeepEqual(got, want) {
		t.Error("a run that failed between two attempts has other draws")
	}
	// The size of minibatches that was given stays.
	if status, stdout, stderr := inProcess(t, "",
		append(args, "--out", at("fixed"), "--batch", "22")...); status != 0 ||
		!strings.Contains(stdout, "is off: ") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if t.Failed() {
		return
	}
	if r := readRun(t, at("fixed")); !r.Fixed || r.Settings.Batch != 22 || r.Tuning.Attempt != 0 {
		t.Errorf("fixed: %v, batch %d, attempt %d", r.Fixed, r.Settings.Batch, r.Tuning.Attempt)
	}
}

// TestManyRowsFlags: who gets a plan, and what numbers that a person fixes do.
func TestManyRowsFlags(t *testing.T) {
	at := manyBench(t, 2000)
	text := strings.SplitAfter(manyRows(2000), "\n")
	write(t, at("few.csv"), strings.Join(text[:2000], "")) // 1,999 rows
	write(t, at("linear.sg"), "dim N\ndata x[N], y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(a * x[n], 1) }\n")
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%d,%d\n", i%7-3, i%5-2)
	}
	write(t, at("linear.csv"), b.String())
	write(t, at("nan.csv"), strings.Replace(manyRows(2000), "0.1", "NaN", 1))
	for i, c := range []struct {
		args   string
		status int
		says   string // somewhere
		plan   bool   // minibatches
	}{
		{"m.sg --data d.csv --draws 60 --chains 1", 0,
			"sampler auto: minibatches with an anchor (2000 rows of N", true},
		{"m.sg --data d.csv --draws 60 --chains 2 --log-lik --held-out few.csv", 0,
			"held-out rows by 120 draws", true},
		{"m.sg --data d.csv --draws 60 --chains 2 --keep moments", 0, "as they came", true},
		{"m.sg --data few.csv --draws 20 --warmup 20 --chains 1", 0, "note: sampler nuts", false},
		{"m.sg --data few.csv --dry", 0, "sampler nuts: there are fewer than 2000 rows of N", false},
		{"m.sg --data d.csv --full-batch --dry", 0,
			"sampler nuts: --full-batch is of other ways of sampling", false},
		{"m.sg --data d.csv --anchor none --dry", 0, "sampler nuts: --anchor none", false},
		{"m.sg --data d.csv --dry", 0, "forecast: ", false},
		{"m.sg --data d.csv --sampler sghmc --anchor mode --batch N=100 --step 0.5 --draws 60 --chains 2",
			0, "tuning: batch 100 of N by size", true},
		{"m.sg --data d.csv --sampler sghmc --anchor mean --batch-order replace --draws 60 --chains 2", 0,
			"of N evenly", true},
		{"m.sg --data d.csv --time 1s --chains 2 --batch 16 --target-ess 1e5 --seed 3", 0,
			"minibatches", true},
		{"linear.sg --data linear.csv --draws 20 --chains 1", 0,
			"sampler nuts on all 3000 rows of N, 20 draws of each chain: a full pass costs less " +
				"than a few minibatches, by sums over rows", false},
		{"linear.sg --data linear.csv --target-ess 3000 --time 1h --chains 2", 0,
			"--time does not end full passes", false},
		{"m.sg --data nan.csv", 3, "NaN", false},
		{"m.sg --data d.csv --target-ess 0", 2, "--target-ess 0: an effective sample size above 0",
			false},
		{"m.sg --data d.csv --max-bias -1", 2, "--max-bias -1", false},
		{"m.sg --data d.csv --time 0s", 2, "--time 0s", false},
		{"m.sg --data d.csv --anchor moon", 2, "one of auto, mode, mean, none", false},
		{"m.sg --data d.csv --anchor mode --sampler nuts", 2,
			"is for samplers on stochastic gradients with a velocity", false},
		{"m.sg --data d.csv --anchor mode --sampler sghmc --metric diag", 2,
			"--metric is of other ways", false},
		{"m.sg --data d.csv --draws 10 --target-ess 10", 2, "one of them", false},
		{"m.sg --data d.csv --step 3", 2, "above 0 and below 2", false},
		{"m.sg --data few.csv --batch-order size --batch 10", 2,
			"--batch-order size is of minibatches with an anchor", false},
	} {
		out := at(fmt.Sprint("r", i))
		args := []string{"sample", "--engine", "vm", "--progress", "none", "--out", out}
		for _, a := range strings.Fields(c.args) {
			if strings.Contains(a, ".") && !strings.ContainsAny(a[:1], "0123456789") {
				a = at(a)
			}
			args = append(args, a)
		}
		status, stdout, stderr := inProcess(t, "", args...)
		if status != c.status || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: status %d, %q is expected in\n%s%s", c.args, status, c.says, stdout, stderr)
			continue
		}
		r, err := run.Read(out)
		if dry := strings.Contains(c.args, "--dry"); status == 0 && dry == (err == nil) {
			t.Errorf("%s: the run directory: %v", c.args, err)
		}
		if err == nil && (r.Tuning != nil && r.Tuning.Minibatches) != c.plan {
			t.Errorf("%s: recorded %+v", c.args, r.Tuning)
		}
		if strings.Contains(c.args, "--log-lik") {
			if status, stdout, stderr := inProcess(t, "", "loo", out); status != 0 ||
				!strings.Contains(stdout, "2000 rows of N left out one by one, 120 draws") {
				t.Errorf("loo: status %d\n%s%s", status, stdout, stderr)
			}
		}
		if err == nil && strings.Contains(c.args, "--draws 60") && r.Settings.Draws != 60 {
			t.Errorf("%s: %d draws", c.args, r.Settings.Draws)
		}
	}
}

// A safeBuffer may be read while it is written.
type safeBuffer struct {
	lock sync.Mutex
	b    bytes.Buffer
}

func (s *safeBuffer) Write(b []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.b.Write(b)
}

func (s *safeBuffer) String() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.b.String()
}
