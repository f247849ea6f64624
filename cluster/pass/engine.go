package pass

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// Engines are what evaluates the model of a run: the program that the model was built into,
// an object of the run that tasks fetch and run as a child, or the VM. Both have the same
// bits. It may be used by several goroutines.
type engines struct {
	lock  sync.Mutex
	vm    bool   // whatever there is
	known bool   // path is settled
	path  string // of the program on this machine; "": the VM
	idle  []*native.Engine
	// of prepared runs, whose models are compiled by their own settings: paths by object
	prepared map[string]string
}

// UseVM has the tasks of this process evaluate the model by the VM.
func (e *Env) UseVM() {
	e.engines.lock.Lock()
	defer e.engines.lock.Unlock()
	e.engines.vm, e.engines.known, e.engines.path = true, true, ""
}

// VM says whether the tasks evaluate the model by the VM, whatever the run has.
func (e *Env) VM() bool {
	e.engines.lock.Lock()
	defer e.engines.lock.Unlock()
	return e.engines.vm
}

// Evaluate has the engine do work of a kind of package worker with the model bound to data.
func (e *Env) Evaluate(
	ctx context.Context, bound *data.Bound, kind string, body any, shared []byte,
) ([]byte, error) {
	c, err := e.compile()
	if err != nil {
		return nil, err
	}
	q := &worker.Request{Kind: kind, Shared: shared}
	if body != nil {
		if q.Body, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	path, err := e.Program(ctx)
	if err != nil {
		return nil, err
	}
	if path != "" {
		err = c.FitsCopy(bound.Dims, 1, driver.Planned{}, bound.SpoolBytes())
		if err != nil {
			return nil, &Permanent{err}
		}
	}
	engine := e.engine(path)
	if engine == nil {
		m, err := c.VM(bound, e.Run.Constants)
		if err != nil {
			return nil, &Permanent{err}
		}
		out, err := worker.Do(ctx, m, q)
		return out, permanentUnless(ctx, err)
	}
	out, err := engine.Ask(ctx, e.Run.Constants, bound, q)
	if own := (*worker.Error)(nil); errors.As(err, &own) {
		err = permanentUnless(ctx, err)
	}
	if engine.Gone() {
		return nil, err
	}
	e.engines.lock.Lock()
	e.engines.idle = append(e.engines.idle, engine)
	e.engines.lock.Unlock()
	return out, err
}

// permanentUnless makes an error of the work permanent, unless it is one of ctx: the same
// request has the same error.
func permanentUnless(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &Permanent{err}
}

// EvaluatePiece is Evaluate of the rows of a piece, as the result of a task.
func (e *Env) EvaluatePiece(
	ctx context.Context, index int, kind string, body any, shared []byte,
) (Result, error) {
	bound, err := e.Read(ctx, index)
	if err != nil {
		return Result{}, err
	}
	c, err := e.compile()
	if err != nil {
		return Result{}, err
	}
	out, err := e.evaluateShard(ctx, index, bound, kind, body, shared)
	return Result{out, int64(bound.Dims[c.Spec.RowDim])}, err
}

// engine takes a program that runs, or starts the one at a path; nil: the VM.
func (e *Env) engine(path string) *native.Engine {
	if path == "" {
		return nil
	}
	e.engines.lock.Lock()
	if n := len(e.engines.idle); n > 0 {
		defer e.engines.lock.Unlock()
		last := e.engines.idle[n-1]
		e.engines.idle = e.engines.idle[:n-1]
		return last
	}
	e.engines.lock.Unlock()
	engine, err := native.StartEngine(path, os.Environ())
	if err != nil {
		e.note("the model is evaluated by the VM: %v", err)
		e.UseVM()
		return nil
	}
	return engine
}

// Close ends the programs that run, and lets go of the bucket.
func (e *Env) Close() error {
	e.engines.lock.Lock()
	defer e.engines.lock.Unlock()
	for _, engine := range e.engines.idle {
		engine.Close()
	}
	e.engines.idle = nil
	return e.Bucket.Close()
}

// note tells the user.
func (e *Env) note(format string, args ...any) {
	if e.Note != nil {
		e.Note(fmt.Sprintf(format, args...))
	}
}

// engineSource is the source of the engine of a model, and the object that it is built into for
// this system.
func engineSource(b *native.Builder, c *driver.Compiled) (s native.Source, name string, err error) {
	files, err := c.EmitEngine()
	if err != nil {
		return s, "", err
	}
	s = native.Model(files)
	s.Main = native.Worker
	return s, fmt.Sprintf("engine/%s-%s-%s", b.Key(s), runtime.GOOS, runtime.GOARCH), nil
}

// Build builds the engine of a model for this system, and puts it where tasks find it, unless
// it is there. Where there is no Go toolchain the VM evaluates the model, and the user is told.
func (e *Env) Build(ctx context.Context, b *native.Builder, c *driver.Compiled) error {
	s, name, err := engineSource(b, c)
	if err != nil {
		return err
	}
	if _, err := e.Bucket.Stat(ctx, name); err == nil || !errors.Is(err, bucket.ErrMissing) {
		return err
	}
	path, err := b.Build(ctx, s)
	if err != nil {
		return err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(program)
	if _, err = e.Bucket.PutOnce(ctx, name, append(program, sum[:]...)); err != nil {
		return err
	}
	e.engines.lock.Lock()
	defer e.engines.lock.Unlock()
	e.engines.known = e.engines.vm // what was not there is there
	e.engines.prepared = nil
	return nil
}

// Program is the path of the engine on this machine, fetched now or before; "" where the VM
// evaluates the model.
func (e *Env) Program(ctx context.Context) (string, error) {
	e.engines.lock.Lock()
	defer e.engines.lock.Unlock()
	if e.engines.known {
		return e.engines.path, nil
	}
	c, err := e.compile()
	if err != nil {
		return "", err
	}
	path, err := e.programOf(ctx, c)
	e.engines.known, e.engines.path = err == nil, path
	return path, err
}

// programOfRun is Program for the model of a run that was prepared.
func (e *Env) programOfRun(ctx context.Context, c *driver.Compiled) (string, error) {
	e.engines.lock.Lock()
	defer e.engines.lock.Unlock()
	if e.engines.vm {
		return "", nil
	}
	_, name, err := engineSource(&native.Builder{}, c)
	if err != nil {
		return "", err
	}
	if path, known := e.engines.prepared[name]; known {
		return path, nil
	}
	path, err := e.programOf(ctx, c)
	if err == nil {
		if e.engines.prepared == nil {
			e.engines.prepared = map[string]string{}
		}
		e.engines.prepared[name] = path
	}
	return path, err
}

// programOf fetches the engine of a model; "" where there is none.
func (e *Env) programOf(ctx context.Context, c *driver.Compiled) (string, error) {
	_, name, err := engineSource(&native.Builder{}, c)
	if err != nil {
		return "", err
	}
	path, err := e.fetchEngine(ctx, name)
	if errors.Is(err, bucket.ErrMissing) {
		return "", nil
	}
	return path, err
}

// fetchEngine has the object of an engine as a program of this machine. Its check sum stands
// behind it in the object, and a copy that has another is fetched again.
func (e *Env) fetchEngine(ctx context.Context, name string) (string, error) {
	o, err := e.Bucket.Stat(ctx, name)
	if err != nil {
		return "", err
	}
	r, err := e.Bucket.Range(ctx, name, max(0, o.Size-sha256.Size), -1)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var want bytes.Buffer
	if _, err := want.ReadFrom(r); err != nil {
		return "", err
	}
	path := filepath.Join(e.Cache, filepath.FromSlash(name))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if there, err := os.ReadFile(path); err == nil && sumIs(there, want.Bytes()) {
		return path, nil
	}
	text, err := e.Bucket.Get(ctx, name)
	if err != nil {
		return "", err
	}
	program := text[:max(0, len(text)-sha256.Size)]
	if !sumIs(program, want.Bytes()) {
		return "", &Permanent{fmt.Errorf("%s: %s is damaged: its check sum is another. The command "+
			"that began the run makes it again when it is deleted", e.Bucket.URL, name)}
	}
	return path, writeProgram(path, program)
}

func sumIs(text, want []byte) bool {
	sum := sha256.Sum256(text)
	return bytes.Equal(sum[:], want)
}

// writeProgram writes an executable file that appears under its name when it is whole.
func writeProgram(path string, program []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(program)
	if err = errors.Join(err, f.Chmod(0o700), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// ready builds the engine before the tasks of a pass that evaluates the model.
func (e *Env) ready(ctx context.Context, dir string) error {
	req, k, err := e.request(ctx, dir)
	if err != nil || e.Builder == nil || e.VM() || k.Compiled == nil ||
		k.Light && !e.NeedsEngine {
		return err
	}
	c, err := k.Compiled(ctx, e, req.Body)
	if err != nil {
		return err
	}
	err = e.Build(ctx, e.Builder, c)
	if err == nil || e.NeedsEngine || ctx.Err() != nil || !unbuilt(err) {
		return err
	}
	e.note("the model is evaluated by the VM: %v", err)
	e.Builder = nil // said once
	return nil
}

// unbuilt says whether an error is one of the toolchain or of its directories.
func unbuilt(err error) bool {
	var toolchain *native.ToolchainError
	var build *native.BuildError
	var cache *native.CacheError
	return errors.As(err, &toolchain) || errors.As(err, &build) || errors.As(err, &cache)
}
