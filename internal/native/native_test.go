package native

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
)

const modelText = `/// Mean and scale.
dim N
data y[N] : real
param mu : real ~ normal(0, 10)
param sigma : positive ~ exponential(1)
y ~ normal(mu, sigma)
`

func generated(t testing.TB, text string) Source {
	t.Helper()
	c, diags := driver.Compile(source.New("meanscale.sg", text), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	files, err := codegen.Generate(codegen.Input{Spec: c.Spec, Programs: c.Programs})
	if err != nil {
		t.Fatal(err)
	}
	return Model(files)
}

func bound(t testing.TB) *data.Bound {
	t.Helper()
	s := &data.Schema{Dims: []data.Dim{{Name: "N"}}}
	b, _, errs := data.Validate(s, nil, map[string]int{"N": 3}, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	b.Values["y"] = array.Dense([]float64{1, 2, 4}, 3)
	return b
}

// cache is shared by the tests: building the runtime is what takes time.
var cache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sgppl-native-test-")
	if err != nil {
		panic(err)
	}
	cache = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

func builder(t testing.TB) *Builder { return &Builder{Cache: cache, Env: os.Environ()} }

// Many builds at once, of one model and of two, all give a working program;
// a second build needs no go command.
func TestBuildConcurrently(t *testing.T) {
	// Two builders on one cache are as two processes.
	b, other := builder(t), builder(t)
	sources := []Source{generated(t, modelText+"// concurrently\n"),
		generated(t, modelText+"// likewise\n")}
	if b.Cached(sources[0]) {
		t.Error("cached before it was built")
	}
	paths := make([]string, 6)
	var wg sync.WaitGroup
	for i := range paths {
		wg.Go(func() {
			path, err := []*Builder{b, other}[i/2%2].Build(context.Background(), sources[i%2])
			if err != nil {
				t.Error(err)
			}
			paths[i] = path
		})
	}
	wg.Wait()
	if paths[0] != paths[2] || paths[1] != paths[5] || paths[0] == paths[1] {
		t.Fatalf("paths %v", paths)
	}
	if idle := (&Builder{Cache: cache}); !idle.Cached(sources[0]) {
		t.Error("what was built is not found again")
	} else if _, err := idle.Build(context.Background(), sources[0]); err != nil {
		t.Errorf("without a go command, what was built is not used: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(b.Cache, "*", "build-*"))
	hidden, _ := filepath.Glob(filepath.Join(b.Cache, "*", ".new-*"))
	if len(left)+len(hidden) > 0 {
		t.Errorf("left behind: %v %v", left, hidden)
	}
	out, err := exec.Command(paths[0]).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "wants one argument, a job") {
		t.Errorf("%v: %s", err, out)
	}

	// A child fails with the message and status of the work.
	job := host.Job{Work: json.RawMessage(`{"dir": ` +
		string(must(json.Marshal(filepath.Join(t.TempDir(), "absent")))) + `}`)}
	var exit *ExitError
	err = Run(context.Background(), paths[0], job, bound(t), nil)
	if !errors.As(err, &exit) || exit.Code == 0 || !strings.Contains(exit.Message, "absent") {
		t.Errorf("a job without a directory: %v", err)
	}
	job.Work = json.RawMessage(`"nonsense"`)
	if err = Run(context.Background(), paths[0], job, bound(t), nil); !errors.As(err, &exit) ||
		exit.Code != 5 {
		t.Errorf("a job without sense: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Without a toolchain, and with sources that do not build, the error says so.
func TestBuildErrors(t *testing.T) {
	b := builder(t)
	s := generated(t, modelText+"// of TestBuildErrors\n")
	var missing *ToolchainError
	b.Env = []string{"PATH=" + t.TempDir()}
	if _, err := b.Build(context.Background(), s); !errors.As(err, &missing) ||
		missing.Exit() != 5 {
		t.Errorf("without go: %v", err)
	}
	b.Env = os.Environ()
	s.Files["broken.go"] = []byte("package meanscale\n\nvar x int = \"text\"\n")
	var failed *BuildError
	if _, err := b.Build(context.Background(), s); !errors.As(err, &failed) ||
		!strings.Contains(failed.Output, "broken.go") {
		t.Fatalf("with a type error: %v", err)
	}
	if _, err := os.Stat(filepath.Join(failed.Dir, "model", "broken.go")); err != nil {
		t.Errorf("the sources are gone: %v", err)
	}
	delete(s.Files, "broken.go")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Build(cancelled, s); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	b.Cache = filepath.Join(b.Cache, "file")
	if err := os.WriteFile(b.Cache, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background(), s); err == nil {
		t.Error("built into a file")
	}
}

// The environment of the go command is offline, and complete where the user's
// has no home.
func TestEnvironment(t *testing.T) {
	b := &Builder{Cache: "/cache",
		Env: []string{"PATH=/bin", "GOFLAGS=-mod=vendor", "GOPROXY=https://example.com"}}
	env := b.environment()
	last := map[string]string{}
	for _, e := range env {
		key, value, _ := strings.Cut(e, "=")
		last[key] = value
	}
	for key, want := range map[string]string{"GOFLAGS": "-mod=mod", "GOPROXY": "off",
		"GOTOOLCHAIN": "local", "GOWORK": "off",
		"GOCACHE":    filepath.Join("/cache", "go-build"),
		"GOMODCACHE": filepath.Join("/cache", "go-mod"), "PATH": "/bin"} {
		if last[key] != want {
			t.Errorf("%s=%s, want %s", key, last[key], want)
		}
	}
	b.Env = append(b.Env, "HOME=/home/me")
	if slices.ContainsFunc(b.environment(),
		func(e string) bool { return strings.HasPrefix(e, "GOCACHE=") }) {
		t.Error("a user's cache is not used")
	}
}

// What the build of a new model takes when the runtime has been built before.
func BenchmarkWarmBuild(b *testing.B) {
	dir := builder(b)
	if _, err := dir.Build(context.Background(), generated(b, modelText)); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		s := generated(b, modelText+"// "+strings.Repeat("x", i+1)+"\n")
		if _, err := dir.Build(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
}
