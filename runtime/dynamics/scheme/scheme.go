// Package scheme compiles splitting words into weighted steps. A sampler's
// integrator is a word such as "A B O B A" with what each letter does; the time
// of a letter that occurs k times in the word is h/k, so that a palindrome is
// the symmetric splitting A(h/2) B(h/2) O(h) B(h/2) A(h/2), which is of second
// order (Chen, Ding and Carin 2015, "On the Convergence of Stochastic Gradient
// MCMC Algorithms with High-Order Integrators").
package scheme

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
)

// A Scheme is a word and the flows of its letters.
type Scheme struct {
	Name    string // "euler", "split" or "leapfrog"
	Word    string // letters separated by spaces
	Letters map[string][]flow.Kind
	// Carried: the step before ended with a gradient at the x of this one's start.
	Carried bool
}

// A Step is a flow for the time Weight·h.
type Step struct {
	Flow   flow.Kind
	Weight float64
}

// Compile turns a word into steps: weights, the gradient where the first flow
// needs one that is not stale, and one exponential instead of two where a
// friction repeats. A word takes exactly one gradient.
func Compile(s Scheme) ([]Step, error) {
	letters := strings.Fields(s.Word)
	if len(letters) == 0 {
		return nil, nil // a sampler without an equation of motion
	}
	count := map[string]int{}
	for _, l := range letters {
		count[l]++
	}
	var steps []Step
	fresh, gradients := s.Carried, 0
	for _, l := range letters {
		flows, ok := s.Letters[l]
		if !ok {
			return nil, fmt.Errorf("the word %q has the letter %s, which stands for nothing",
				s.Word, l)
		}
		w := 1 / float64(count[l])
		for _, k := range flows {
			if k.Info().Forced && !fresh {
				steps = append(steps, Step{flow.Gradient, 0})
				fresh = true
				gradients++
			}
			if k.Info().Moves {
				fresh = false
			}
			steps = append(steps, Step{k, w})
		}
	}
	if gradients != 1 {
		return nil, fmt.Errorf("the word %q takes %d gradients; a step takes one", s.Word,
			gradients)
	}
	repeatFrictions(steps)
	return steps, nil
}

// repeatFrictions marks a friction whose factor is that of the one before: the
// same weight, and no thermostat between them.
func repeatFrictions(steps []Step) {
	last := -1
	for i := range steps {
		switch steps[i].Flow {
		case flow.Thermostat:
			last = -1
		case flow.Friction:
			if last >= 0 && steps[last].Weight == steps[i].Weight {
				steps[i].Flow = flow.FrictionAgain
			} else {
				last = i
			}
		}
	}
}

// NeedsFlat reports whether a step is defined on flat blocks only.
func NeedsFlat(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return !s.Flow.Info().Curved })
}

// A Program is a word ready to run on one state: runs of flows that treat
// each span by itself, fused where there is a fusion, between the
// gradient and the thermostats that need the whole state.
type Program struct {
	state *flow.State
	steps []Step
	ops   []op
	times []float64 // of the steps, for the step size of the last Run
	size  float64   // that size; NaN before
	force int       // the step that is the gradient

	joining joining
}

// An op is a fused run on a span, one flow on a span, or one on the state.
type op struct {
	fused *flow.Fusion
	span  *flow.Factor
	flow  flow.Kind
	at    int // of its first step
}

// NewProgram plans the steps on a state.
func NewProgram(s *flow.State, steps []Step) *Program {
	p := &Program{state: s, steps: steps, times: make([]float64, len(steps)), size: math.NaN()}
	p.force = slices.IndexFunc(steps, func(s Step) bool { return s.Flow == flow.Gradient })
	for i := 0; i < len(steps); {
		if !s.Local(steps[i].Flow) {
			p.ops = append(p.ops, op{flow: steps[i].Flow, at: i})
			i++
			continue
		}
		end := i
		for end < len(steps) && s.Local(steps[end].Flow) {
			end++
		}
		for f := range s.Spans {
			p.plan(&s.Spans[f], i, end)
		}
		i = end
	}
	return p
}

// plan adds the steps [from, to) on one span.
func (p *Program) plan(f *flow.Factor, from, to int) {
	kinds := make([]flow.Kind, 0, to-from)
	for _, s := range p.steps[from:to] {
		kinds = append(kinds, s.Flow)
	}
	for i := from; i < to; {
		if u := flow.Fuse(f, kinds[i-from:]); u != nil {
			p.ops = append(p.ops, op{fused: u, span: f, at: i})
			i += len(u.Flows)
			continue
		}
		p.ops = append(p.ops, op{flow: p.steps[i].Flow, span: f, at: i})
		i++
	}
}

// Run takes one step of size h.
func (p *Program) Run(h float64) {
	p.aim(h)
	p.between(0, len(p.steps))
	p.state.Primed = true
}

// aim makes the times of a step of size h.
func (p *Program) aim(h float64) {
	if h == p.size {
		return
	}
	p.size = h
	for i := range p.steps {
		p.times[i] = float64(p.steps[i].Weight * h)
	}
}

// between is the steps [from, to); no op is on both sides of the gradient.
func (p *Program) between(from, to int) {
	if p.state.Single != nil {
		p.state.Single.RunAll(p.joining.kinds[from:to], p.times[from:to])
		return
	}
	for i := range p.ops {
		switch o := &p.ops[i]; {
		case o.at < from || o.at >= to:
		case o.fused != nil:
			o.fused.Run(p.state, o.span, p.times[o.at:])
		case o.span != nil:
			p.state.RunOn(o.span, o.flow, p.times[o.at])
		default:
			p.state.Run(o.flow, p.times[o.at])
		}
	}
}

// RunPlainly takes the same step flow by flow over the whole state, which is
// what Run must agree with bit for bit.
func (p *Program) RunPlainly(h float64) {
	if q := p.state.Single; q != nil {
		q.Take()
	}
	if p.joining.join != nil || p.state.Single != nil {
		p.joining.moment = p.state.Drawing.Moment
		p.draw()
	}
	p.plainly(0, len(p.steps), h)
	p.state.Primed = true
	if q := p.state.Single; q != nil {
		q.Publish()
	}
}

// plainly is the steps [from, to) flow by flow.
func (p *Program) plainly(from, to int, h float64) {
	for _, s := range p.steps[from:to] {
		k := s.Flow
		if k == flow.FrictionAgain {
			k = flow.Friction
		}
		p.state.Run(k, float64(s.Weight*h))
	}
}
