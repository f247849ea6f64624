package session

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// raced runs a race of fakes: the first engine ends by itself if done is given, else when it is
// told to leave; the second is built when the channel is closed.
func raced(
	ctx context.Context, done error, ends bool, built <-chan struct{}, broken error,
) (ran, notes []string, err error) {
	first := &Engine{"vm", func(ctx context.Context, _ run.Work, _ func(run.Event)) error {
		ran = append(ran, "vm")
		if ends {
			return done
		}
		<-ctx.Done()
		return ctx.Err()
	}}
	second := &Engine{"native", func(context.Context, run.Work, func(run.Event)) error {
		ran = append(ran, "native")
		return nil
	}}
	build := func(ctx context.Context) (*Engine, error) {
		select {
		case <-built:
			return second, broken
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	clock := func() time.Time { return time.Time{} }
	eng := race(first, build, 0, false, clock)
	err = eng.Run(ctx, run.Work{}, func(v run.Event) { notes = append(notes, v.Text) })
	return ran, notes, err
}

func TestRace(t *testing.T) {
	ready, never := make(chan struct{}), make(chan struct{})
	close(ready)
	failed := errors.New("it failed")
	if ran, notes, err := raced(t.Context(), nil, false, ready, nil); err != nil ||
		!slices.Equal(ran, []string{"vm", "native"}) || len(notes) != 1 {
		t.Errorf("built in time: %v ran, %q, %v", ran, notes, err)
	}
	if ran, notes, err := raced(t.Context(), nil, true, never, nil); err != nil ||
		!slices.Equal(ran, []string{"vm"}) || notes != nil {
		t.Errorf("ended before the build: %v ran, %q, %v", ran, notes, err)
	}
	if ran, _, err := raced(t.Context(), failed, true, ready, nil); err != failed ||
		!slices.Equal(ran, []string{"vm"}) {
		t.Errorf("failed: %v ran, %v", ran, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if ran, notes, err := raced(ctx, nil, false, never, nil); !errors.Is(err, context.Canceled) ||
		!slices.Equal(ran, []string{"vm"}) || notes != nil {
		t.Errorf("interrupted: %v ran, %q, %v", ran, notes, err)
	}
}

// TestRaceNotBuilt: where the build fails, the first engine goes on, and a note says why.
func TestRaceNotBuilt(t *testing.T) {
	told := make(chan string, 1)
	first := &Engine{"vm", func(ctx context.Context, _ run.Work, _ func(run.Event)) error {
		select {
		case text := <-told:
			if text != "sampling in process, by the VM: no space" {
				t.Errorf("the note is %q", text)
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	eng := race(first, func(context.Context) (*Engine, error) {
		return nil, errors.New("no space")
	}, 0, false, time.Now)
	if err := eng.Run(t.Context(), run.Work{}, func(v run.Event) { told <- v.Text }); err != nil {
		t.Error(err)
	}
}

// TestRaceSampled: a build ends when no chain has steps left, before the run does.
func TestRaceSampled(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	first := &Engine{"vm", func(_ context.Context, w run.Work, _ func(run.Event)) error {
		<-begun
		w.Sampled()
		<-ended
		return nil
	}}
	eng := race(first, func(ctx context.Context) (*Engine, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}, 0, false, time.Now)
	if err := eng.Run(t.Context(), run.Work{}, func(v run.Event) { t.Errorf("%+v", v) }); err != nil {
		t.Error(err)
	}
}
