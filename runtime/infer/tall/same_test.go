package tall

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// nowhere is a sink that forgets.
type nowhere struct{}

func (nowhere) Draw(int, int64, []float64, *sampler.Stats) error { return nil }
func (nowhere) Progress(sampler.Progress)                        {}
func (nowhere) Checkpoint(int, []byte) error                     { return nil }
func (nowhere) Reserve(int64) error                              { return nil }

// drawn keeps the draws and checkpoints of a run, and stops it after so many draws of a
// chain, if not 0.
type drawn struct {
	draws  [][]float64
	states [][]byte
	stop   int
	cancel func()
}

func (s *drawn) Draw(chain int, index int64, out []float64, _ *sampler.Stats) error {
	s.draws[chain] = append(s.draws[chain], out...)
	if s.stop > 0 && int(index) == s.stop {
		s.cancel()
	}
	return nil
}
func (s *drawn) Progress(sampler.Progress) {}
func (s *drawn) Checkpoint(chain int, state []byte) error {
	s.states[chain] = append([]byte(nil), state...)
	return nil
}
func (s *drawn) Reserve(int64) error { return nil }

// TestSameDraws: a run has the same plan and draws on any number of threads, and after
// an interruption.
func TestSameDraws(t *testing.T) {
	of := logisticRegression(4000, 4, 3)
	set := Settings{Seed: 7, Anyway: true, Draws: 150}
	var want *drawn
	var plan Plan
	for _, threads := range []int{1, 4} {
		for _, stop := range []int{0, 40} {
			s, err := Prepare(t.Context(), of, set, loop.Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			got := &drawn{draws: make([][]float64, 4), states: make([][]byte, 4), stop: stop}
			for {
				r, err := NewRun(of, s, set)
				if err != nil {
					t.Fatal(err)
				}
				for c, state := range got.states {
					if state == nil {
						continue
					}
					if err := r.Resume(c, state); err != nil {
						t.Fatal(err)
					}
					_, draws := r.Steps(c)
					got.draws[c] = got.draws[c][:int(draws)*of.d]
				}
				ctx, cancel := context.WithCancel(t.Context())
				got.cancel = cancel
				_, err = r.Go(ctx, got, loop.Options{Threads: threads}, time.Time{})
				cancel()
				if err == nil {
					break
				}
				if got.stop == 0 || !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				got.stop = 0
			}
			if want == nil {
				want, plan = got, s.Plan
			}
			if !reflect.DeepEqual(plan, s.Plan) {
				t.Errorf("%d threads: the plan is\n%+v, not\n%+v", threads, s.Plan, plan)
			}
			if !reflect.DeepEqual(want.draws, got.draws) {
				t.Errorf("%d threads, stopped at %d: other draws", threads, stop)
			}
		}
	}
}
