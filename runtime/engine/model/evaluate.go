package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// An Evaluator runs a model's functions in one goroutine.
type Evaluator struct {
	m        *Model
	capacity int
	funcs    map[fn.ID]Func
	gradient Func
	density  Func
	frame    Frame
	buffers  []column.Buffer // buffers for the rows of a block, by index of Spec.Data
	carried  *carried        // scratch of GradientSingle, made by its first call
	trim     *trim           // lengths of ragged rows; nil if the model has none
	scalar   [1]float64      // the density's output
	both     Func            // density and gradient; nil before its first use or if the model lacks it
	// full is the function of full passes by sufficient statistics; nil if they do not use these.
	full     Func
	sought   bool      // full has been looked up
	only     Func      // full or both, once passes over all rows are known to be one call of it
	weighed  *weighing // full passes over distinct rows with weights; nil if full passes read all rows
	weighs   bool      // weighed has been looked up
	dims     map[string]int
	masks    *masks      // random numbers of dropout; nil if the model has none
	locals   *locals     // for a model whose chains draw latent values of rows
	room     []float64   // output of both, full and weighed: a gradient, then a density
	scratch  []float64   // receives gradients that the caller does not need
	variate  *variate    // workspace of Difference; nil before HasDifference has returned true
	joined   *joined     // for full conditionals; nil if the model has none
	cold     []cold      // columns whose rows are asked for before they are read
	fetches  bool        // Coming will be called
	placed   bool        // Lie will be, for each minibatch of rows in memory
	arranged arranged    // of the present minibatch
	turner   *pageTurner // for a model whose rows come in pages; nil until it follows them
	crew     *crew       // shares heavy calls among processors; nil without a team
}

// NewEvaluator makes a workspace for minibatches of at most capacity rows.
func (m *Model) NewEvaluator(capacity int) target.Evaluator { return m.Evaluator(capacity) }

// Evaluator is NewEvaluator with the concrete type as its result.
func (m *Model) Evaluator(capacity int) *Evaluator {
	e := &Evaluator{m: m, funcs: map[fn.ID]Func{}, capacity: min(capacity, m.block), dims: m.Dims}
	if capacity <= 0 {
		e.capacity = min(m.block, m.rows)
	}
	if m.Spec.Chain == nil {
		e.makeRoom()
		return e
	}
	// Draws of chains take much memory, so full passes use small blocks.
	e.capacity = max(e.capacity, min(m.block, m.rows, 32))
	e.Locals(target.LocalOptions{}, 0, 0)
	return e
}

// rowEvaluator returns an evaluator that processes a few rows at a time.
func (m *Model) rowEvaluator(dims map[string]int, rows int) *Evaluator {
	e := &Evaluator{m: m, funcs: map[fn.ID]Func{}, capacity: rows, dims: dims}
	e.makeRoom()
	if m.Spec.OneLength {
		e.trim = nil
	}
	return e
}

// makeRoom allocates the frame and the buffers for the rows of a block.
func (e *Evaluator) makeRoom() {
	m := e.m
	n := len(m.Spec.Data)
	e.frame.Dense, e.frame.Sparse = slices.Clone(m.full), slices.Clone(m.sparse)
	if m.Spec.Single {
		e.frame.Dense32, e.frame.Sparse32 = slices.Clone(m.single.full),
			slices.Clone(m.single.sparse)
	}
	e.buffers = make([]column.Buffer, n)
	for i, d := range m.Spec.Data {
		b := &e.buffers[i]
		b.Rows = e.capacity
		e.point(b, i)
		switch {
		case d.Filled:
			b.Width = product(d.Shape, e.dims)
			n := 1
			if d.Rows {
				b.Width = product(slices.Delete(slices.Clone(d.Shape), d.Lead, d.Lead+1), e.dims)
				n = e.capacity
			}
			if !m.Spec.Chain.draws(d.Name) {
				e.frame.Dense[i] = make([]float64, n*b.Width)
			}
		case d.Rows && m.columns[i] != nil: // else no function reads them
			b.Width = m.columns[i].Width()
		}
	}
	e.trim, e.masks, e.joined = m.newTrim(e.dims), e.newMasks(), m.newJoined()
}

// point makes a buffer write to the entries of the frame that belong to the datum at index i.
func (e *Evaluator) point(b *column.Buffer, i int) {
	b.Dense, b.Sparse = &e.frame.Dense[i], &e.frame.Sparse[i]
	if e.m.Spec.Single {
		b.Dense32, b.Sparse32 = &e.frame.Dense32[i], &e.frame.Sparse32[i]
	}
}

// fn returns a function of the model. It makes the function at its first use.
func (e *Evaluator) fn(id fn.ID) Func {
	f, ok := e.funcs[id]
	if !ok {
		// Full passes take whole blocks, whatever the minibatch.
		capacity := min(e.m.block, max(e.m.rows, e.capacity))
		if e.m.streamed != nil {
			capacity = e.m.block // another page may have more rows
		}
		if e.m.Spec.Chain != nil || id.Kind == fn.Difference {
			// what chains draw takes much memory: full passes take such blocks too
			capacity = e.capacity
		}
		f = e.m.code.Func(id.String(), e.dims, capacity)
		e.funcs[id] = f
	}
	return f
}

// call runs a function over the given rows in blocks; nil means all rows. If perRow is not nil, the
// function writes width numbers for each row into it.
func (e *Evaluator) call(f Func, x []float64, rows []int, out, perRow []float64, width int) {
	e.run(f, e.withHidden(x), rows, out, perRow, width)
}

// run is call for the input of a function as it is, without hidden values behind it.
func (e *Evaluator) run(f Func, x []float64, rows []int, out, perRow []float64, width int) {
	if e.crew == nil {
		e.alone(f, x, rows, out, perRow, width)
	} else {
		e.crew.run(f, x, rows, out, perRow, width)
	}
}

// alone is run by one function.
func (e *Evaluator) alone(f Func, x []float64, rows []int, out, perRow []float64, width int) {
	if e.trim != nil && rows == nil && perRow != nil {
		e.trimmed(f, x, perRow, width)
		return
	}
	e.frame.X, e.frame.Out = x, out
	if perRow != nil {
		e.frame.Out = nil
	}
	pieces := e.trim != nil && rows != nil && perRow == nil
	if pieces {
		rows = e.trim.cut(rows)
	}
	if e.trim != nil {
		e.trimTo(f, rows)
	}
	f.Prepare(&e.frame)
	if e.m.rows > 0 {
		n := e.m.rows
		if rows != nil {
			n = len(rows)
		}
		for start := 0; start < n; {
			end := n
			if pieces {
				end = e.trim.end(start)
				e.trimTo(f, rows[start:end])
			}
			count := e.block(rows, start, end)
			if e.locals != nil {
				e.locals.draw(x, rows, start, count)
			}
			if e.masks != nil {
				e.mask(start, count)
			}
			if perRow != nil {
				e.frame.Out = perRow[start*width : (start+count)*width]
			}
			f.Rows(&e.frame)
			start += count
		}
	}
	if perRow == nil {
		if pieces {
			e.trimTo(f, rows)
		}
		f.Finish(&e.frame)
	}
}

// trimmed calls a function that returns numbers for each row, one block of rows at a time. The rows
// of each block are padded to the longest of them.
func (e *Evaluator) trimmed(f Func, x, perRow []float64, width int) {
	if e.trim.all == nil {
		e.trim.all = make([]int, e.m.rows)
		for i := range e.trim.all {
			e.trim.all[i] = i
		}
	}
	for start := 0; start < e.m.rows; {
		end := min(start+min(e.m.block, e.capacity), e.m.rows)
		e.run(f, x, e.trim.all[start:end], nil, perRow[start*width:end*width], width)
		start = end
	}
}

// block makes the frame point at the next rows and returns the number of these rows.
func (e *Evaluator) block(rows []int, start, n int) int {
	count := min(n-start, e.m.block)
	if rows != nil || e.m.Spec.Chain != nil {
		count = min(count, e.capacity)
	}
	e.frame.N = count
	if v := e.variate; v != nil && v.running {
		copy(v.weight, v.weights[start:start+count])
	}
	set := column.Rows{Start: start, Count: count, Block: e.m.block}
	if rows != nil {
		set.Take(rows[start : start+count])
		set.Places, set.Soon = e.arranged.of(rows, start, count)
	}
	columns, buffers := e.m.columns, e.buffers
	if e.m.Spec.Single && e.doubled() {
		columns, buffers = e.m.doubles, e.variate.taking(e.buffers)
	}
	for i, c := range columns {
		if c != nil {
			c.Fill(&buffers[i], set)
		}
	}
	return count
}

// Gradient implements target.Evaluator.
func (e *Evaluator) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.gradientOf(x, e.local(rows), scale, jacobian, grad)
}

// gradientOf is Gradient for rows given by their indices in the current page.
func (e *Evaluator) gradientOf(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	// the density besides costs next to nothing
	if rows == nil && e.masks == nil && (e.collapsed() || e.weighing() != nil) {
		e.LogDensityGradient(x, nil, scale, jacobian, grad)
		return
	}
	e.frame.Scale, e.frame.Jacobian = scale, jacobian
	f := e.gradientFunc()
	if e.locals != nil {
		e.locals.begin(x)
	}
	e.call(f, x, rows, grad, nil, 0)
	if e.locals != nil {
		e.locals.end()
	}
}

// gradientFunc returns the function of the gradient. It is made at its first use: it has arrays of
// its own, which evaluators that only predict do without.
func (e *Evaluator) gradientFunc() Func {
	if e.gradient == nil {
		e.gradient = e.fn(fn.Gradient.ID())
	}
	return e.gradient
}

// LogDensity implements target.Evaluator.
func (e *Evaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	if rows == nil && (e.m.streamed != nil && e.collapsed() || e.weighing() != nil) {
		if e.scratch == nil {
			e.scratch = make([]float64, e.m.dim)
		}
		return e.LogDensityGradient(x, nil, scale, jacobian, e.scratch)
	}
	return e.densityOf(x, e.local(rows), scale, jacobian)
}

// densityOf is LogDensity for rows given by their indices in the current page.
func (e *Evaluator) densityOf(x []float64, rows []int, scale, jacobian float64) float64 {
	if e.trim != nil && e.locals == nil && rows == nil && e.m.rows > 0 &&
		e.fn(fn.Loglik.ID()) != nil {
		return e.trimmedDensity(x, scale, jacobian)
	}
	e.frame.Scale, e.frame.Jacobian = scale, jacobian
	if e.density == nil {
		e.density = e.fn(fn.Density.ID())
	}
	e.call(e.density, x, rows, e.scalar[:], nil, 0)
	return e.scalar[0]
}

// LogDensityGradient implements target.Evaluator.
func (e *Evaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	if rows == nil && e.only != nil {
		return e.evaluateAlone(x, scale, jacobian, grad)
	}
	rows = e.local(rows)
	if rows == nil {
		if w := e.weighing(); w != nil {
			e.makeOut(len(grad))
			w.evaluate(x, scale, jacobian, e.room)
			copy(grad, e.room)
			return e.room[len(grad)]
		}
	}
	var f Func
	switch {
	case rows == nil && e.collapsed():
		f = e.full
	case e.both != nil:
		f = e.both
	default:
		if f = e.fn(fn.Evaluate.ID()); f == nil {
			density := e.densityOf(x, rows, scale, jacobian)
			e.gradientOf(x, rows, scale, jacobian, grad)
			return density
		}
		e.both = f
	}
	e.makeOut(len(grad))
	e.frame.Scale, e.frame.Jacobian = scale, jacobian
	if f == e.full && !e.m.Spec.Collapse.Rows || e.m.rows == 0 {
		// small models: nothing but the function itself
		if e.m.streamed == nil && e.joined == nil && e.weighs {
			e.only = f
		}
		e.frame.X, e.frame.Out = e.withHidden(x), e.room
		f.Prepare(&e.frame)
		f.Finish(&e.frame)
	} else {
		e.call(f, x, rows, e.room, nil, 0)
	}
	copy(grad, e.room)
	return e.room[len(grad)]
}

// evaluateAlone is LogDensityGradient by one call of a function that reads no rows.
func (e *Evaluator) evaluateAlone(x []float64, scale, jacobian float64, grad []float64) float64 {
	frame, f, out := &e.frame, e.only, e.room
	frame.Scale, frame.Jacobian = scale, jacobian
	frame.X, frame.Out = x, out
	f.Prepare(frame)
	f.Finish(frame)
	copy(grad, out)
	return out[len(grad)]
}

// makeOut allocates the output buffer for a gradient of n numbers and a density.
func (e *Evaluator) makeOut(n int) {
	if len(e.room) == 0 {
		e.room = make([]float64, n+1)
	}
}

// collapsed reports whether full passes use the function full. The first call makes that function.
func (e *Evaluator) collapsed() bool {
	if !e.sought && e.m.streamed != nil && !e.m.totals.there() {
		return false // nobody has asked for full passes
	}
	if !e.sought {
		e.sought, e.full = true, e.fullFunc()
	}
	return e.full != nil
}

// Constrain implements target.Evaluator.
func (e *Evaluator) Constrain(x, out []float64) {
	e.frame.X, e.frame.Out = e.withHidden(x), out
	f := e.fn(fn.Constrain.ID())
	f.Prepare(&e.frame)
	f.Finish(&e.frame)
}

// Unconstrain implements target.Evaluator.
func (e *Evaluator) Unconstrain(out, x []float64) error {
	e.frame.X, e.frame.Out = out, x
	f := e.fn(fn.Unconstrain.ID())
	f.Prepare(&e.frame)
	f.Finish(&e.frame)
	for _, b := range e.m.blocks {
		for i, v := range x[b.Offset : b.Offset+b.Len] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s is outside its support (coordinate %d)", b.Name, i)
			}
		}
	}
	return nil
}

// LogLik implements target.Evaluator.
func (e *Evaluator) LogLik(x []float64, rows []int, out []float64) {
	rows = e.local(rows)
	e.call(e.fn(fn.Loglik.ID()), x, rows, nil, out, 1)
}

// Observed writes the log likelihood of the observed entries of each row. Missing entries, which
// are unknowns of the model, contribute 0.
func (e *Evaluator) Observed(x []float64, rows []int, out []float64) {
	rows = e.local(rows)
	f := e.fn(fn.Observed.ID())
	if f == nil { // nothing can be missing
		f = e.fn(fn.Loglik.ID())
	}
	e.call(f, x, rows, nil, out, 1)
}

// Mean writes the expected value of an observed name for each of the rows. It returns false if the
// model does not compute the expected value.
func (e *Evaluator) Mean(site string, x []float64, rows []int, out []float64) bool {
	rows = e.local(rows)
	f := e.fn(fn.Mean.Of(site))
	if f == nil {
		return false
	}
	e.call(f, x, rows, nil, out, 1)
	return true
}

// Classes writes the log probability of each of k outcomes of an observed name, k numbers for each
// of the rows. It returns false if the model does not compute them.
func (e *Evaluator) Classes(site string, x []float64, rows []int, k int, out []float64) bool {
	rows = e.local(rows)
	f := e.fn(fn.Classes.Of(site))
	if f == nil {
		return false
	}
	e.call(f, x, rows, nil, out, k)
	return true
}
