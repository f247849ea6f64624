package pass_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// builder builds engines where all tests of this process find them.
func builder(t *testing.T) *native.Builder {
	t.Helper()
	b := &native.Builder{Cache: engineCache, Env: os.Environ()}
	if err := b.Usable(); err != nil {
		t.Skip(err)
	}
	return b
}

var engineCache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sgppl-engines-")
	if err != nil {
		panic(err)
	}
	engineCache = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A study is a run of which all kinds of pass of a list are done, in an order in which each
// finds what it reads.
type study struct {
	run   func(t *testing.T) *pass.Env
	asked func(shards int) []pass.Request
}

// studies are the passes of a test of every kind that evaluates the model, but for chains.
func studies(t *testing.T) []study {
	t.Helper()
	data := rows(t, 300)
	return []study{{
		func(t *testing.T) *pass.Env {
			e := env(t, t.TempDir(), data, 2500)
			draws(t, e)
			return e
		},
		func(n int) []pass.Request {
			return []pass.Request{{Kind: "score", Tasks: n}, {Kind: "log-lik", Tasks: n},
				{Kind: "loo", Tasks: n}, {Kind: "predict", Tasks: n},
				{Kind: "split", Tasks: n, Body: raw(pass.Split{Key: "customer", Parts: 3})},
				{Kind: "fleet", Tasks: 3, Body: raw(pass.Fleet{Split: "pass/005-split", Key: "customer",
					Parts: 3, Seed: 7, Chains: 2, Draws: 40})}}
		},
	}, {
		func(t *testing.T) *pass.Env { return runOf(t, t.TempDir(), straight, data, 2500) },
		func(n int) []pass.Request {
			return []pass.Request{{Kind: "pilot", Tasks: n, Body: raw(map[string]any{"seed": 1,
				"most": slices.Repeat([]int{9}, n)})}, {Kind: "statistics", Tasks: n}}
		},
	}, {
		func(t *testing.T) *pass.Env { return runOf(t, t.TempDir(), normalMean, "", 0) },
		func(int) []pass.Request {
			f := calibrate.Flags{Replications: 6, Draws: 9, Sampler: "nuts", Warmup: 100, Seed: 4,
				Friction: 1, Thin: 1}
			s := pass.Study{Flags: f, Each: 2}
			other := s
			other.Flags.Warmup, other.Each = 50, 4
			return []pass.Request{{Kind: "replicate", Tasks: s.Tasks(), Body: raw(s)},
				{Kind: "sweep", Tasks: s.Tasks() + other.Tasks(),
					Body: raw(pass.Sweep{Studies: []pass.Study{s, other}})}}
		},
	}}
}

// straight is a model whose likelihood collapses, of the data of rows.
const straight = `dim N, P
data x: real[N, P], y: real[N]
param w: real[P], s: positive
w ~ normal(0, 1)
s ~ normal(0, 1)
for n in N { y[n] ~ normal(dot(x[n], w), s) }
`

// normalMean is a model whose data can be simulated.
const normalMean = `dim N = 12
data y: real[N]
param m: real
m ~ normal(0, 1)
for n in N { y[n] ~ normal(m, 1) }
`

// results does all passes of a study, and returns the bytes of all results.
func (s *study) results(t *testing.T, e *pass.Env, by pass.Front) map[string]string {
	t.Helper()
	out := map[string]string{}
	for i, r := range s.asked(len(e.Run.Manifest.Shards)) {
		err := e.Pass(t.Context(), by, i+1, r.Kind, r.Tasks, r.Body,
			func(k int, result []byte) error {
				out[pass.Task{Dir: r.Kind, Index: k}.String()] = string(result)
				return nil
			})
		if err != nil {
			t.Fatalf("%s: %v", r.Kind, err)
		}
		if len(out) < r.Tasks || r.Tasks == 0 {
			t.Fatalf("%s: %d tasks", r.Kind, r.Tasks)
		}
	}
	return out
}

// same compares the results of two runs.
func same(t *testing.T, how string, want, got map[string]string) {
	t.Helper()
	if len(got) != len(want) || len(want) < 3 {
		t.Errorf("%s: %d results, and %d", how, len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s differs", how, name)
		}
	}
}

// Every kind of pass has the same bits by the VM and by the engine as a child.
func TestEngineBits(t *testing.T) {
	tested := map[string]bool{"chain": true} // by TestChains of the command
	for _, s := range studies(t) {
		vm, e := s.run(t), s.run(t)
		vm.UseVM()
		vm.Builder = builder(t)
		want := s.results(t, vm, front.Loop{Workers: 1})
		e.Builder, e.NeedsEngine = builder(t), true
		same(t, "native", want, s.results(t, e, front.Loop{Workers: 2}))
		if path, err := e.Program(t.Context()); path == "" || err != nil {
			t.Errorf("the engine was not used: %v", err)
		}
		if path, _ := vm.Program(t.Context()); path != "" {
			t.Error("the VM was not used")
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		for _, r := range s.asked(1) {
			tested[r.Kind] = true
		}
	}
	for kind := range engineSurrogate(t) {
		tested[kind] = true
	}
	for _, k := range pass.Kinds {
		if k.Compiled != nil && !tested[k.Name] {
			t.Errorf("%s is in no study", k.Name)
		}
	}
}

// engineSurrogate holds the passes of a surrogate by the engine to those by the VM, and returns
// how many tasks there were of each kind.
func engineSurrogate(t *testing.T) map[string]int {
	t.Helper()
	data := groups(t, 1200)
	vm := runOf(t, t.TempDir(), intercepts, data, 4000)
	e := runOf(t, t.TempDir(), intercepts, data, 4000)
	vm.UseVM()
	e.Builder, e.NeedsEngine = builder(t), true
	want := surrogateOf(t, vm, front.Loop{Workers: 1})
	if got := surrogateOf(t, e, front.Loop{Workers: 2}); digest(got) != digest(want) {
		t.Error("the surrogate has other draws by the engine than by the VM")
	}
	first := subposteriors(t, vm, front.Loop{Workers: 1})
	if !reflect.DeepEqual(subposteriors(t, e, front.Loop{Workers: 2}), first) || len(first) < 3 {
		t.Error("subposteriors have other moments by the engine than by the VM")
	}
	kinds := map[string]int{}
	for _, object := range objects(t, vm) {
		if !strings.HasSuffix(object, ".bin") {
			continue
		}
		kind := strings.Split(filepath.Base(filepath.Dir(object)), "-")[1]
		kinds[kind]++
		a, err := vm.Bucket.Get(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := e.Bucket.Get(t.Context(), object); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v", object, err)
		}
	}
	if path, err := e.Program(t.Context()); path == "" || err != nil {
		t.Errorf("the engine was not used: %v", err)
	}
	return kinds
}

// subposteriors are those of the shards of a run of a surrogate, by one more pass.
func subposteriors(t *testing.T, e *pass.Env, by pass.Front) []*surrogate.Moments {
	t.Helper()
	w := whole(t, e, by, pass.Surrogate)
	passes := w.Target.(*pass.Remote).Passes()
	list, err := passes.(surrogate.Combiner).Subposteriors(t.Context(), surrogate.Barycentre, 3)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// objects lists the objects of a run.
func objects(t *testing.T, e *pass.Env) (names []string) {
	t.Helper()
	list, err := e.Bucket.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		names = append(names, o.Name)
	}
	return names
}

// Without a Go toolchain the user is told, and the VM evaluates the model; where it was asked
// for by name that is an error.
func TestNoToolchain(t *testing.T) {
	e := env(t, t.TempDir(), rows(t, 100), 2500)
	draws(t, e)
	var notes []string
	e.Note = func(text string) { notes = append(notes, text) }
	e.Builder = &native.Builder{Cache: t.TempDir()}
	if _, err := pass.ScoreOf(t.Context(), e, front.Loop{Workers: 2}, 1); err != nil {
		t.Fatal(err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "by the VM: no Go toolchain") {
		t.Errorf("notes %q", notes)
	}
	e = env(t, t.TempDir(), rows(t, 100), 2500)
	draws(t, e)
	e.Builder, e.NeedsEngine = &native.Builder{Cache: t.TempDir()}, true
	_, err := pass.ScoreOf(t.Context(), e, front.Loop{Workers: 2}, 1)
	if missing := (*native.ToolchainError)(nil); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
}

// engineObject is the path of the engine in a bucket that is a directory.
func engineObject(t *testing.T, e *pass.Env) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(e.Bucket.URL, "engine", "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("engines %v, %v", found, err)
	}
	return found[0]
}

// A crash of the child is an error of its tasks with the child's message, and not the end of
// the worker: the next attempt does them.
func TestEngineCrash(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	e := env(t, t.TempDir(), rows(t, 100), 2500)
	draws(t, e)
	e.Builder, e.NeedsEngine = builder(t), true
	if err := e.Build(t.Context(), e.Builder, compiled(t, e)); err != nil {
		t.Fatal(err)
	}
	path, err := e.Program(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for script, want := range map[string]string{
		"echo 'fatal error: out of memory' >&2; exit 2": "exit status 2\nfatal error: out of memory",
		"kill -9 $$": "signal: killed", "echo '{'": "ended", "echo '{\"bytes\":9}'": "ended"} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err = pass.ScoreOf(t.Context(), e, front.Loop{Workers: 2}, 1)
		if permanent := (*pass.Permanent)(nil); err == nil || errors.As(err, &permanent) ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "pass/001-score/") {
			t.Errorf("%s: %v", script, err)
		}
	}
	if err := os.WriteFile(path, good, 0o700); err != nil {
		t.Fatal(err)
	}
	if s, err := pass.ScoreOf(t.Context(), e, front.Loop{Workers: 2}, 1); err != nil || s.Rows != 100 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A copy of the engine that was changed is fetched again, and an object that is damaged is
// refused before it runs.
func TestEngineDamaged(t *testing.T) {
	data := rows(t, 100)
	e := env(t, t.TempDir(), data, 2500)
	if err := e.Build(t.Context(), builder(t), compiled(t, e)); err != nil {
		t.Fatal(err)
	}
	path, err := e.Program(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	again, err := pass.Open(t.Context(), e.Bucket, e.Cache)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Program(t.Context()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < 1<<20 {
		t.Errorf("the changed copy is used: %v", err)
	}
	object := engineObject(t, e)
	text, err := os.ReadFile(object)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(object, text, 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := pass.Open(t.Context(), e.Bucket, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Program(t.Context())
	if err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("a damaged engine: %v", err)
	}
}

// raw is the JSON of a body.
func raw(body any) json.RawMessage {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return text
}

func compiled(t *testing.T, e *pass.Env) *driver.Compiled {
	t.Helper()
	c, err := e.Compiled()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
