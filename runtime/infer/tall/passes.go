package tall

import (
	"context"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
)

// passRows is the number of rows in a part of a pass. Sums over all rows are sums of the sums of
// parts, in order, so they depend neither on the number of goroutines nor on how rows are read.
const passRows = 2048

// passes computes sums over all rows; the evaluators share the work.
type passes struct {
	t       target.Target
	evals   []target.DifferenceEvaluator
	threads int // most evaluators that work at the same time
	hold    int // rows that are read at a time; 0 if all are in memory
}

func newPasses(t target.Target, evals []target.DifferenceEvaluator) *passes {
	return &passes{t: t, evals: evals, threads: len(evals), hold: pick.AtOnce(t)}
}

// each calls do for parts of the rows, [from, to), which are in memory of the evaluator with the
// worker's number. It ends at the first error, or when ctx is done.
func (p *passes) each(ctx context.Context, do func(worker, from, to int) error) error {
	n := p.t.Rows()
	group := max(p.hold/passRows, 1) * passRows // read at once
	if p.hold == 0 {
		group = passRows
	}
	return loop.Parallel(ctx, (n+group-1)/group, p.threads, func(worker, k int) error {
		from, to := k*group, min((k+1)*group, n)
		if p.hold > 0 {
			if err := pick.Hold(p.evals[worker], span(nil, from, to)); err != nil {
				return err
			}
		}
		for ; from < to; from += passRows {
			if err := do(worker, from, min(from+passRows, to)); err != nil {
				return err
			}
		}
		return nil
	})
}

// have reads the rows of batches of a stream into the memory of an evaluator.
func (p *passes) have(e target.Evaluator, batches ...*control.Batch) error {
	if p.hold == 0 {
		return nil
	}
	var rows []int
	for _, b := range batches {
		rows = append(rows, b.Rows...)
	}
	return pick.Hold(e, rows)
}

// span appends the rows from … to.
func span(rows []int, from, to int) []int {
	for i := from; i < to; i++ {
		rows = append(rows, i)
	}
	return rows
}

// An adder adds up the results of the parts of a pass, in order.
type adder struct {
	lock  sync.Mutex
	sum   []float64
	next  int
	early map[int][]float64 // results of parts after one that is still missing
	spare [][]float64
}

func newAdder(numbers int) *adder {
	return &adder{sum: make([]float64, numbers), early: map[int][]float64{}}
}

// add adds the result of part k.
func (a *adder) add(k int, x []float64) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if k != a.next {
		var room []float64
		if n := len(a.spare); n > 0 {
			room, a.spare = a.spare[n-1], a.spare[:n-1]
		}
		a.early[k] = append(room[:0], x...)
		return
	}
	for {
		for i, v := range x {
			a.sum[i] += v
		}
		a.next++
		var there bool
		if x, there = a.early[a.next]; !there {
			return
		}
		delete(a.early, a.next)
		a.spare = append(a.spare, x)
	}
}

// A summand computes the numbers for a part of the rows plus those that belong to no row, such as
// the prior's; for no rows it computes the latter alone.
type summand func(e target.DifferenceEvaluator, rows []int, out []float64)

// sum adds up the results of f over all rows; rest is its result for no rows.
func (p *passes) sum(
	ctx context.Context, numbers int, f summand,
) (rows, rest []float64, err error) {
	a := newAdder(numbers)
	rest = make([]float64, numbers)
	f(p.evals[0], nothing, rest)
	type room struct {
		rows []int
		out  []float64
	}
	rooms := make([]room, len(p.evals))
	err = p.each(ctx, func(worker, from, to int) error {
		r := &rooms[worker]
		if r.out == nil {
			r.out = make([]float64, numbers)
		}
		r.rows = span(r.rows[:0], from, to)
		f(p.evals[worker], r.rows, r.out)
		for i, v := range rest {
			r.out[i] -= v
		}
		a.add(from/passRows, r.out)
		return nil
	})
	return a.sum, rest, err
}

// densityGradient returns the log density at x, writes its gradient to grad, and the part of it
// that comes from the rows to rows, see Anchor.
func (p *passes) densityGradient(ctx context.Context, x, grad, rows []float64) (float64, error) {
	d := len(rows)
	sum, rest, err := p.sum(ctx, d+1, func(e target.DifferenceEvaluator, rows []int, out []float64) {
		of, at := chart.Outside(e, x)
		out[d] = of.LogDensityGradient(at, rows, 1, 1, out[:d])
	})
	if err != nil {
		return 0, err
	}
	copy(rows, sum)
	f := sum[d] + rest[d]
	if in, ok := p.evals[0].(*chart.Evaluator); ok {
		f += in.Move(x)
		for i := range in.Grad {
			in.Grad[i] = sum[i] + rest[i]
		}
		in.Pull(in.Grad, 1, grad)
		return f, nil
	}
	for i := range grad {
		grad[i] = sum[i] + rest[i]
	}
	return f, nil
}

// density is the log density at x.
func (p *passes) density(ctx context.Context, x []float64) (float64, error) {
	sum, rest, err := p.sum(ctx, 1,
		func(e target.DifferenceEvaluator, rows []int, out []float64) {
			out[0] = e.LogDensity(x, rows, 1, 1)
		})
	return sum[0] + rest[0], err
}
