package approximate

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// The fit of advi. In coordinates in which the law of pathfinder is N(0, I), or has unit
// variances, gradients of the ELBO are followed by Adam (Kingma and Ba 2015) with a fixed step.
// When the iterates are stationary their mean is taken, and the step is halved, until means at
// two steps agree: Welandawe, Andersen, Vehtari and Huggins 2022, "Robust, automated, and
// accurate black-box variational inference", whose rules are by R-hat and Monte Carlo errors.
const (
	firstStep    = 0.1  // of Adam; by √d less of a dense matrix, whose rows have d numbers
	halvings     = 10   // of the step, at most
	longest      = 2000 // steps of a size, where its iterates do not become stationary
	window       = 200  // iterates before stationarity is judged, and between judgements
	stationary   = 1.1  // R-hat of the halves of the window
	adamMean     = 0.9
	adamSquare   = 0.999
	adamFloor    = 1e-8
	comparedWith = 1000 // draws of pathfinder that tell of mass elsewhere
	missedMass   = 0.1  // the part of the mass elsewhere that counts
)

// findADVI is the method advi.
func findADVI(f *finder) (*Mixture, error) {
	paths, err := findPathfinder(f)
	if err != nil {
		return nil, err
	}
	best, err := f.heaviest(paths)
	if err != nil {
		return nil, err
	}
	a := newFit(f, &paths.Components[best])
	ended, err := a.run()
	if err != nil {
		return nil, err
	}
	law := a.law()
	m := &Mixture{Components: []Component{{law, a.in, 1}}, Says: paths.Says,
		Gradients: paths.Gradients + a.calls(), Doubts: paths.Doubts}
	if ended != "" {
		m.Doubts = append(m.Doubts, ended)
	}
	m.Says = append(m.Says, fmt.Sprintf("%d steps of advi, the last of size %.2g, begun at the law "+
		"of one of %d paths", a.steps, a.step, len(paths.Components)))
	if len(paths.Components) > 1 {
		m.Missed, err = f.elsewhere(m, paths)
	}
	return m, err
}

// logMass estimates the logarithm of the mass of the posterior by draws of a mixture, and its
// parts by component.
func (f *finder) logMass(m *Mixture, draws int) (total float64, parts []float64, err error) {
	ratios := make([]float64, draws)
	of := make([]int, draws)
	const part = 64
	err = f.each((draws+part-1)/part, func(k int) error {
		s := m.sampling(f.c.Seed, purposeCompare)
		state := make([]float64, f.t.Dim())
		for i := k * part; i < min((k+1)*part, draws); i++ {
			p, q := s.draw(i, state)
			ratios[i], of[i] = p-q, s.component(i)
		}
		return f.ctx.Err()
	})
	by := make([][]float64, len(m.Components))
	for i, r := range ratios {
		if math.IsNaN(r) {
			r = math.Inf(-1)
		}
		ratios[i] = r
		by[of[i]] = append(by[of[i]], r)
	}
	logs := make([]float64, draws)
	new(diagnose.Workspace).PSIS(ratios, 1, logs)
	parts = make([]float64, len(m.Components))
	for i := range parts {
		parts[i] = logSumExp(by[i])
	}
	return logSumExp(ratios) - special.Log(float64(draws)), parts, err
}

// heaviest is the path whose draws have most of the mass.
func (f *finder) heaviest(m *Mixture) (int, error) {
	best := 0
	_, parts, err := f.logMass(m, comparedWith)
	for i, v := range parts {
		if v > parts[best] {
			best = i
		}
	}
	m.Gradients += comparedWith
	return best, err
}

// elsewhere says whether the paths of pathfinder found mass that the law of advi has no draws
// in; "" where they did not.
func (f *finder) elsewhere(m, paths *Mixture) (string, error) {
	all := &Mixture{Components: append([]Component{}, paths.Components...)}
	all.Components = append(all.Components, m.Components[0])
	for i := range all.Components {
		all.Components[i].weight = 0.5 / float64(len(paths.Components))
	}
	all.Components[len(paths.Components)].weight = 0.5
	own, _, err := f.logMass(m, comparedWith)
	if err != nil {
		return "", err
	}
	whole, _, err := f.logMass(all, 2*comparedWith)
	m.Gradients += 3 * comparedWith
	if missed := 1 - special.Exp(own-whole); missed > missedMass {
		return fmt.Sprintf("other paths found about %.0f %% of the mass where this law has no draws: "+
			"the posterior has several modes, or tails that no normal law has", 100*missed), err
	}
	return "", err
}

// run follows the gradients until means of iterates at two steps agree; it says why it ended
// else.
func (a *fit) run() (unsettled string, err error) {
	a.f.tell("advi, %s", map[string]string{Dense: "full rank", Diagonal: "mean field",
		LowRank: fmt.Sprintf("rank %d", a.rank)}[a.kind])
	var before []float64
	a.step = firstStep
	if a.kind == Dense {
		a.step /= math.Sqrt(float64(len(a.base.Mean)))
	}
	for range halvings {
		mean, settled, err := a.level()
		if err != nil {
			return "", err
		}
		if mean == nil {
			return fmt.Sprintf("the gradients of advi are not finite at step %d", a.steps), nil
		}
		copy(a.params, mean)
		if settled && before != nil && a.moved(before, mean) < a.f.c.Tolerance {
			return "", nil
		}
		if a.steps >= a.f.c.Iterations {
			return fmt.Sprintf("%d steps of advi are over, and its law may still change by more "+
				"than %g standard deviations", a.steps, a.f.c.Tolerance), nil
		}
		before = mean
		a.step /= 2
	}
	return fmt.Sprintf("the law of advi still changes by more than %g standard deviations at steps "+
		"of %.2g", a.f.c.Tolerance, a.step), nil
}

// moved is the most that a mean or a logarithm of a scale changed.
func (a *fit) moved(before, now []float64) float64 {
	d := len(a.base.Mean)
	b, n := a.inner(before), a.inner(now)
	vb, vn := b.variances(), n.variances()
	most := 0.0
	for i := range d {
		most = max(most, math.Abs(before[i]-now[i])/math.Sqrt(vn[i]),
			math.Abs(special.Log(vn[i]/vb[i]))/2)
	}
	return most
}

// features are the numbers of a law that must be stationary: all params, or with directions, of
// which many give one law, the means and the logarithms of the standard deviations.
func (a *fit) features(params []float64) []float64 {
	if a.kind != LowRank {
		return params
	}
	d := len(a.base.Mean)
	out := append([]float64(nil), params[:d]...)
	for _, v := range a.inner(params).variances() {
		out = append(out, special.Log(v)/2)
	}
	return out
}

// level takes steps of one size until the iterates are stationary and their mean is known well
// enough, and returns the mean; nil where a gradient is not finite.
func (a *fit) level() (mean []float64, settled bool, err error) {
	n := len(a.params)
	known := a.features
	adam := &adam{first: make([]float64, n), second: make([]float64, n), mean: 1, square: 1}
	grad := make([]float64, n)
	history := &history{}
	for a.steps < a.f.c.Iterations && history.n < longest {
		if err := a.gradient(grad); err != nil {
			return nil, false, err
		}
		if !finite(grad) {
			return nil, false, nil
		}
		adam.move(a.params, grad, a.step)
		history.add(a.params)
		if history.n%window == 0 {
			if mean, settled = history.settled(a.f.c.Tolerance/2, known); settled {
				return mean, true, nil
			}
		}
	}
	if history.n < 2 {
		return append([]float64(nil), a.params...), false, nil
	}
	mean, _ = history.settled(0, known)
	return mean, false, nil
}

// gradient writes the mean over samples, on the next minibatch where there are any.
func (a *fit) gradient(grad []float64) error {
	if a.batches != nil {
		a.rows, a.scale = a.batches.At(int64(a.steps))
	}
	law := a.inner(a.params)
	err := loop.Parallel(a.f.ctx, len(a.each), a.f.threads, func(_, k int) error {
		a.sample(k, law, a.each[k])
		return nil
	})
	a.steps++
	clear(grad)
	for _, g := range a.grads {
		kernel.Axpy(1/float64(len(a.grads)), g, grad)
	}
	return err
}
