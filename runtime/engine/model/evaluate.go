package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// An Evaluator runs a model's functions in one goroutine.
type Evaluator struct {
	m        *Model
	capacity int
	funcs    map[fn.ID]Func
	gradient Func
	density  Func
	frame    Frame
	gathered [][]float64          // room for the rows of a minibatch, by datum
	widened  [][]float64          // room for a block of a full pass, of data that are bytes or packed
	single   singleRoom           // the rooms of a model in single precision
	lo, hi   [][]int              // of sparse data
	passes   []*kernel.PackedPass // of sparse data, in full passes
	coded    []codedRoom          // of sparse data whose values are bytes
	width    []int                // numbers a row, by datum
	taken    []int                // those of them that the rows at hand have
	trim     *trim                // of ragged rows; nil without
	scalar   [1]float64           // the density's output
	both     Func                 // density and gradient; nil before its first use, or without
	full     Func                 // the same for all rows together, by sufficient statistics; nil without
	sought   bool                 // full has been asked for
	dims     map[string]int
	locals   *locals     // of a model with latent values of rows that chains draw
	room     []float64   // the output of either
	variate  *variate    // of Difference, since it was first asked for; nil without
	turner   *pageTurner // of a model whose rows come by pages, once it follows them
}

// NewEvaluator makes a workspace for minibatches of at most capacity rows.
func (m *Model) NewEvaluator(capacity int) target.Evaluator { return m.Evaluator(capacity) }

// Evaluator is NewEvaluator with its own type.
func (m *Model) Evaluator(capacity int) *Evaluator {
	e := &Evaluator{m: m, funcs: map[fn.ID]Func{}, capacity: min(capacity, m.block), dims: m.Dims}
	if capacity <= 0 {
		e.capacity = min(m.block, m.rows)
	}
	if m.Spec.Chain == nil {
		e.makeRoom()
		e.gradient, e.density = e.fn(fn.Gradient.ID()), e.fn(fn.Density.ID())
		return e
	}
	// What chains draw takes much room, so full passes take small blocks.
	e.capacity = max(e.capacity, min(m.block, m.rows, 32))
	e.Locals(target.LocalOptions{}, 0, 0)
	return e
}

// rowEvaluator makes an evaluator for single rows.
func (m *Model) rowEvaluator(dims map[string]int) *Evaluator {
	e := &Evaluator{m: m, funcs: map[fn.ID]Func{}, capacity: 1, dims: dims}
	e.makeRoom()
	if m.Spec.OneLength {
		e.trim = nil
	}
	return e
}

// makeRoom makes the frame and the room for the rows of a block.
func (e *Evaluator) makeRoom() {
	m := e.m
	n := len(m.Spec.Data)
	e.widened, e.passes, e.coded = make([][]float64, n), make([]*kernel.PackedPass, n), make([]codedRoom, n)
	e.gathered, e.lo, e.hi, e.width = make([][]float64, n), make([][]int, n), make([][]int, n), make([]int, n)
	e.frame.Dense, e.frame.Sparse = make([][]float64, n), make([]kernel.Rows, n)
	copy(e.frame.Dense, m.full)
	copy(e.frame.Sparse, m.sparse)
	if m.Spec.Single {
		e.frame.Dense32, e.frame.Sparse32 = slices.Clone(m.single.full), slices.Clone(m.single.sparse)
		e.single = singleRoom{gathered: make([][]float32, n), widened: make([][]float32, n)}
	}
	for i, d := range m.Spec.Data {
		switch {
		case d.Filled:
			e.width[i] = product(d.Shape, e.dims)
			n := 1
			if d.Rows {
				e.width[i] = product(slices.Delete(slices.Clone(d.Shape), d.Lead, d.Lead+1), e.dims)
				n = e.capacity
			}
			if !m.Spec.Chain.draws(d.Name) {
				e.frame.Dense[i] = make([]float64, n*e.width[i])
			}
		case !d.Rows:
		case d.Sparse && m.bytes[i] != nil && m.streamed == nil: // at the first call
		case d.Sparse:
			e.lo[i], e.hi[i] = make([]int, e.capacity), make([]int, e.capacity)
		default:
			e.width[i] = 1
			if m.bytes[i] != nil {
				e.width[i] = len(m.bytes[i].Code) / m.rows
			} else if m.ragged[i] != nil {
				e.width[i] = m.ragged[i].Width()
			} else if m.rows > 0 && m.Spec.Single {
				e.width[i] = len(m.single.full[i]) / m.rows
			} else if m.rows > 0 {
				e.width[i] = len(m.full[i]) / m.rows
			}
			if m.Spec.Single {
				e.single.gathered[i] = make([]float32, e.capacity*e.width[i])
			} else {
				e.gathered[i] = make([]float64, e.capacity*e.width[i])
			}
		}
	}
	e.taken, e.trim = slices.Clone(e.width), m.newTrim(e.dims)
}

// fn makes a function at its first use.
func (e *Evaluator) fn(id fn.ID) Func {
	f, ok := e.funcs[id]
	if !ok {
		// Full passes take whole blocks, whatever the minibatch.
		capacity := min(e.m.block, max(e.m.rows, e.capacity))
		if e.m.streamed != nil {
			capacity = e.m.block // another page may have more rows
		}
		if e.m.Spec.Chain != nil || id.Kind == fn.Difference {
			capacity = e.capacity // what chains draw takes much room: full passes take such blocks too
		}
		f = e.m.code.Func(id.String(), e.dims, capacity)
		e.funcs[id] = f
	}
	return f
}

// call runs a function over the rows given (nil: all) in blocks. perRow, when
// not nil, receives what the function gives for each row, width numbers a row.
func (e *Evaluator) call(f Func, x []float64, rows []int, out, perRow []float64, width int) {
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

// trimmed calls a function that gives numbers for each row for one block after
// another, each as long as the longest of its rows.
func (e *Evaluator) trimmed(f Func, x, perRow []float64, width int) {
	if e.trim.all == nil {
		e.trim.all = make([]int, e.m.rows)
		for i := range e.trim.all {
			e.trim.all[i] = i
		}
	}
	for start := 0; start < e.m.rows; {
		end := min(start+min(e.m.block, e.capacity), e.m.rows)
		e.call(f, x, e.trim.all[start:end], nil, perRow[start*width:end*width], width)
		start = end
	}
}

// block points the frame at the next rows and returns how many they are.
func (e *Evaluator) block(rows []int, start, n int) int {
	count := min(n-start, e.m.block)
	if rows != nil || e.m.Spec.Chain != nil {
		count = min(count, e.capacity)
	}
	e.frame.N = count
	if v := e.variate; v != nil && v.running {
		copy(v.weight, v.weights[start:start+count])
	}
	for i := range e.m.Spec.Data {
		d := &e.m.Spec.Data[i]
		switch {
		case !d.Rows || d.Filled:
		case d.Sparse:
			e.sparseBlock(i, rows, start, count)
		case e.m.Spec.Single && e.doubled():
			e.doubleBlock(i, rows[start:start+count])
		case e.m.Spec.Single:
			e.singleBlock(i, rows, start, count)
		case rows == nil && (e.m.bytes[i] != nil || e.m.ragged[i] != nil):
			e.widenBlock(i, start, count)
		case rows == nil:
			e.frame.Dense[i] = e.m.full[i][start*e.width[i] : (start+count)*e.width[i]]
		default:
			e.denseBlock(i, rows[start:start+count])
		}
	}
	return count
}

// widenBlock makes numbers of consecutive rows that are bytes or packed.
func (e *Evaluator) widenBlock(i, start, count int) {
	w := e.width[i]
	if len(e.widened[i]) < count*w { // at the first full pass; minibatches have less room
		e.widened[i] = make([]float64, e.wholeBlock()*w)
	}
	dst := e.widened[i][:count*w]
	if b := e.m.bytes[i]; b != nil {
		b.Widen(dst, b.Code[start*w:(start+count)*w])
	} else {
		for k := range count {
			array.Row(e.m.ragged[i], dst[k*w:(k+1)*w], start+k)
		}
	}
	e.frame.Dense[i] = dst
}

// wholeBlock is how many rows a block of a full pass has at most.
func (e *Evaluator) wholeBlock() int {
	if e.m.Spec.Chain != nil {
		return min(e.m.block, e.m.rows, e.capacity)
	}
	return min(e.m.block, e.m.rows)
}

func (e *Evaluator) denseBlock(i int, rows []int) {
	w, n, src, dst := e.width[i], e.taken[i], e.m.full[i], e.gathered[i]
	if b := e.m.bytes[i]; b != nil {
		for k, r := range rows {
			b.Widen(dst[k*n:(k+1)*n], b.Code[r*w:r*w+n])
		}
	} else if p := e.m.ragged[i]; p != nil {
		for k, r := range rows {
			array.Row(p, dst[k*n:(k+1)*n], r)
		}
	} else {
		gather(dst, src, rows, w, n)
	}
	e.frame.Dense[i] = dst[:len(rows)*n]
}

// gather copies the first n numbers of rows of w.
func gather[T float32 | float64](dst, src []T, rows []int, w, n int) {
	if w == 1 {
		for k, r := range rows {
			dst[k] = src[r]
		}
		return
	}
	for k, r := range rows {
		copy(dst[k*n:(k+1)*n], src[r*w:r*w+n])
	}
}

func (e *Evaluator) sparseBlock(i int, rows []int, start, count int) {
	if e.m.bytes[i] != nil {
		e.codedBlock(i, rows, start, count)
		return
	}
	all := &e.m.sparse[i]
	v := kernel.Rows{Index: all.Index, Value: all.Value, Narrow: all.Narrow}
	if rows == nil {
		v.Lo, v.Hi = all.Lo[start:start+count], all.Hi[start:start+count]
		v.Packed = e.packedBlock(i, start)
	} else {
		lo, hi := e.lo[i][:count], e.hi[i][:count]
		for k, r := range rows[start : start+count] {
			lo[k], hi[k] = all.Lo[r], all.Hi[r]
		}
		v.Lo, v.Hi = lo, hi
	}
	e.frame.Sparse[i] = v
	if e.m.Spec.Single {
		s := &e.m.single.sparse[i]
		e.frame.Sparse32[i] = kernel.Rows32{Lo: v.Lo, Hi: v.Hi, Index: s.Index, Value: s.Value, Narrow: v.Narrow, Packed: v.Packed}
	}
}

// Gradient implements target.Evaluator.
func (e *Evaluator) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.gradientOf(x, e.local(rows), scale, jacobian, grad)
}

// gradientOf is Gradient of rows by their places.
func (e *Evaluator) gradientOf(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	if rows == nil && e.collapsed() { // the density besides costs next to nothing
		e.LogDensityGradient(x, nil, scale, jacobian, grad)
		return
	}
	e.frame.Scale, e.frame.Jacobian = scale, jacobian
	if e.gradient == nil {
		e.gradient = e.fn(fn.Gradient.ID())
	}
	if e.locals != nil {
		e.locals.begin(x)
	}
	e.call(e.gradient, x, rows, grad, nil, 0)
	if e.locals != nil {
		e.locals.end()
	}
}

// LogDensity implements target.Evaluator.
func (e *Evaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.densityOf(x, e.local(rows), scale, jacobian)
}

// densityOf is LogDensity of rows by their places.
func (e *Evaluator) densityOf(x []float64, rows []int, scale, jacobian float64) float64 {
	if e.trim != nil && e.locals == nil && rows == nil && e.m.rows > 0 && e.fn(fn.Loglik.ID()) != nil {
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
func (e *Evaluator) LogDensityGradient(x []float64, rows []int, scale, jacobian float64, grad []float64) float64 {
	rows = e.local(rows)
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
	if len(e.room) == 0 {
		e.room = make([]float64, len(grad)+1)
	}
	e.frame.Scale, e.frame.Jacobian = scale, jacobian
	if f == e.full && !e.m.Spec.Collapse.Rows || e.m.rows == 0 { // small models: nothing but the function itself
		e.frame.X, e.frame.Out = x, e.room
		f.Prepare(&e.frame)
		f.Finish(&e.frame)
	} else {
		e.call(f, x, rows, e.room, nil, 0)
	}
	copy(grad, e.room)
	return e.room[len(grad)]
}

// collapsed reports whether full passes have their own function, and makes it
// when it is first asked.
func (e *Evaluator) collapsed() bool {
	if !e.sought {
		e.sought, e.full = true, e.fullFunc()
	}
	return e.full != nil
}

// Constrain implements target.Evaluator.
func (e *Evaluator) Constrain(x, out []float64) {
	e.frame.X, e.frame.Out = x, out
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

// Observed is LogLik of what was observed alone: entries that are missing,
// which are unknowns of the model, count as 0.
func (e *Evaluator) Observed(x []float64, rows []int, out []float64) {
	rows = e.local(rows)
	f := e.fn(fn.Observed.ID())
	if f == nil { // nothing can be missing
		f = e.fn(fn.Loglik.ID())
	}
	e.call(f, x, rows, nil, out, 1)
}

// Mean writes the expected value of an observed name for each of the rows;
// false when it has none.
func (e *Evaluator) Mean(site string, x []float64, rows []int, out []float64) bool {
	rows = e.local(rows)
	f := e.fn(fn.Mean.Of(site))
	if f == nil {
		return false
	}
	e.call(f, x, rows, nil, out, 1)
	return true
}

// Classes writes the log probability of each of k outcomes of an observed
// name for each of the rows, k numbers a row; false when it has none.
func (e *Evaluator) Classes(site string, x []float64, rows []int, k int, out []float64) bool {
	rows = e.local(rows)
	f := e.fn(fn.Classes.Of(site))
	if f == nil {
		return false
	}
	e.call(f, x, rows, nil, out, k)
	return true
}
