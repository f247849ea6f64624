package approximate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/start"
)

// A Refusal says why a posterior has no approximation by a method.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

func refusal(format string, a ...any) error { return &Refusal{setting.Sprintf(format, a...)} }

// A finder finds the mixture of a method.
type finder struct {
	ctx     context.Context
	t       target.Target
	c       Config
	threads int
	say     func(words string)
}

// starts are the states at which the method begins.
func (f *finder) starts() ([][]float64, error) {
	spaces, err := manifold.Product(f.t.Blocks(), f.t.Dim())
	if err != nil {
		return nil, err
	}
	law := start.Law{Init: f.c.Init, Radius: f.c.InitRadius, Seed: f.c.Seed,
		Plain: f.c.PlainStart, Jacobian: 1}
	out := make([][]float64, f.c.Paths)
	var failed error
	for k := range out {
		x := make([]float64, f.t.Dim())
		err := law.Place(spaces, f.t.NewEvaluator(1), k, x, make([]float64, f.t.Dim()))
		if err != nil {
			failed = err
			continue
		}
		out[k] = x
	}
	out = slices.DeleteFunc(out, func(x []float64) bool { return x == nil })
	if len(out) == 0 {
		var e *start.Error
		if errors.As(failed, &e) {
			return nil, refusal("no climb can begin: %s; try %s", e.Problem, e.Try)
		}
		return nil, failed
	}
	return out, nil
}

const (
	recentred   = 20 // charts about the point where a climb has come to, at most
	recentreEnd = 200
	quarterTurn = 1.0 // of a coordinate of a chart: its point is a quarter turn from the middle
)

// about returns coordinates of the target for a climb from a state, and the state that they are
// about. Where the target has blocks on curved spaces that is the one that a climb in charts comes
// to, which goes up the density by the measure of the space.
func (f *finder) about(state []float64) (in *space, middle []float64, err error) {
	in, middle = spaceOf(f.t, state), slices.Clone(state)
	if in.curved == nil {
		return in, middle, nil
	}
	for range recentred {
		in = spaceOf(f.t, middle)
		e := in.evaluator(1)
		c := newClimber(func(x, g []float64) float64 { return e.flat(x, g) },
			make([]float64, in.dim()))
		e.coordinates(middle, c.x)
		c.value = e.flat(c.x, c.g)
		how, err := c.climb(f.ctx, recentreEnd, func() bool {
			far, _ := e.chart.Farthest(c.x)
			return far < quarterTurn
		})
		if err != nil {
			return nil, nil, err
		}
		e.state(c.x, middle)
		if how != exhausted {
			break
		}
	}
	return spaceOf(f.t, middle), middle, nil
}

// flat is the density by the measure of curved spaces, and that of unconstrained coordinates of
// the others.
func (e *evaluator) flat(z, grad []float64) float64 {
	e.calls++
	x := e.all(z)
	e.chart.Move(x)
	v := e.chart.Evaluator.LogDensityGradient(e.chart.Point, nil, 1, 1, e.chart.Grad)
	e.chart.Pull(e.chart.Grad, 0, grad)
	return finiteOr(v, grad)
}

// each calls do for the numbers 0 … n − 1, several at once.
func (f *finder) each(n int, do func(k int) error) error {
	return loop.Parallel(f.ctx, n, f.threads, func(_, k int) error { return do(k) })
}

func (f *finder) tell(format string, a ...any) {
	if f.say != nil {
		f.say(fmt.Sprintf(format, a...))
	}
}

func sprintf(format string, a ...any) string { return setting.Sprintf(format, a...) }

func join(x []string) string { return strings.Join(x, ", ") }
