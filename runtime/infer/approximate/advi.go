package approximate

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
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
	m.ELBO = a.mean()
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

// A fit is the law of a family on its way. Its coordinates are x = mean + B v of the base, a law
// of pathfinder: v has the law that is fitted.
type fit struct {
	f      *finder
	in     *space
	base   *Normal
	kind   string
	rank   int
	params []float64 // see layout
	each   []*fitEvaluator
	steps  int
	step   float64

	batches *batch.Batcher
	rows    []int
	scale   float64
	grads   [][]float64 // of each sample
	elbos   []float64
}

// A fitEvaluator has what one sample of a gradient needs.
type fitEvaluator struct {
	*evaluator
	u, v, x, g, w []float64
}

// newFit begins at a law of pathfinder: of the diagonal kinds at its variances.
func newFit(f *finder, at *Component) *fit {
	d := len(at.Mean)
	a := &fit{f: f, in: at.in, kind: f.c.Covariance, rank: f.c.Rank, scale: 1}
	if a.kind == Dense {
		a.base = at.Normal
	} else {
		sd := at.variances()
		for i, v := range sd {
			sd[i] = math.Sqrt(v)
		}
		a.base = newLow(at.Mean, sd, nil, nil)
	}
	size := map[string]int{Dense: d + d*(d+1)/2, Diagonal: 2 * d, LowRank: (2 + a.rank) * d}[a.kind]
	a.params = make([]float64, size)
	if a.kind == LowRank { // not at zero, where its gradient is zero
		src := rng.New(f.c.Seed, 0, purposeProbe).At(0)
		for i := 2 * d; i < size; i++ {
			if k := i/d - 2; i%d >= k {
				a.params[i] = 0.1 * src.Normal()
			}
		}
	}
	if n := f.c.Batch; n > 0 && n < f.t.Rows() {
		a.batches = batch.New(f.t.Rows(), n, batch.Shuffle, rng.New(f.c.Seed, 0, purposeRows))
	}
	for range f.c.Samples {
		e := &fitEvaluator{evaluator: a.in.evaluator(f.c.Batch)}
		for _, p := range []*[]float64{&e.u, &e.v, &e.x, &e.g} {
			*p = make([]float64, d)
		}
		e.w = make([]float64, a.base.scratch()+2*a.rank+d)
		a.each, a.grads = append(a.each, e), append(a.grads, make([]float64, size))
	}
	return a
}

func (a *fit) calls() int {
	sum := 0
	for _, e := range a.each {
		sum += e.calls
	}
	return sum
}

// inner is the law of v: the params are the mean, then the logarithms of a diagonal, then the
// rows of the triangle below it, or the directions of low-rank.
func (a *fit) inner(params []float64) *Normal {
	d := len(a.base.Mean)
	mean, diagonal := params[:d], make([]float64, d)
	kernel.Exp(diagonal, params[d:2*d])
	switch a.kind {
	case Dense:
		chol := make([]float64, d*d)
		at := 2 * d
		for i := range d {
			copy(chol[i*d:], params[at:at+i])
			chol[i*d+i] = diagonal[i]
			at += i
		}
		return newDense(mean, chol)
	case Diagonal:
		return newLow(mean, diagonal, nil, nil)
	}
	// diag² + Σ b bᵀ = diag (I + Σ c cᵀ) diag, c = b ⊘ diag
	rows := make([][]float64, a.rank)
	for k := range rows {
		rows[k] = make([]float64, d)
		for i := range d {
			rows[k][i] = params[(2+k)*d+i] / diagonal[i]
		}
	}
	q, r := orthonormal(rows, d)
	n := len(r)
	in := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			in[i*n+j] = kernel.Dot(r[i], r[j])
		}
		in[i*n+i]++
	}
	l := make([]float64, n*n)
	kernel.Cholesky(l, in, 1, n)
	return newLow(mean, diagonal, q, l)
}

// sample adds to the gradient of the ELBO that of one draw of v: the derivative along the path of
// the draw alone, whose noise vanishes where the law is the posterior (Roeder, Wu and Duvenaud
// 2017, "Sticking the landing").
func (a *fit) sample(k int, law *Normal, e *fitEvaluator) {
	d := len(e.u)
	grad := a.grads[k]
	stream := rng.New(a.f.c.Seed, k/2, purposeGradient)
	stream.Normals(uint64(a.steps), e.u)
	eta := e.w[:a.rank]
	if a.kind == LowRank {
		src := stream.At(uint64(a.steps))
		for i := range eta {
			eta[i] = src.Normal()
		}
	}
	if k%2 == 1 { // in pairs: what is odd in the draw cancels
		negate(e.u)
		negate(eta)
	}
	a.path(law, eta, e)
	a.base.point(e.v, e.x, e.w[a.rank:])
	f := e.gradient(e.x, a.rows, a.scale, 1, e.g)
	a.elbos[k] = f
	a.base.pullTo(e.g, e.x, e.w[a.rank:]) // by v
	scratch := e.w[a.rank:]
	law.standard(e.v, e.g, scratch)
	a.elbos[k] -= law.logAt(e.g) + a.base.log + halfLog2Pi*float64(d)
	law.pull(e.g, e.g, scratch)
	for i := range d {
		e.g[i] = e.x[i] - e.g[i] // ∇ log p − ∇ log q
	}
	copy(grad, e.g)
	for i := range d {
		grad[d+i] = float64(e.g[i]*e.u[i]) * law.spread(i)
	}
	switch a.kind {
	case Dense:
		at := 2 * d
		for i := range d {
			for j := range i {
				grad[at+j] = float64(e.g[i] * e.u[j])
			}
			at += i
		}
	case LowRank:
		for r := range a.rank {
			for i := r; i < d; i++ { // zeros before: rotations of the directions are one law
				grad[(2+r)*d+i] = float64(e.g[i] * eta[r])
			}
		}
	}
}

// path writes the draw of v that the standard normal numbers u, and eta along the directions of
// low-rank, give.
func (a *fit) path(law *Normal, eta []float64, e *fitEvaluator) {
	if a.kind != LowRank {
		law.point(e.u, e.v, e.w[a.rank:])
		return
	}
	d := len(e.u)
	for i := range d {
		e.v[i] = law.Mean[i] + float64(law.Scale[i]*e.u[i])
	}
	for r, by := range eta {
		kernel.Axpy(by, a.params[(2+r)*d:(3+r)*d], e.v)
	}
}

// spread is the entry of the diagonal that a param has the logarithm of.
func (n *Normal) spread(i int) float64 {
	if n.Chol != nil {
		return n.Chol[i*len(n.Mean)+i]
	}
	return n.Scale[i]
}

// pullTo writes the gradient by standard normal numbers from that by points, Bᵀ g.
func (n *Normal) pullTo(g, out, scratch []float64) {
	for i, v := range g {
		out[i] = n.Scale[i] * v
	}
	n.inDirections(out, scratch, func(a, b []float64) { // Lᵀ a
		for j := range n.r {
			b[j] = 0
			for i := j; i < n.r; i++ {
				b[j] += float64(n.L[i*n.r+j] * a[i])
			}
		}
	})
}

func negate(x []float64) {
	for i := range x {
		x[i] = -x[i]
	}
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
	a.elbos = make([]float64, len(a.each))
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

// mean is the ELBO by the samples of the last step.
func (a *fit) mean() float64 {
	sum := 0.0
	for _, v := range a.elbos {
		sum += v / float64(len(a.elbos))
	}
	return sum
}

// law is the law of x = m + B v.
func (a *fit) law() *Normal {
	v := a.inner(a.params)
	d := len(v.Mean)
	mean := make([]float64, d)
	a.base.point(v.Mean, mean, make([]float64, a.base.scratch()))
	if a.kind != Dense {
		scale := make([]float64, d)
		for i := range scale {
			scale[i] = float64(a.base.Scale[i] * v.Scale[i])
		}
		return newLow(mean, scale, v.Q, v.L)
	}
	// B C is square: its covariance is factored anew
	columns := make([]float64, d*d) // (B C)ᵀ by rows
	unit, scratch := make([]float64, d), make([]float64, a.base.scratch())
	centred := *a.base
	centred.Mean = make([]float64, d)
	for j := range d {
		for i := range d {
			unit[i] = v.Chol[i*d+j]
		}
		centred.point(unit, columns[j*d:(j+1)*d], scratch)
	}
	cov := make([]float64, d*d)
	for j := range d {
		kernel.Ger(cov, columns[j*d:(j+1)*d], columns[j*d:(j+1)*d], d, d, true)
	}
	chol := make([]float64, d*d)
	kernel.Cholesky(chol, cov, 1, d)
	return newDense(mean, chol)
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// An adam has the averages of Adam.
type adam struct {
	first, second []float64
	mean, square  float64 // powers of the two rates
}

// move goes up the gradient.
func (m *adam) move(x, grad []float64, step float64) {
	m.mean, m.square = m.mean*adamMean, m.square*adamSquare
	a, b := 1-m.mean, 1-m.square
	for i, g := range grad {
		m.first[i] = float64(adamMean*m.first[i]) + float64((1-adamMean)*g)
		m.second[i] = float64(adamSquare*m.second[i]) + float64(float64((1-adamSquare)*g)*g)
		x[i] += step * (m.first[i] / a) / (math.Sqrt(m.second[i]/b) + adamFloor)
	}
}

// A history has the iterates of a level, in blocks of which the means are kept.
type history struct {
	n      int
	blocks [][]float64 // means of blocks of window/blocksIn iterates
	sum    []float64
}

// blockSize is how many iterates a block has.
const blockSize = 20

func (h *history) add(x []float64) {
	if h.n%blockSize == 0 {
		h.sum = make([]float64, len(x))
	}
	kernel.Axpy(1/float64(blockSize), x, h.sum)
	if h.n++; h.n%blockSize == 0 {
		h.blocks = append(h.blocks, h.sum)
	}
}

// settled returns the mean of the later half of the iterates, and whether that half is stationary
// and its mean known to the error: by the R-hat and the errors of the means of blocks.
func (h *history) settled(
	tolerance float64, features func(params []float64) []float64,
) ([]float64, bool) {
	late := h.blocks[len(h.blocks)/2:]
	if len(late) == 0 {
		return h.sum, false
	}
	d, n := len(late[0]), float64(len(late))
	mean := make([]float64, d)
	for _, b := range late {
		kernel.Axpy(1/n, b, mean)
	}
	if len(late) < 5 {
		return mean, false
	}
	var w diagnose.Workspace
	series, known := make([]float64, len(late)), make([][]float64, len(late))
	for k, b := range late {
		known[k] = features(b)
	}
	for i := range known[0] {
		least, most := math.Inf(1), math.Inf(-1)
		for k, b := range known {
			series[k] = b[i]
			least, most = min(least, b[i]), max(most, b[i])
		}
		if most-least < tolerance { // whatever it does, it is known
			continue
		}
		chain := [][]float64{series}
		if !(w.RhatBasic(chain) < stationary) || !(w.MCSEMean(chain) < tolerance) {
			return mean, false
		}
	}
	return mean, true
}
