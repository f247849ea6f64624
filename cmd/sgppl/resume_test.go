package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

const lineModel = `dim N
data x[N], y[N] : real
param a, b : real ~ normal(0, 10)
param s : positive ~ exponential(1)
for n in N { y[n] ~ normal(a + b * x[n], s) }
`

// lineRun writes a model with data into a directory and returns the arguments
// of a run of some half a second there.
func lineRun(t *testing.T, dir, out string) []string {
	write(t, filepath.Join(dir, "line.sg"), lineModel)
	src := rand.New(rand.NewPCG(1, 2))
	var d struct {
		X []float64 `json:"x"`
		Y []float64 `json:"y"`
	}
	for range 500 {
		x := src.NormFloat64()
		d.X, d.Y = append(d.X, x), append(d.Y, 1-2*x+0.5*src.NormFloat64())
	}
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "line.json"), string(b))
	return []string{"sample", "line.sg", "--data", "line.json", "--sampler", "msgnht", "--step",
		"0.005", "--friction", "20", "--batch", "N=20",
		"--chains", "2", "--warmup", "12000", "--draws", "1200", "--thin", "200", "--init", "0",
		"--save-warmup", "--chunk", "100",
		"--checkpoint", "0.03", "--engine", "vm", "--progress", "none", "--out", out}
}

// draws reads everything of a store as bits.
func draws(t *testing.T, dir string) map[string][]uint64 {
	t.Helper()
	return stored(t, dir, "draws.zarr", "warmup.zarr")
}

// stored reads everything of the stores of a run as bits.
func stored(t *testing.T, dir string, stores ...string) map[string][]uint64 {
	t.Helper()
	out := map[string][]uint64{}
	for _, name := range stores {
		s, err := trace.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Variables() {
			a, err := s.Read(v.Group, v.Name)
			if err != nil {
				t.Fatal(err)
			}
			bits := make([]uint64, len(a.Data))
			for i, x := range a.Data {
				bits[i] = math.Float64bits(x)
			}
			out[name+"/"+v.Group+"/"+v.Name] = bits
		}
	}
	return out
}

// same holds a run against the one that was never stopped.
func same(t *testing.T, dir, whole string) {
	t.Helper()
	got, want := draws(t, dir), draws(t, whole)
	if len(want) < 10 || len(want["draws.zarr/posterior/a"]) != 2400 ||
		len(want["warmup.zarr/posterior/a"]) != 120 {
		t.Fatalf("the whole run has %d arrays, %d and %d draws", len(want),
			len(want["draws.zarr/posterior/a"]), len(want["warmup.zarr/posterior/a"]))
	}
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s differs from that of the run that was not stopped", name)
		}
	}
	a, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := run.Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != run.Done || fmt.Sprint(a.Health) != fmt.Sprint(b.Health) ||
		a.Chains[1].Draws != 1200 {
		t.Errorf("status %s, health %v, want %s, %v", a.Status, a.Health, b.Status, b.Health)
	}
}

// However a run is stopped, it comes out the same to the bit.
func TestStoppedRuns(t *testing.T) {
	dir := t.TempDir()
	if out, err := program(t, dir, lineRun(t, dir, "whole")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("killed", func(t *testing.T) { killedRuns(t, dir) })
	t.Run("interrupted", func(t *testing.T) {
		interruptedRun(t, dir, syscall.SIGINT, "interrupted")
	})
	t.Run("prepared", func(t *testing.T) { preparedRun(t, dir) })
	t.Run("hung up", func(t *testing.T) { interruptedRun(t, dir, syscall.SIGHUP, "hangup") })
}

// A run that was only prepared has no draws, and is that of one command once it goes on.
func preparedRun(t *testing.T, dir string) {
	for _, args := range [][]string{append(lineRun(t, dir, "prepared"), "--prepare"),
		{"sample", "--resume", "prepared", "--engine", "vm", "--progress", "none"}} {
		out, err := program(t, dir, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, missing := os.Stat(filepath.Join(dir, "prepared", "draws.zarr"))
		if begins := strings.Contains(string(out), "--resume prepared begins"); begins !=
			(missing != nil) {
			t.Errorf("%q: draws %v\n%s", args, missing, out)
		}
	}
	same(t, filepath.Join(dir, "prepared"), filepath.Join(dir, "whole"))
}

func killedRuns(t *testing.T, dir string) {
	moments := rand.New(rand.NewPCG(7, 7))
	first := lineRun(t, dir, "killed")
	killed := filepath.Join(dir, "killed")
	kills, done := 0, false
	for try := 0; try < 60 && !done; try++ {
		args := []string{"sample", "--resume", "killed", "--engine", "vm", "--progress", "none"}
		if _, err := os.Stat(filepath.Join(killed, "run.json")); err != nil {
			args = append(first, "--force") // killed before there was a run
		}
		cmd := program(t, dir, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if try < 7 {
			timer := time.AfterFunc(time.Duration(15+moments.IntN(80))*time.Millisecond,
				func() { cmd.Process.Kill() })
			defer timer.Stop()
		}
		switch err := cmd.Wait(); {
		case err == nil:
			done = true
		case cmd.ProcessState.ExitCode() != -1:
			t.Fatalf("try %d, after %d kills: %v\n%s", try, kills, err, out.String())
		default:
			kills++
			readable(t, dir, killed)
		}
	}
	if kills < 3 {
		t.Fatalf("the run was killed %d times only: too fast for this test", kills)
	}
	t.Logf("%d kills", kills)
	same(t, killed, filepath.Join(dir, "whole"))
}

// readable: whatever moment a run was killed at, its draws can be read.
func readable(t *testing.T, dir, killed string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(killed, "draws.zarr", ".zmetadata")); err != nil {
		return
	}
	s, err := trace.Open(filepath.Join(killed, "draws.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Read("posterior", "s")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range a.Data {
		if !(x > 0) {
			t.Fatalf("a draw that counts as written reads as %v", x)
		}
	}
}

// An interrupt, or the end of the terminal, leaves a checkpoint and status 130.
func interruptedRun(t *testing.T, dir string, signal os.Signal, name string) {
	args := lineRun(t, dir, name)
	cmd := program(t, dir, args...)
	var out bytes.Buffer
	cmd.Stderr = &out
	goOn := pauses(t, cmd, "chain-0.ckpt") // so that it is not done when the signal comes
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	stopped := filepath.Join(dir, name)
	appears(t, filepath.Join(stopped, "chain-0.ckpt"))
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	goOn()
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 ||
		!strings.Contains(out.String(), "--resume "+name) {
		t.Fatalf("status %d\n%s", got, out.String())
	}
	r, err := run.Read(stopped)
	if err != nil || r.Status != run.Interrupted {
		t.Fatalf("%v %v", r, err)
	}
	// Chains that were stopped at different draws are no damage.
	if code, _, msg := inProcess(t, "", "verify", stopped); code != 0 {
		t.Fatalf("verify: status %d\n%s", code, msg)
	}
	// Where the process is when it goes on does not matter.
	t.Chdir(os.TempDir())
	if code, _, msg := inProcess(t, "", "sample", "--resume", stopped, "--engine", "vm"); code != 0 {
		t.Fatalf("resume: status %d\n%s", code, msg)
	}
	same(t, stopped, filepath.Join(dir, "whole"))
}

// A second interrupt does not wait for checkpoints.
func TestSecondInterruptQuits(t *testing.T) {
	dir := t.TempDir()
	args := lineRun(t, dir, "twice")
	t.Chdir(dir)
	var out bytes.Buffer
	quit := 0
	e := &session.Session{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Args: args,
		Getenv: func(string) string { return "" }, Now: time.Now,
		Interrupts: func(f func()) func() { f(); f(); return func() {} },
		Quit:       func(code int) { quit = code }}
	if code := execute(e); code != 130 || quit != 130 {
		t.Errorf("status %d, quit %d\n%s", code, quit, out.String())
	}
}

// Of two processes that replace one run, one does, wholly; the other is told.
func TestReplacedAtOnce(t *testing.T) {
	dir := t.TempDir()
	args := lineRun(t, dir, "x")
	for i, a := range args {
		switch a {
		case "--warmup", "--draws":
			args[i+1] = "200"
		case "--thin":
			args[i+1] = "5"
		}
	}
	want := map[string]map[string][]uint64{}
	for _, seed := range []string{"1", "2"} {
		alone := append(slices.Clone(args), "--seed", seed)
		alone[len(args)-1] = "alone" + seed
		if out, err := program(t, dir, alone...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want[seed] = draws(t, filepath.Join(dir, "alone"+seed))
	}
	for try := range 6 {
		var out [2]bytes.Buffer
		var cmds [2]*exec.Cmd
		for i := range cmds {
			cmds[i] = program(t, dir,
				append(slices.Clone(args), "--force", "--seed", fmt.Sprint(i+1))...)
			cmds[i].Stderr = &out[i]
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		done := 0
		for i, cmd := range cmds {
			switch cmd.Wait(); cmd.ProcessState.ExitCode() {
			case 0:
				done++
			case 5:
				if !strings.Contains(out[i].String(), "another process") {
					t.Errorf("try %d: %s", try, out[i].String())
				}
			default:
				t.Errorf("try %d: %v\n%s", try, cmd.ProcessState, out[i].String())
			}
		}
		r, err := run.Read(filepath.Join(dir, "x"))
		if err != nil || done == 0 || r.Status != run.Done {
			t.Fatalf("try %d: %d complete, %v %v", try, done, r, err)
		}
		if !reflect.DeepEqual(draws(t, filepath.Join(dir, "x")), want[fmt.Sprint(r.Seed)]) {
			t.Errorf("try %d: the draws are not those of seed %d", try, r.Seed)
		}
	}
}

// Runs that are begun at once without --out get a directory each.
func TestNumberedAtOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m.sg"), "param a : real ~ normal(0, 1)\n")
	var cmds []*exec.Cmd
	for range 5 {
		cmd := program(t, dir, "sample", "m.sg", "--sampler", "sgld", "--step", "0.1", "--warmup",
			"1", "--draws", "5", "--chains", "1", "--engine", "vm", "--force")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
	}
	for i := range cmds {
		if r, err := run.Read(filepath.Join(dir, "runs", fmt.Sprint("m-", i+1))); err != nil ||
			r.Status != run.Done || r.Chains[0].Draws != 5 {
			t.Errorf("run %d: %v %v", i+1, r, err)
		}
	}
}
