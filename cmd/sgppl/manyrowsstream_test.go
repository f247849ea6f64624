package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// fewBlocks are small blocks, so that a run reads rows many times.
var fewBlocks = []string{"--stream", "--block-rows", "60", "--window", "10"}

// streamedBench is a bench whose rows are compressed too, as d.csv.gz.
func streamedBench(
	t *testing.T, rows int,
) (at func(name string) string, args func(out string, more ...string) []string) {
	t.Helper()
	at = manyBench(t, rows)
	text, err := os.ReadFile(at("d.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(text)
	w.Close()
	write(t, at("d.csv.gz"), packed.String())
	return at, func(out string, more ...string) []string {
		return append([]string{"sample", at("m.sg"), "--engine", "vm", "--progress", "none",
			"--draws", "150", "--chains", "2", "--checkpoint", "0.02", "--out", at(out)}, more...)
	}
}

// TestManyRowsStream: rows that are read as they are needed are planned as rows in memory are, and
// give the same draws to the bit: from a csv file, a compressed one, and from numbers that are
// stored next to the run.
func TestManyRowsStream(t *testing.T) { manyRowsStream(t, "vm") }

func manyRowsStream(t *testing.T, engine string) {
	at, args := streamedBench(t, 2500)
	status, _, stderr := inProcess(t, "", args("memory", "--data", at("d.csv"))...)
	if status != 0 {
		t.Fatal(stderr)
	}
	want := contents(t, at("memory"))
	plan := readRun(t, at("memory")).Tuning
	for name, more := range map[string][]string{"csv": {"--data", at("d.csv")},
		"gz": {"--data", at("d.csv.gz")}, "cache": {"--data", at("d.csv"), "--cache"}} {
		out, err := program(t, t.TempDir(),
			append(args(name, append(more, fewBlocks...)...), "--engine", engine, "--threads",
				"3")...).CombinedOutput()
		if err != nil || !strings.Contains(string(out),
			"sampler auto: minibatches with an anchor (2500 rows of N") {
			t.Fatal(name, err, string(out))
		}
		r := readRun(t, at(name))
		if !r.Stream || !reflect.DeepEqual(r.Tuning, plan) {
			t.Errorf("%s: streamed %v, the plan is\n%+v, in memory\n%+v", name, r.Stream, r.Tuning, plan)
		}
		if got := contents(t, at(name)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other draws than of rows in memory", name)
		}
		if status, _, stderr := inProcess(t, "", "verify", at(name)); status != 0 {
			t.Errorf("%s: %s", name, stderr)
		}
	}
	before, err := os.ReadDir(at(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"d.csv", "d.csv.gz"} {
		status, stdout, stderr := inProcess(t, "",
			append(args("dry", "--data", at(file), "--dry"), fewBlocks...)...)
		if status != 0 || !strings.Contains(stdout,
			fmt.Sprintf("tuning: batch %d of N by size", plan.Batch)) ||
			!strings.Contains(stdout, "forecast: ") {
			t.Errorf("--dry of %s: status %d\n%s%s", file, status, stdout, stderr)
		}
	}
	if after, err := os.ReadDir(at("")); err != nil || len(after) != len(before) {
		t.Errorf("--dry leaves something: %v, %v", after, err)
	}
}

// TestManyRowsStreamStopped: a planned run over rows that are read as they are needed goes
// on to the bit after it was killed in its set-up or between draws, and after its file was
// changed and put back; a changed file ends it with its line and status 3.
func TestManyRowsStreamStopped(t *testing.T) {
	at, args := streamedBench(t, 2500)
	base := func(out string) []string {
		return append(args(out, "--data", at("d.csv")), fewBlocks...)
	}
	if status, _, stderr := inProcess(t, "", base("whole")...); status != 0 {
		t.Fatal(stderr)
	}
	want := contents(t, at("whole"))
	resume := func(name string) (int, string) {
		status, _, stderr := inProcess(t, "", "sample", "--resume", at(name), "--progress", "none",
			"--threads", "2")
		return status, stderr
	}
	good, err := os.ReadFile(at("d.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		drawing bool // it meets it at a checkpoint, else in the set-up
		harm    bool // the file is changed, else the process is killed
	}{{"killed-setup", false, false}, {"killed-draws", true, false}, {"changed-setup", false, true},
		{"changed-draws", true, true}} {
		meet := func() bool {
			if !c.harm {
				return true
			}
			bad := bytes.Clone(good)
			for i, b := range bad { // in all rows: which are read next is a matter of chance
				if b == '.' && bad[i+1] > '0' && bad[i+1] < '9' && i > 40 {
					bad[i+1]++
				}
			}
			overwrite(t, at("d.csv"), bad)
			return false
		}
		on := &momentDisk{FS: disk.OS, then: func(string) bool { return false }}
		if c.drawing {
			on = atMoment("chain-1.ckpt", 2, meet)
		}
		met := false
		status, lines := heard(t, t.TempDir(), on, func(text string) {
			if !c.drawing && !met && strings.Contains(text, "sizes of rows") {
				if met = true; meet() {
					on.die()
				}
			}
		}, append(base(c.name), "--progress", "plain", "--draws", "150", "--checkpoint", "0.5")...)
		if r := readRun(t, at(c.name)); c.harm {
			if status != session.ExitData || r.Status != run.Failed ||
				!regexp.MustCompile(`d.csv:\d+: error.D0158.: changed since the run began`).MatchString(lines) {
				t.Errorf("%s: status %d, %s\n%s", c.name, status, r.Status, lines)
			}
			if status, text := resume(c.name); status != 3 || !strings.Contains(text, "D0158") {
				t.Errorf("%s goes on with the changed file: %d, %s", c.name, status, text)
			}
			overwrite(t, at("d.csv"), good)
		} else if r.Status != run.Running {
			t.Errorf("%s was not killed in time: %s", c.name, r.Status)
		}
		if status, text := resume(c.name); status != 0 {
			t.Errorf("%s: %s", c.name, text)
		} else if got := contents(t, at(c.name)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has other draws", c.name)
		}
	}
}

// TestManyRowsStreamRefused: where minibatches with an anchor do not do, rows that are read as
// they are needed are sampled without one, and the run says why and that; a pipe is refused.
func TestManyRowsStreamRefused(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), `dim N
data y[N] : real
param a[2] : real ~ normal(0, 10)
for n in N { factor log_sum_exp([-(y[n] - a[0])^2 / 2, -(y[n] - a[1])^2 / 2]) }
`)
	r := rand.New(rand.NewPCG(5, 5))
	var text strings.Builder
	text.WriteString("y\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "%.4f\n", r.NormFloat64()+float64(i%2)*6)
	}
	write(t, at("d.csv"), text.String())
	status, _, stderr := inProcess(t, "", "sample", at("m.sg"), "--data", at("d.csv"), "--stream",
		"--engine", "vm", "--progress", "none", "--draws", "40", "--chains", "2", "--out", at("r"))
	if status != 0 || !strings.Contains(stderr,
		"sampler geodesic_sgnht on minibatches of 100 of the 3000 rows of N, without an anchor: ") ||
		!strings.Contains(stderr,
			"there may be several modes") {
		t.Fatal(status, stderr)
	}
	if c := readRun(t, at("r")); c.Settings.FullBatch || c.Settings.Batch != 100 ||
		c.Tuning == nil || c.Tuning.Minibatches || c.Settings.Draws != 40 {
		t.Errorf("%+v, %+v", c.Settings, c.Tuning)
	}
	if err := exec.Command("mkfifo", at("pipe.csv")).Run(); err != nil {
		t.Skip(err)
	}
	status, _, stderr = inProcess(t, "", "sample", at("m.sg"), "--data", at("pipe.csv"), "--stream",
		"--engine", "vm", "--out", at("p"))
	if status != session.ExitFiles || !strings.Contains(stderr, "pipe.csv") ||
		!strings.Contains(stderr, "is a pipe") ||
		!strings.Contains(stderr, "write them to a file first") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestManyRowsStreamTarget: a planned run over rows that are read as they are needed ends by
// its effective sample size as one over rows in memory does, with the same draws, and by its
// time with what it has.
func TestManyRowsStreamTarget(t *testing.T) {
	at, _ := streamedBench(t, 2500)
	sample := func(out string, more ...string) []string {
		return append([]string{"sample", at("m.sg"), "--data", at("d.csv"), "--engine", "vm",
			"--progress", "none", "--chains", "2", "--max-bias", "0.3", "--out", at(out)}, more...)
	}
	for name, more := range map[string][]string{"memory": nil, "stream": fewBlocks} {
		if status, _, stderr := inProcess(t, "",
			sample(name, append(more, "--target-ess", "250")...)...); status != 0 {
			t.Fatal(name, stderr)
		}
	}
	if want, got := contents(t, at("memory")),
		contents(t, at("stream")); !reflect.DeepEqual(got, want) {
		t.Error("the stream has other draws than rows in memory")
	}
	status, stdout, stderr := inProcess(t, "",
		sample("time", append(fewBlocks, "--target-ess", "1e6", "--time", "1s")...)...)
	if r := readRun(t, at("time")); status != 0 || r.Status != run.Done ||
		len(contents(t, at("time"))) == 0 {
		t.Errorf("status %d, %s\n%s%s", status, r.Status, stdout, stderr)
	}
}
