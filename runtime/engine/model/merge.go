package model

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A merger merges the statistics of blocks of rows.
type merger struct {
	sums      [][2]int // from and until, of those that add up
	triangles []triangle
}

func newMerger(spec *Spec, dims map[string]int) *merger {
	g := &merger{}
	at, shape := map[string]int{}, map[string][]int{}
	n := 0
	for i := range spec.Statistics {
		d := &spec.Statistics[i]
		at[d.Name], shape[d.Name] = n, size.Shape(d.Shape, dims)
		end := n + d.Len(dims)
		if d.Merge == Sum {
			g.sums = append(g.sums, [2]int{n, end})
		}
		n = end
	}
	for i := range spec.Triangles {
		g.triangles = append(g.triangles, newTriangle(&spec.Triangles[i], dims, at, shape))
	}
	return g
}

// merge adds the statistics of rows that come after those of sum. Statistics that two
// triangles share come of both alike, and so are written last.
func (g *merger) merge(sum, x []float64) {
	out := make([]float64, len(sum))
	copy(out, sum)
	for _, s := range g.sums {
		for i := s[0]; i < s[1]; i++ {
			out[i] += x[i]
		}
	}
	for i := range g.triangles {
		g.triangles[i].merge(out, sum, x)
	}
	copy(sum, out)
}

// A place is the position of a number in the statistics: its group, its entry along the other axes,
// and two more indices. The zero place belongs to a number that is 0.
type place struct {
	there      bool
	base       int
	group      int
	rest       []int // strides
	row, entry int
}

func (p *place) at(group int, rest []int, row, entry int) int {
	i := p.base + group*p.group + row*p.row + entry*p.entry
	for k, s := range p.rest {
		i += s * rest[k]
	}
	return i
}

// A column of a triangle, with its place among all.
type mergedColumn struct {
	from, width int
	square      place
	means       []place // of the columns after it
}

type triangle struct {
	groups, grouped, shared int // the columns that are swept within groups, and over all
	rest                    []int
	columns                 []mergedColumn
	width                   int
	wide                    int // where the columns of R begin
	rows                    place
}

func newTriangle(
	t *Triangle, dims map[string]int, at map[string]int, shape map[string][]int,
) triangle {
	find := func(e Member) place {
		if e.Name == "" {
			return place{}
		}
		p := place{there: true, base: at[e.Name], rest: make([]int, len(t.Rest))}
		stride := 1
		for i := len(e.Axes) - 1; i >= 0; i-- {
			switch k := e.Axes[i]; {
			case k == 0:
				p.group = stride
			case k <= len(t.Rest):
				p.rest[k-1] = stride
			case k == len(t.Rest)+1:
				p.row = stride
			default:
				p.entry = stride
			}
			stride *= shape[e.Name][i]
		}
		return p
	}
	groups, _ := t.Groups.Eval(dims)
	out := triangle{groups: groups, rest: size.Shape(t.Rest, dims), rows: find(t.Rows)}
	for _, c := range t.Columns {
		w, _ := c.Width.Eval(dims)
		col := mergedColumn{from: out.width, width: w, square: find(c.Square)}
		for _, m := range c.Means {
			col.means = append(col.means, find(m))
		}
		out.columns = append(out.columns, col)
		out.width += w
		switch {
		case c.Grouped:
			out.grouped++
		case len(c.Means) > 0 || c.Square.Name != "":
			out.shared++
		}
	}
	out.wide = out.width
	if k := out.grouped + out.shared; k < len(out.columns) {
		out.wide = out.columns[k].from
	}
	return out
}

// A weighted row: weight·(Σ c_k u_k)².
type weighted struct {
	weight float64
	c      []float64
}

// merge writes the triangle of the rows of a and of b to dst.
func (t *triangle) merge(dst, a, b []float64) {
	rest := make([]int, len(t.rest))
	for {
		t.one(dst, a, b, rest)
		k := len(rest) - 1
		for ; k >= 0; k-- {
			if rest[k]++; rest[k] < t.rest[k] {
				break
			}
			rest[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// one is merge for one entry of the other axes.
func (t *triangle) one(dst, a, b []float64, rest []int) {
	var pool []weighted // what groups leave to columns that all rows share
	for g := range t.groups {
		if t.grouped == 0 {
			break
		}
		var rows []weighted
		for k := range t.grouped {
			rows = append(rows, t.row(a, g, rest, k), t.row(b, g, rest, k))
		}
		for k := range t.grouped {
			t.sweep(dst, g, rest, k, rows)
		}
		for _, r := range rows {
			if r.weight > 0 && t.columns[t.grouped-1].from+1 < t.width {
				pool = append(pool, r)
			}
		}
	}
	end := t.grouped + t.shared
	for k := t.grouped; k < end; k++ {
		pool = append(pool, t.row(a, 0, rest, k), t.row(b, 0, rest, k))
	}
	for k := t.grouped; k < end; k++ {
		t.sweep(dst, 0, rest, k, pool)
	}
	if t.rows.there {
		t.reflect(dst, a, b, pool)
	}
}

// row is column k's square as a row.
func (t *triangle) row(x []float64, g int, rest []int, k int) weighted {
	col := &t.columns[k]
	r := weighted{c: make([]float64, t.width)}
	if !col.square.there {
		return r
	}
	r.weight, r.c[col.from] = x[col.square.at(g, rest, 0, 0)], 1
	for i, m := range col.means {
		if !m.there {
			continue
		}
		to := &t.columns[k+1+i]
		for j := range to.width {
			r.c[to.from+j] = x[m.at(g, rest, j, 0)]
		}
	}
	return r
}

// sweep writes the square of column k of rows, and takes it from them: as the function
// statistics does.
func (t *triangle) sweep(dst []float64, g int, rest []int, k int, rows []weighted) {
	col := &t.columns[k]
	d := 0.0
	for _, r := range rows {
		d += float64(r.weight * float64(r.c[col.from]*r.c[col.from]))
	}
	if col.square.there {
		dst[col.square.at(g, rest, 0, 0)] = d
	}
	for i, m := range col.means {
		to := &t.columns[k+1+i]
		for j := range to.width {
			at, mean := to.from+j, 0.0
			for range 2 {
				part := 0.0
				for _, r := range rows {
					part += float64(r.weight * float64(r.c[col.from]*r.c[at]))
				}
				if part = part / d; d == 0 {
					part = 0
				}
				for _, r := range rows {
					r.c[at] -= float64(part * r.c[col.from])
				}
				mean += part
			}
			if m.there {
				dst[m.at(g, rest, j, 0)] = mean
			}
		}
	}
	for _, r := range rows {
		r.c[col.from] = 0
	}
}

// reflect writes R of the rows left of both, and of both triangles.
func (t *triangle) reflect(dst, a, b []float64, pool []weighted) {
	k := t.width - t.wide
	var x []float64
	for _, r := range pool {
		if r.weight <= 0 {
			continue
		}
		root := math.Sqrt(r.weight)
		for _, v := range r.c[t.wide:] {
			x = append(x, float64(root*v))
		}
	}
	for _, from := range [][]float64{a, b} {
		for i := range k {
			for j := range k {
				x = append(x, from[t.rows.at(0, nil, i, j)])
			}
		}
	}
	r := make([]float64, k*k)
	kernel.Triangle(r, x, 1, len(x)/k, k)
	for i := range k {
		for j := range k {
			dst[t.rows.at(0, nil, i, j)] = r[i*k+j]
		}
	}
}
