package kernel

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/base/team"
)

// TeamCombine is Combine, done by a team where the arrays are long. t may be nil.
func TeamCombine(t *team.Team, dst, x []float64, a float64, y []float64, b float64) {
	if t == nil || len(dst) < leastLong {
		Combine(dst, x, a, y, b)
		return
	}
	n := len(dst)
	runEach64(t, eachJob{kind: combining, dst: dst, x: x[:n], y: y[:n], a: a, b: b, unit: 1})
}

// TeamPositive is Positive, done by a team where the arrays are long. t may be nil.
func TeamPositive(t *team.Team, dst, a, x []float64) {
	if t == nil || len(dst) < leastLong {
		Positive(dst, a, x)
		return
	}
	n := len(dst)
	runEach64(t, eachJob{kind: choosing, dst: dst, x: a[:n], y: x[:n], unit: 1})
}

// TeamAddRelu is AddRelu, done by a team where the arrays are long. t may be nil.
func TeamAddRelu(t *team.Team, dst, x, bias []float64, rows int) {
	n := rows * len(bias)
	if t == nil || n < leastLong {
		AddRelu(dst, x, bias, rows)
		return
	}
	runEach64(t, eachJob{kind: rectifying, dst: dst[:n], x: x[:n], y: bias, unit: len(bias)})
}

// TeamClear makes numbers zero, by a team where they are many. t may be nil.
func TeamClear(t *team.Team, dst []float64) {
	if t == nil || len(dst) < leastLong {
		clear(dst)
		return
	}
	runEach64(t, eachJob{kind: clearing, dst: dst, unit: 1})
}

// An eachJob does the same to every number of an array, or of every row of unit numbers.
type eachJob struct {
	kind      eachKind
	dst, x, y []float64
	a, b      float64
	unit      int

	parts int
	team  *team.Team
}

var eachJobs = sync.Pool{New: func() any { return new(eachJob) }}

func runEach64(t *team.Team, what eachJob) {
	j := eachJobs.Get().(*eachJob)
	*j = what
	j.team, j.parts = t, partsEach*t.Size()
	t.Deal(j.parts)
	t.Run(j)
	*j = eachJob{}
	eachJobs.Put(j)
}

// Do implements team.Job.
func (j *eachJob) Do(member int) {
	rows := len(j.dst) / j.unit
	for p := j.team.Next(member); p >= 0; p = j.team.Next(member) {
		from, to := p*rows/j.parts*j.unit, (p+1)*rows/j.parts*j.unit
		dst := j.dst[from:to]
		switch j.kind {
		case combining:
			Combine(dst, j.x[from:to], j.a, j.y[from:to], j.b)
		case choosing:
			Positive(dst, j.x[from:to], j.y[from:to])
		case rectifying:
			AddRelu(dst, j.x[from:to], j.y, (to-from)/j.unit)
		case clearing:
			clear(dst)
		}
	}
}
