package kernel

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/base/team"
)

// TeamGemm is Gemm, done by the members of a team where the product is large. t may be nil.
func TeamGemm(t *team.Team, c, a, b Matrix, m, n, k int, transA, transB, acc bool) {
	if t == nil || m*n*k < leastShared {
		Gemm(c, a, b, m, n, k, transA, transB, acc)
		return
	}
	j := gemmJobs.Get().(*gemmJob)
	*j = gemmJob{c: c, a: a, b: b, m: m, n: n, k: k, transA: transA, transB: transB, acc: acc}
	// Along the longer side: the other operand is packed anew for each part.
	shape := tileShape64()
	if j.unit = 2 * shape.lanes; m >= n {
		j.unit = shape.rows
	}
	j.units = (max(m, n) + j.unit - 1) / j.unit
	j.parts = min(partsEach*t.Size(), j.units)
	j.team = t
	t.Deal(j.parts)
	t.Run(j)
	*j = gemmJob{}
	gemmJobs.Put(j)
}

var gemmJobs = sync.Pool{New: func() any { return new(gemmJob) }}

// A gemmJob is a product whose result is cut into parts of rows or columns.
type gemmJob struct {
	c, a, b             Matrix
	m, n, k             int
	transA, transB, acc bool

	unit, units, parts int // rows or columns of a tile; tiles; parts
	team               *team.Team
}

// Do implements team.Job.
func (j *gemmJob) Do(member int) {
	for p := j.team.Next(member); p >= 0; p = j.team.Next(member) {
		from, to := p*j.units/j.parts*j.unit, (p+1)*j.units/j.parts*j.unit
		c, a, b := j.c, j.a, j.b
		if j.m >= j.n {
			c.Data = c.Data[from*c.Stride:]
			if j.transA {
				a.Data = a.Data[from:]
			} else {
				a.Data = a.Data[from*a.Stride:]
			}
			Gemm(c, a, b, min(to, j.m)-from, j.n, j.k, j.transA, j.transB, j.acc)
			continue
		}
		c.Data = c.Data[from:]
		if j.transB {
			b.Data = b.Data[from*b.Stride:]
		} else {
			b.Data = b.Data[from:]
		}
		Gemm(c, a, b, j.m, min(to, j.n)-from, j.k, j.transA, j.transB, j.acc)
	}
}

// TeamSparseMulMat is SparseMulMat, done by a team where the product is large. t may be nil.
func TeamSparseMulMat(
	t *team.Team, dst []float64, r Rows, w []float64, h int, acc bool,
) {
	r = r.found()
	if t == nil || r.entries()*h < leastShared {
		SparseMulMat(dst, r, w, h, acc)
		return
	}
	j := sparseJobs.Get().(*sparseJob)
	*j = sparseJob{dst: dst, r: r, w: w, h: h, acc: acc, rows: len(r.Lo)}
	j.run(t)
}

// TeamSparseMulMatT is SparseMulMatT, done by a team where the product is large. t may be nil.
func TeamSparseMulMatT(t *team.Team, g []float64, r Rows, d []float64, h int, acc bool) {
	r = r.found()
	if t == nil || r.entries()*h < leastShared || !r.byColumn(g, h) {
		SparseMulMatT(g, r, d, h, acc)
		return
	}
	buf := sparseBuffers.Get().(*sparseBuffer)
	columns := len(g) / h
	buf.sort(r, columns)
	j := sparseJobs.Get().(*sparseJob)
	*j = sparseJob{dst: g, w: d[:len(r.Lo)*h], h: h, acc: acc, rows: columns,
		panel: columnPanel(len(r.Lo)), lists: entries64{lo: buf.end[:columns],
			hi: buf.end[1 : columns+1], sorted: buf.sorted, index: buf.row}}
	j.run(t)
	sparseBuffers.Put(buf)
}

var sparseJobs = sync.Pool{New: func() any { return new(sparseJob) }}

// A sparseJob is a product of sparse rows, or of lists of entries by column, in parts of rows.
type sparseJob struct {
	dst, w []float64
	r      Rows
	lists  entries64 // of a transpose
	h      int
	acc    bool

	rows, panel, parts int
	team               *team.Team
}

func (j *sparseJob) run(t *team.Team) {
	j.parts = min(partsEach*t.Size(), j.rows)
	j.team = t
	t.Deal(j.parts)
	t.Run(j)
	*j = sparseJob{}
	sparseJobs.Put(j)
}

// Do implements team.Job.
func (j *sparseJob) Do(member int) {
	for p := j.team.Next(member); p >= 0; p = j.team.Next(member) {
		from, to := p*j.rows/j.parts, (p+1)*j.rows/j.parts
		dst := j.dst[from*j.h : to*j.h]
		if j.panel > 0 {
			lists := j.lists
			lists.lo, lists.hi = lists.lo[from:to], lists.hi[from:to]
			sumRows64(dst, j.w, lists, j.h, j.panel, !j.acc)
			continue
		}
		r := j.r
		r.Lo, r.Hi = r.Lo[from:to], r.Hi[from:to]
		SparseMulMat(dst, r, j.w, j.h, j.acc)
	}
}
