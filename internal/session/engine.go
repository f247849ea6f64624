package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// An Engine continues a prepared run. Engines give the same draws, to the bit.
type Engine struct {
	Name string
	Run  func(ctx context.Context, w run.Work, events func(run.Event)) error
}

// OrInProcess is an engine that samples in process where another cannot be started.
func OrInProcess(e *Session, b *Binding, eng *Engine) *Engine {
	return &Engine{eng.Name, func(ctx context.Context, w run.Work, events func(run.Event)) error {
		err := eng.Run(ctx, w, events)
		var unstarted *native.StartError
		if !errors.As(err, &unstarted) {
			return err
		}
		e.Note("sampling in process, by the VM: %v", err)
		return VmEngine(e, b).Run(ctx, w, events)
	}}
}

// VmEngine runs in this process.
func VmEngine(e *Session, b *Binding) *Engine {
	return &Engine{"vm", func(ctx context.Context, w run.Work, events func(run.Event)) error {
		if b.Rows != nil {
			b.Rows.Source.Keep(run.IndexPath(w.Dir))
		}
		w.Engine = "vm"
		_, err := run.Continue(ctx, b.Target, w, e.Now, events)
		return err
	}}
}

// Builder builds generated packages into the cache, one at a time.
func (e *Session) Builder() (*native.Builder, error) {
	if e.builder != nil {
		return e.builder, nil
	}
	cache := e.Getenv("SGPPL_CACHE")
	if cache == "" {
		var err error
		if cache, err = native.DefaultCache(); err != nil {
			return nil, fmt.Errorf("there is no directory for builds: %w; set SGPPL_CACHE to one",
				err)
		}
	}
	e.builder = &native.Builder{Cache: cache, Env: e.Environ,
		Wrong: func(err error) { e.Note("%v", err) }}
	return e.builder, nil
}

// A samplerSource is the generated package of a binding, with its builder.
type samplerSource struct {
	builder *native.Builder
	source  native.Source
	binding *Binding
}

// sampler generates the package of a binding.
func (e *Session) sampler(b *Binding) (*samplerSource, error) {
	if err := b.FitsNative(); err != nil {
		return nil, err
	}
	builder, err := e.Builder()
	if err != nil {
		return nil, err
	}
	files, err := b.Compiled.EmitEngine()
	if err != nil {
		return nil, err
	}
	if err := compilable(files); err != nil {
		return nil, err
	}
	source := native.Model(files)
	source.Of = b.Src.Text
	if e.Engine != nil {
		source = e.Engine(source)
	}
	return &samplerSource{builder, source, b}, nil
}

// mostText is how many bytes a file of a generated package may have. Go's compiler took more than
// 22 GB of memory for functions of 2.8 MB, which straight-line programs of 80,000 values have.
const mostText = 2 << 20

// compilable returns an error if Go's compiler would take too much memory for a package.
func compilable(files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if n := len(files[name]); n > mostText {
			return fmt.Errorf("%s of the sampler would have %.1f MB of Go, more than its compiler "+
				"takes in the memory of most machines (%d MB); a model with loops in place of "+
				"thousands of statements has less", name, float64(n)/(1<<20), mostText>>20)
		}
	}
	return nil
}

// NativeEngine builds the generated package and runs it in a process of its
// own. How long a build took is said unless quiet.
func NativeEngine(e *Session, b *Binding, quiet bool) (*Engine, error) {
	s, err := e.sampler(b)
	if err != nil {
		return nil, err
	}
	cached, start := s.builder.Cached(s.source), e.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := e.Interrupts(func() {
		if ctx.Err() != nil {
			e.Quit(ExitInterrupted) // asked twice
		}
		cancel()
	})
	program, err := s.builder.Build(ctx, s.source)
	if stop(); err != nil {
		return nil, err
	}
	if !cached && !quiet {
		e.Note("built the sampler in %s", Duration(e.Now().Sub(start).Seconds()))
	}
	return s.engine(program), nil
}

// engine runs a program that was built of the source.
func (s *samplerSource) engine(program string) *Engine {
	b := s.binding
	return &Engine{"native", func(ctx context.Context, w run.Work, events func(run.Event)) error {
		w.Engine = "native"
		work, err := json.Marshal(w)
		if err != nil {
			return err
		}
		job := host.Job{Constants: b.Constants, Work: work}
		if b.Rows != nil {
			job.Index = run.IndexPath(w.Dir)
		}
		if b.Held != nil {
			job.Held, job.HeldConstants = b.Held.Bound, b.Held.Constants
		}
		return native.Run(ctx, program, job, b.Bound, func(line []byte) {
			if v, is := EventOf(line); is {
				events(v)
			}
		})
	}}
}

// EventOf parses a line that an engine wrote. is is false if the line is not an event.
func EventOf(line []byte) (v run.Event, is bool) {
	is = json.Unmarshal(line, &v) == nil
	return v, is
}

// Ended returns the error to report for a run that ended with err. After an interrupt it names the
// command that resumes the run.
func (b *Binding) Ended(dir string, r *run.Record, err error) error {
	switch {
	case !errors.Is(err, context.Canceled):
		return b.whyNoStart(dir, OwnStatus(err))
	case run.Unsettled(dir):
		return Failf(ExitInterrupted,
			"interrupted in the set-up: no draw is taken yet. Begin it once more with: %s",
			ResumeCommand(dir, r))
	}
	return Failf(ExitInterrupted,
		"interrupted; a checkpoint of every chain is written. Go on with: %s",
		ResumeCommand(dir, r))
}

// ResumeCommand is the command that goes on with a run.
func ResumeCommand(dir string, r *run.Record) string {
	command := "sample"
	if r.Optimize != nil {
		command = "optimize"
	}
	return fmt.Sprintf("sgppl %s --resume %s", command, dir)
}

func Duration(seconds float64) string {
	if seconds > 1e8 || math.IsNaN(seconds) {
		return "long"
	}
	d := time.Duration(seconds * float64(time.Second))
	if d > time.Second {
		return d.Round(time.Second).String()
	}
	return d.Round(time.Millisecond).String()
}
