package typed

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// Messages of programs with generated packages name the options of these. A program with a
// command line says otherwise when it starts.
func init() { setting.Spell = setting.Option }

// Settings are set by the options of a generated package: the settings of the sampler, and others
// that draws do not depend on.
type Settings struct {
	sampler.Config
	Threads  int            // processors that chains run on; 0: all
	Progress func(Progress) // is told how far the run is; nil: nobody is
	wrong    error          // of an option
}

// SetGradNoise sets the variance of the gradient's noise: a number, or "fisher" for one that is
// estimated. Any other text is an error of the run.
func (s *Settings) SetGradNoise(v string) {
	s.Fisher = v == "fisher"
	if s.Fisher {
		return
	}
	var err error
	if s.GradNoise, err = strconv.ParseFloat(v, 64); err != nil {
		s.wrong = &sampler.ConfigError{Setting: "grad-noise", Value: strconv.Quote(v),
			Problem: "a variance is expected, or fisher"}
	}
}

// Resolve completes the settings for a target; see sampler.Config.
func (s *Settings) Resolve(t target.Target) (sampler.Config, error) {
	if s.wrong != nil {
		return s.Config, s.wrong
	}
	return s.Config.Resolve(t)
}

// DefaultSettings are those of a run without options.
func DefaultSettings() Settings { return Settings{Config: sampler.DefaultConfig()} }

// A Progress says how far a run is.
type Progress struct {
	// SetUp says in words what is done before the first step of a run that finds by itself
	// how it samples; then all else is zero. It is empty while chains run.
	SetUp string
	Chain int
	Step  int // of Steps, the warm-up included
	Steps int
	Draws int // so far
	Done  bool
	// Elapsed is the time since the chain began, and StepSize the step that it takes.
	Elapsed  time.Duration
	StepSize float64
	Health   []sampler.HealthRow // of the chain so far; none in warm-up
}

// progressEvery is the time between two calls of Settings.Progress for a chain.
const progressEvery = 200 * time.Millisecond

// run returns what the runtime is told of settings that draws do not depend on.
func (s *Settings) run() sampler.RunOptions {
	o := sampler.RunOptions{Threads: s.Threads}
	if s.Progress != nil {
		o.Now, o.ProgressEvery = time.Now, progressEvery
	}
	return o
}

// listen returns a context by which the set-up of a run tells what it does, and a function
// that has a sink tell how far its chains are. One goroutine at a time calls Progress.
func (s *Settings) listen(ctx context.Context) (context.Context, func(sampler.Sink) sampler.Sink) {
	if s.Progress == nil {
		return ctx, func(to sampler.Sink) sampler.Sink { return to }
	}
	var lock sync.Mutex
	say := func(p Progress) {
		lock.Lock()
		defer lock.Unlock()
		s.Progress(p)
	}
	ctx = tall.WithPhases(ctx, func(words string) { say(Progress{SetUp: words}) })
	return ctx, func(to sampler.Sink) sampler.Sink { return &telling{to, say} }
}

// telling is a sink that tells how far its chains are.
type telling struct {
	sampler.Sink
	say func(Progress)
}

// Progress implements sampler.Sink.
func (s *telling) Progress(p sampler.Progress) {
	s.Sink.Progress(p)
	s.say(Progress{Chain: p.Chain, Step: int(p.Step), Steps: int(p.Steps), Draws: int(p.Draws),
		Done:    p.Done,
		Elapsed: p.Elapsed, StepSize: p.StepSize, Health: p.Health})
}
