package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir/plan"
)

// A product is one of matrices for every entry of a batch: D[m, n] = Σ A(m, k) B(k, n), with the
// strides of each in numbers. n has stride 1 in D.
type product struct {
	batch, m, n, k extent
	aBatch, am, ak int
	bBatch, bk, bn int
	dBatch, dm     int
	batchText      [3]string // the strides of the batch as text, where a matrix has the rows
}

// A tile is a shape of sg_product: how many entries a block computes, and how many terms are in
// shared memory at a time, in how many pieces.
type tile struct{ m, n, k, stages int }

// numbers is the shared memory that a tile takes.
func (t tile) numbers() int {
	groups := 256 / (t.m / 4 * (t.n / 4))
	lines := max(t.m*(t.k+4), t.k*(t.m+4)) + max(t.n*(t.k+4), t.k*(t.n+4))
	return max(t.stages*lines, groups*t.m*t.n)
}

// The tiles. Large ones read each entry less often; of the small ones a block has all terms of a
// short sum at once.
var (
	large = []tile{{64, 64, 32, 2}, {64, 32, 32, 2}, {32, 64, 32, 2}}
	small = [2]tile{{32, 32, 128, 1}, {32, 32, 64, 2}}
	least = [2]tile{{16, 16, 128, 1}, {16, 16, 64, 2}}
)

// forTerms is the tile of a pair for a sum of so many terms.
func forTerms(pair [2]tile, terms int) tile {
	if terms <= pair[0].k {
		return pair[0]
	}
	return pair[1]
}

// processors is the number of multiprocessors that shapes are chosen for. It is no property of the
// device, so that a product has the same order on all of them.
const processors = 132

// Sums are divided among blocks until there are three for a processor, in pieces of shortSum terms
// at least. longSum is from how many terms on the largest tile is taken for it.
const (
	shortSum = 96
	longSum  = 2048
)

// shape chooses a tile: a large one that gives every processor a block, or two where sums are
// short, among those that waste little on entries beyond the ends.
func shape(m, n, depth, batch int) tile {
	up := func(x, t int) int { return (x + t - 1) / t }
	fewest := float64(up(m, 16)*16) * float64(up(n, 16)*16)
	for _, t := range large {
		blocks := up(m, t.m) * up(n, t.n) * batch
		enough := blocks >= 2*processors || depth > small[0].k && blocks >= processors ||
			depth >= longSum
		if padded := float64(up(m, t.m)*t.m) * float64(up(n, t.n)*t.n); enough &&
			padded <= 1.35*fewest {
			return t
		}
	}
	if m <= least[0].m || n <= least[0].n {
		return least[0]
	}
	return small[0]
}

// pieces is among how many blocks a sum is divided.
func pieces(blocks, depth int) int {
	return max(1, min((3*processors+blocks/2)/blocks, depth/shortSum, mostSplits))
}

// contract prints a sum of products of arrays.
func (g *generator) contract(k *plan.Kernel) error {
	p := product{batch: g.extent(k.Batch...), m: g.extent(k.M...), n: g.extent(k.N...),
		k: g.extent(k.K...)}
	switch k.Name {
	case "gemm":
		return g.gemm(k, p)
	case "gemm_rows":
		return g.gemmRows(k, p)
	}
	x, err := g.array(k.Args[0])
	if err != nil {
		return err
	}
	y, err := g.array(k.Args[1])
	if err != nil {
		return err
	}
	r := &reduction{dst: k.Dst, op: "sum", along: p.k, inner: extent{each: 1}}
	// o counts the entries of the batch, or those of the batch and m.
	switch k.Name {
	case "dot":
		r.outer = p.batch
		r.term = fmt.Sprintf("%s[o * %s + a] * %s[o * %s + a]", x, p.k, y, p.k)
	case "gemv":
		r.outer = times(p.batch, p.m)
		r.term = fmt.Sprintf("%s[o * %s + a] * %s[o / %s * %s + a]", x, p.k, y, p.m, p.k)
		if !p.batch.rows && p.batch.each == 1 {
			r.term = fmt.Sprintf("%s[o * %s + a] * %s[a]", x, p.k, y)
		}
	default: // gemvT
		r.outer, r.inner = p.batch, p.m
		r.term = fmt.Sprintf("%s[(o * %s + a) * %s + i] * %s[o * %s + a]", x, p.k, p.m, y, p.k)
		if p.m.rows {
			return refuse("a product with the transpose of rows")
		}
	}
	return g.reduce(r)
}

func times(a, b extent) extent { return extent{a.each * b.each, a.rows || b.rows} }

// gemm sets the strides of a product of contiguous matrices.
func (g *generator) gemm(k *plan.Kernel, p product) error {
	if p.n.rows || p.batch.rows && (p.m.rows || p.k.rows) ||
		p.k.rows && (!k.TransA || k.TransB) || p.m.rows && k.TransA {
		return refuse("a product of matrices with its rows elsewhere")
	}
	if p.am, p.ak = p.k.each, 1; k.TransA {
		p.am, p.ak = 1, p.m.each
	}
	if p.bk, p.bn = p.n.each, 1; k.TransB {
		p.bk, p.bn = 1, p.k.each
	}
	p.dm = p.n.each
	if (p.m.rows || p.k.rows) && p.batch.each > 1 {
		return refuse("a product of matrices with its rows inside a batch")
	}
	p.aBatch, p.bBatch, p.dBatch = p.m.each*p.k.each, p.k.each*p.n.each, p.m.each*p.n.each
	return g.multiply(k, p)
}

// gemmRows sets the strides of products whose rows are those of the minibatch, around the batch.
func (g *generator) gemmRows(k *plan.Kernel, p product) error {
	b := p.batch.each
	if p.m.rows {
		p.am, p.ak, p.aBatch = b*p.k.each, 1, p.k.each
		p.bk, p.bn, p.bBatch = p.n.each, 1, p.k.each*p.n.each
		if k.TransB {
			p.bk, p.bn = 1, p.k.each
		}
		p.dm, p.dBatch = b*p.n.each, p.n.each
		return g.multiply(k, p)
	}
	p.am, p.ak, p.aBatch = 1, b*p.m.each, p.m.each
	p.bk, p.bn, p.bBatch = b*p.n.each, 1, p.n.each
	p.dm, p.dBatch = p.n.each, p.m.each*p.n.each
	return g.multiply(k, p)
}

// multiply prints a product of matrices.
func (g *generator) multiply(k *plan.Kernel, p product) error {
	m, n, depth, batch := g.most(p.m), g.most(p.n), g.most(p.k), g.most(p.batch)
	for _, size := range [][3]int{{batch, m, depth}, {batch, depth, n}, {batch, m, n}} {
		if err := g.fits("a product of matrices", size[0], size[1], size[2]); err != nil {
			return err
		}
	}
	x, err := g.array(k.Args[0])
	if err != nil {
		return err
	}
	y, err := g.array(k.Args[1])
	if err != nil {
		return err
	}
	t := shape(m, n, depth, batch)
	wide, high := (n+t.n-1)/t.n, (m+t.m-1)/t.m
	blocks := batch * wide * high
	splits := 1
	if p.dm == n && (batch == 1 || p.dBatch == m*n) && !p.batch.rows { // the result is contiguous
		splits = pieces(blocks, depth)
	}
	piece := ((depth+splits-1)/splits + 3) / 4 * 4
	switch t {
	case small[0]:
		t = forTerms(small, min(piece, depth))
	case least[0]:
		t = forTerms(least, min(piece, depth))
	}
	g.current.shared = max(g.current.shared, t.numbers())
	var to string
	var part int
	if splits > 1 {
		part = g.buffer("part of "+k.Dst.String(), 4*int64(splits)*int64(batch)*int64(m)*int64(n))
		to = fmt.Sprintf("%s[((z * %d + e) * %d + m) * %d + n]", g.use(part, true), batch, m, n)
	} else {
		dst, err := g.at(k.Dst)
		if err != nil {
			return err
		}
		to = fmt.Sprintf("%s[%d + e * %d + m * %d + n]", g.use(dst.buffer, true), dst.offset,
			p.dBatch, p.dm)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "  int tx = block %% %d, ty = block / %d %% %d, e = block / %d;\n", wide,
		wide, high, wide*high)
	last := p.k.String()
	first := "0"
	if splits > 1 {
		fmt.Fprintf(&out, "  int z = e %% %d, from = z * %d;\n  e /= %d;\n", splits, piece, splits)
		first, last = "from", fmt.Sprintf("min(%s, from + %d)", p.k, piece)
	}
	if p.batch.rows {
		out.WriteString("  if (e >= " + p.batch.String() + ") return;\n")
	}
	fmt.Fprintf(&out, "  sg_product<%d, %d, %d, %d, %d, %d, %d, %d, %t, %t>(\n"+
		"      mem, %s + e * %d, %s + e * %d, ty * %d, tx * %d, %s, %s, %s, %s,\n"+
		"      [&](int m, int n, float v) { %s = v; });\n", t.m, t.n, t.k, t.stages, p.am, p.ak, p.bk,
		p.bn, g.aligned(k.Args[0], p.am, p.ak, p.aBatch), g.aligned(k.Args[1], p.bn, p.bk, p.bBatch), x,
		p.aBatch, y, p.bBatch, t.m, t.n, p.m, p.n, first, last, to)
	g.end(out.String(), blocks*splits)
	if splits == 1 {
		return nil
	}
	if splits <= mostRead && g.readOnce[k.Dst] {
		g.place[k.Dst] = place{buffer: part, pieces: splits, stride: batch * m * n}
		return nil
	}
	g.begin("sum")
	from := g.use(part, false)
	return g.reduce(&reduction{dst: k.Dst, op: "sum", outer: extent{each: 1},
		along: extent{each: splits}, inner: extent{each: batch * m * n},
		term: fmt.Sprintf("%s[a * %d + i]", from, batch*m*n)})
}

// aligned reports whether every fourth entry along the contiguous side of a matrix is at a multiple
// of 16 bytes, so that four are copied at once.
func (g *generator) aligned(b *plan.Buffer, along, other, batch int) bool {
	stride := along
	if along == 1 {
		stride = other
	}
	return g.place[b].offset%4 == 0 && stride%4 == 0 && batch%4 == 0
}

// mostRead is up to how many pieces of a sum the loop that reads it adds up.
const mostRead = 16

// findReadOnce finds the temporaries that one step alone reads, a loop.
func (g *generator) findReadOnce() {
	g.readOnce = map[*plan.Buffer]bool{}
	readers := map[*plan.Buffer]int{}
	for _, steps := range g.Program.Steps {
		for _, s := range steps {
			var of []*plan.Buffer
			switch {
			case s.Kernel != nil:
				for _, b := range s.Kernel.Args {
					readers[b] += 2 // no loop
				}
			case s.Loop != nil:
				for _, in := range s.Loop.Body {
					for _, o := range in.Args {
						if o.Kind == plan.Load && !slices.Contains(of, o.Buf) {
							of = append(of, o.Buf)
						}
					}
				}
			}
			for _, b := range of {
				readers[b]++
			}
		}
	}
	for b, n := range readers {
		g.readOnce[b] = n == 1 && b.Where == plan.Temp
	}
}
