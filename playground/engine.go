package playground

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/andybalholm/brotli"
)

const (
	module     = "github.com/sgppl/sgppl"
	enginePath = module + "/playground/engine"
)

// outlined are the packages whose functions are not inlined into each other. The compiler
// is a tenth smaller then, and a model's compilation takes as long.
var outlined = []string{
	"codegen", "internal/driver", "internal/lsp", "internal/session", "internal/show/...",
	"ir/...", "lang/...", "parser", "stdlib",
}

// An Engine is the worker's program: WebAssembly, and the JavaScript by which Go's programs
// speak with a page, of the same version of Go.
type Engine struct {
	Wasm, Exec []byte
	packed     []byte // Wasm by brotli; nil where nobody has packed it
}

// NewEngine returns the engine that this binary carries, or builds one with the go command.
// Its sources are those of the module in dir or, where that is none of sgppl, of the version
// of this binary. The go command's own cache makes a second build fast.
func NewEngine(ctx context.Context, dir string) (*Engine, error) {
	if e, err := carried(files); err == nil {
		return e, nil
	}
	return Build(ctx, dir)
}

// The engine of a release is in dist when the release is built.
const (
	carriedWasm = "dist/engine.wasm.br"
	carriedExec = "dist/wasm_exec.js"
)

func carried(in fs.FS) (*Engine, error) {
	packed, err := fs.ReadFile(in, carriedWasm)
	if err != nil {
		return nil, err
	}
	e := &Engine{packed: packed}
	if e.Exec, err = fs.ReadFile(in, carriedExec); err != nil {
		return nil, err
	}
	e.Wasm, err = io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	return e, err
}

// Pack returns the WebAssembly by brotli, as small as it can. That takes a minute.
func (e *Engine) Pack() ([]byte, error) {
	if e.packed != nil {
		return e.packed, nil
	}
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out,
		brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(e.Wasm); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	e.packed = out.Bytes()
	return e.packed, nil
}

// Build builds the engine by the go command, as NewEngine does.
func Build(ctx context.Context, dir string) (*Engine, error) {
	from, err := sources(ctx, dir)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "sgppl-play")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "engine.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}
	for _, p := range outlined {
		args = append(args, "-gcflags="+module+"/"+p+"=-l")
	}
	if _, err := command(ctx, from, []string{"GOOS=js", "GOARCH=wasm", "GOFLAGS="},
		append(args, enginePath)...); err != nil {
		return nil, err
	}
	root, err := command(ctx, from, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	e := &Engine{}
	if e.Wasm, err = os.ReadFile(out); err != nil {
		return nil, err
	}
	e.Exec, err = os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
	return e, err
}

// sources returns a directory of the module of sgppl.
func sources(ctx context.Context, dir string) (string, error) {
	if out, err := command(ctx, dir, nil, "list", "-m"); err == nil &&
		strings.TrimSpace(out) == module {
		return dir, nil
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != module || strings.HasSuffix(info.Main.Version, "+dirty") ||
		!strings.HasPrefix(info.Main.Version, "v") {
		return "", errors.New("this binary carries no engine and has no released version: run it " +
			"in a clone of sgppl")
	}
	work, err := os.MkdirTemp("", "sgppl-play")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	out, err := command(ctx, work, nil, "mod", "download", "-json", module+"@"+info.Main.Version)
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(out, `"Dir": "`)
	found, _, is := strings.Cut(rest, `"`)
	if !is {
		return "", fmt.Errorf("go mod download says no directory: %s", out)
	}
	return found, nil
}

// command runs the go command and returns what it prints. Its errors hold what it says.
func command(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", args...)
	var out, said bytes.Buffer
	c.Dir, c.Stdout, c.Stderr, c.Env = dir, &out, &said, append(os.Environ(), env...)
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}
