package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A killer runs commands in processes and kills some with SIGKILL. A seed decides which, and
// the moments: after a number of new objects in the bucket, and then some milliseconds.
type killer struct {
	dir   string
	rand  *rand.Rand
	kills map[string]int // by what was killed
	works []working
}

// A working is a command that is killed: its arguments, its last pass and how many tasks that
// has.
type working struct {
	args  []string
	pass  string
	tasks int
}

func newKiller(t *testing.T, seed uint64) *killer {
	t.Helper()
	k := &killer{dir: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 1)), kills: map[string]int{}}
	var b strings.Builder
	b.WriteString("customer,x.0,x.1,y\n")
	for range 1200 {
		u, v := k.rand.NormFloat64(), k.rand.NormFloat64()
		fmt.Fprintf(&b, "c%d,%.4f,%.4f,%d\n", k.rand.IntN(24), u, v, k.rand.IntN(2))
	}
	b.WriteString("wrong,1,2,maybe\n") // its error is a part of the results
	rows, model := filepath.Join(k.dir, "rows.csv"), filepath.Join(k.dir, "regression.sg")
	for name, text := range map[string]string{rows: b.String(), model: regression} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	right := filepath.Join(k.dir, "right.csv")
	text := strings.ReplaceAll(b.String(), "maybe", "1")
	if err := os.WriteFile(right, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	run, _ := fit(t, k.dir, right)
	k.works = []working{
		{[]string{"fleet", model, "--data=" + rows, "--by=customer", "--chains=2", "--draws=300",
			"--parts=8", "--shard-size=4K"}, "pass/002-fleet", 8},
		{[]string{"score", run, "--data=" + right, "--shard-size=2K", "--json"}, "pass/001-score", 14}}
	return k
}

// total is how many processes were killed.
func (k *killer) total() (n int) {
	for _, m := range k.kills {
		n += m
	}
	return n
}

// start starts sgppl-cluster in a process.
func (k *killer) start(t *testing.T, out *bytes.Buffer, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, args...)
	c.Env = append(os.Environ(), asCommand+"=1", "SGPPL_CACHE="+filepath.Join(k.dir, "builds"))
	c.Stdout, c.Stderr, c.WaitDelay = out, out, time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// objects has the files of a bucket by their names.
func objects(bucket string) map[string]string {
	out := map[string]string{}
	filepath.WalkDir(bucket, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out[strings.TrimPrefix(path, bucket)] = path
		}
		return nil // it may be gone since it was listed
	})
	return out
}

// engines are the processes that run an engine of a cache.
func engines(cache string) (out []int) {
	list, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		return nil
	}
	for _, name := range list {
		exe, err := os.Readlink(name) // one that has ended has none
		if pid, _ := strconv.Atoi(strings.Split(name, "/")[2]); err == nil &&
			strings.HasPrefix(exe, cache+"/engine/") {
			out = append(out, pid)
		}
	}
	return out
}

// attempt runs commands at once, kills one of them or an engine, unless kill is not set, and
// waits for their ends. It returns their statuses and texts; -1 is that of one that was killed.
// No engine outlives those who asked it.
func (k *killer) attempt(
	t *testing.T, at string, kill bool, lines ...[]string,
) (status []int, texts []string) {
	t.Helper()
	outs, ended := make([]bytes.Buffer, len(lines)), make(chan struct{})
	var commands []*exec.Cmd
	for i, args := range lines {
		commands = append(commands, k.start(t, &outs[i], args...))
	}
	victim, engine := commands[k.rand.IntN(len(lines))].Process.Pid, k.rand.IntN(3) == 0
	due := len(objects(at+"/run")) + k.rand.IntN(30)
	late := time.Duration(k.rand.IntN(60)) * time.Millisecond
	struck := make(chan string, 1)
	go func() {
		if !kill || !reached(ended, at+"/run", due, late) {
			struck <- ""
			return
		}
		what := lines[0][0]
		if list := engines(at + "/cache"); engine && len(list) > 0 {
			victim, what = list[0], "engine"
		}
		if _, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", victim)); err != nil ||
			syscall.Kill(victim, syscall.SIGKILL) != nil {
			what = ""
		}
		struck <- what
	}()
	for i, c := range commands {
		c.Wait()
		status, texts = append(status, c.ProcessState.ExitCode()), append(texts, outs[i].String())
	}
	close(ended)
	if what := <-struck; what != "" {
		k.kills[what]++
	}
	for i := 0; len(engines(at+"/cache")) > 0; i++ {
		if time.Sleep(10 * time.Millisecond); i > 12000 {
			t.Fatal("engines go on without their workers")
		}
	}
	return status, texts
}

// reached waits until a bucket has a number of objects, and then for some time. It says
// whether the commands still run.
func reached(ended chan struct{}, bucket string, due int, late time.Duration) bool {
	for len(objects(bucket)) < due {
		select {
		case <-ended:
			return false
		case <-time.After(2 * time.Millisecond):
		}
	}
	select {
	case <-ended:
		return false
	case <-time.After(late):
		return true
	}
}

// lines are the commands of the next attempt: that of the user, by a loop, or of an array that
// and its jobs in turn. Of two jobs at once some do the same tasks.
func (k *killer) lines(w working, at string, array bool, try int) [][]string {
	run, cache := at+"/run", "--cache="+at+"/cache"
	user := append(slices.Clone(w.args), "--out="+run, cache)
	if !array {
		return [][]string{append(user, "--workers=2")}
	}
	if _, err := os.Stat(filepath.Join(run, w.pass, "request.json")); try%2 == 0 {
		return [][]string{append(user, "--runner=array")}
	} else if err != nil { // the pass before it
		w.pass, w.tasks = "pass/001-split", 11
	}
	job := func() []string {
		return []string{"task", run, "--pass=" + w.pass, fmt.Sprintf("--tasks=%d", w.tasks),
			fmt.Sprintf("--each=%d", (w.tasks+1)/2), fmt.Sprintf("--index=%d", k.rand.IntN(2)), cache}
	}
	return [][]string{job(), job()}
}

// complete gives commands until the work is complete, and kills processes while fewer than
// some have been killed. It returns the bytes of all results.
func (k *killer) complete(t *testing.T, w working, most int, array bool) map[string]string {
	t.Helper()
	at, err := os.MkdirTemp(k.dir, "at-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(at)
	last := ""
	for try := 0; !strings.Contains(last, `"lpd":`) && !strings.Contains(last, "exactness   each"); {
		status, texts := k.attempt(t, at, k.total() < most, k.lines(w, at, array, try)...)
		for i, code := range status {
			asked := code == 5 && (strings.Contains(texts[i], "the same command goes on with the rest") ||
				strings.Contains(texts[i], "request.json"))
			if code != 0 && code != -1 && !asked {
				t.Fatalf("status %d: %s", code, texts[i])
			}
		}
		if last = texts[0]; status[0] != 0 {
			last = ""
		}
		if try++; try > 500 {
			t.Fatalf("nothing goes on: %v", texts)
		}
	}
	out := map[string]string{"last": last[strings.LastIndexByte(strings.TrimSpace(last), '\n')+1:]}
	out["last"] = strings.ReplaceAll(out["last"], at, "")
	for name, path := range objects(at + "/run") {
		if strings.HasSuffix(name, ".bin") || strings.HasPrefix(name, "/fleet/") {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(text)
		}
	}
	return out
}

// survives kills processes of each kind of work, some in all, and compares the results with
// those of work that nothing disturbed.
func survives(t *testing.T, k *killer, kills int) {
	t.Helper()
	for i, w := range k.works {
		most := (i + 1) * kills / len(k.works)
		want := k.complete(t, w, 0, false)
		if len(want) < 10 {
			t.Fatalf("%d results", len(want))
		}
		for array := false; k.total() < most; array = !array {
			if got := k.complete(t, w, most, array); !maps.Equal(want, got) {
				t.Errorf("%s: %d results, and %d after kills, which differ", w.args[0], len(want), len(got))
			}
		}
	}
	t.Logf("killed: %v", k.kills)
}

// Processes that are killed at any moment, the driver, workers and engines, lose nothing: the
// same commands given again have the bytes of work that nothing disturbed.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("builds engines")
	}
	survives(t, newKiller(t, 3), 8)
}
