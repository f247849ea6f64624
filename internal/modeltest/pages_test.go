package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// paged is a source of rows that are in memory, whose pages are blocks of sizes
// that differ, stored in ways that differ.
type paged struct {
	t     *testing.T
	c     *driver.Compiled
	table map[string]*data.Value
	ends  []int // of the pages
	first int   // rows that there were
	rows  int   // that there are now
	grows bool
	limit int
	last  []int
}

func (p *paged) Layout() (rows, block, window int) { return p.rows, 1, 1 }
func (p *paged) Sizes() map[string]int             { return map[string]int{"N": p.first, "P": 4} }
func (p *paged) Pager() model.Pager                { out := *p; return &out }
func (p *paged) Grow() (int, error)                { return p.rows, nil }
func (p *paged) Grows() bool                       { return p.grows }
func (p *paged) Limit(rows int)                    { p.limit = rows }
func (p *paged) Rows(to []int) []int               { return append(to, p.last...) }
func (p *paged) Of(k int64) int64                  { return k }
func (p *paged) Page(k int64) (left, blocks []int) { return nil, []int{int(k)} }

// Load binds a page: the x of every other one as bytes.
func (p *paged) Load(left, blocks []int) (*data.Bound, error) {
	k := blocks[0]
	lo, hi := 0, p.ends[k]
	if k > 0 {
		lo = p.ends[k-1]
	}
	p.last = nil
	for r := lo; r < hi; r++ {
		p.last = append(p.last, r)
	}
	return p.bound(lo, hi, k%2 == 1), nil
}

// Reuse implements model.Recycler: whoever still reads the page reads nonsense.
func (p *paged) Reuse(page *data.Bound) {
	for _, v := range page.Values {
		for i := range v.F64 {
			v.F64[i] = math.NaN()
		}
		if v.CSR != nil {
			for i := range v.CSR.Value {
				v.CSR.Value[i] = math.NaN()
			}
		}
		if v.Bytes != nil {
			clear(v.Bytes.Code)
		}
	}
}

// Some binds rows one by one.
func (p *paged) Some(rows []int) (*data.Bound, error) {
	some := map[string]*data.Value{}
	for name, v := range p.table {
		w := v.Len() / v.Shape[0]
		var x []float64
		for _, r := range rows {
			x = append(x, v.F64[r*w:(r+1)*w]...)
		}
		some[name] = data.Dense(x, append([]int{len(rows)}, v.Shape[1:]...)...)
	}
	b, _, errs := data.Validate(&p.c.Spec.Schema, some, nil, data.Options{})
	if errs != nil {
		p.t.Fatal(errs[0])
	}
	return b, nil
}

func (p *paged) bound(lo, hi int, bytes bool) *data.Bound {
	p.t.Helper()
	some := map[string]*data.Value{}
	for name, v := range p.table {
		w := v.Len() / v.Shape[0]
		part := data.Dense(slices.Clone(v.F64[lo*w:hi*w]), append([]int{hi - lo}, v.Shape[1:]...)...)
		if bytes && name == "x" {
			b := &array.Bytes{Level: new([256]float64)}
			for i := range b.Level {
				b.Level[i] = float64(i)
			}
			for _, x := range part.F64 {
				b.Code = append(b.Code, uint8(x))
			}
			part = &data.Value{Shape: part.Shape, Bytes: b}
		}
		some[name] = part
	}
	b, _, errs := data.Validate(&p.c.Spec.Schema, some, nil, data.Options{})
	if errs != nil {
		p.t.Fatal(errs[0])
	}
	return b
}

// TestPages: what an evaluator has made for one page serves the next, be it larger
// or stored otherwise: minibatches and all rows of the page are those of a model
// of these rows in memory, in both precisions; with rows that were added the
// density counts all that there are.
func TestPages(t *testing.T) {
	for name, text := range map[string]string{
		"dense": "dim N, P\ndata x[N, P] : real\ndata y[N] : real\n" +
			"param w[P] : real ~ normal(0, 1)\nfactor log(N)\n" +
			"for n in N { y[n] ~ normal(x[n] @ w, 2) }\n",
		"sparse": "dim N, P\ndata x[N, P] : sparse real\ndata y[N] : real\n" +
			"param w[P] : real ~ normal(0, 1)\nfactor log(N)\n" +
			"for n in N { y[n] ~ normal(x[n] @ w, exp(w[0])) }\n",
	} {
		for _, single := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				c, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
				if c == nil {
					t.Fatal(diags)
				}
				if single {
					if err := c.ToSingle(); err != nil {
						t.Fatal(err)
					}
				}
				testPages(t, c)
			})
		}
	}
}

func testPages(t *testing.T, c *driver.Compiled) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, width = 900, 4
	x, y := make([]float64, rows*width), make([]float64, rows)
	for i := range x {
		x[i] = float64(r.IntN(4) * r.IntN(3))
	}
	for i := range y {
		y[i] = r.NormFloat64()
	}
	src := &paged{t: t, c: c, table: map[string]*data.Value{"x": data.Dense(x, rows, width),
		"y": data.Dense(y, rows)}, ends: []int{3, 40, 41, 700, rows}, first: rows, rows: rows}
	rest := &data.Bound{Dims: map[string]int{}, Values: map[string]*data.Value{}}
	m, err := c.Stream(rest, nil, src)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := c.VM(src.bound(0, rows, false), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := []float64{0.3, -0.2, 0.5, 0.1}
	same := func(what string, got, want []float64) {
		t.Helper()
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%s: %v, in memory %v", what, got, want)
			}
		}
	}
	evaluate := func(e target.Evaluator, rows []int, scale float64) []float64 {
		out := make([]float64, len(at)+2)
		out[0] = e.LogDensity(at, rows, scale, 1)
		out[1] = e.LogDensityGradient(at, rows, scale, 1, out[2:])
		more := make([]float64, len(at))
		e.Gradient(at, rows, scale, 1, more)
		out = append(out, more...)
		if rows != nil { // with a weight each, and where there are none
			d, ok := target.DifferenceOf(e)
			if !ok {
				t.Fatal("no difference")
			}
			weights := make([]float64, len(rows))
			for i := range weights {
				weights[i] = scale + float64(i)
			}
			for _, n := range []int{0, len(rows)} {
				d.Difference(at, []float64{0.2, -0.2, 0.6, 0}, rows[:n], weights[:n], 1, more)
				out = append(out, more...)
			}
		}
		return out
	}
	for _, first := range []int64{0, 1, 3} { // the page that rooms are made for
		e, in := m.Evaluator(5), whole.Evaluator(5)
		e.Follow(src, rows, int64(len(src.ends)-1))
		e.Fetches(false)
		for _, page := range []int64{first, 0, 3, 1, 2, 4} {
			if err := e.Turn(page); err != nil {
				t.Fatal(err)
			}
			lo, hi := 0, src.ends[page]
			if page > 0 {
				lo = src.ends[page-1]
			}
			batch := []int{lo, hi - 1, (lo + hi) / 2, lo, (lo + 2*hi) / 3, lo, lo, hi - 1}
			same("a minibatch", evaluate(e, batch, 7), evaluate(in, batch, 7))
			places, gradient := make([]int, len(batch)), make([]float64, len(at))
			for i, row := range batch {
				places[i] = row - lo
			}
			told := func() {
				e.Lie(batch, places, nil)
				e.Coming(places, nil)
				e.Gradient(at, batch, 7, 1, gradient)
			}
			if n := testing.AllocsPerRun(3, told); n != 0 {
				t.Errorf("a gradient of page %d allocates %g times", page, n)
			}
			same("rows whose places are told", evaluate(e, batch, 7), evaluate(in, batch, 7))
			if page == 3 { // sums in blocks as those of the whole
				likelihoods := [2][]float64{make([]float64, 7), make([]float64, 7)}
				e.LogLik(at, batch[:7], likelihoods[0])
				in.LogLik(at, batch[:7], likelihoods[1])
				same("likelihoods", likelihoods[0], likelihoods[1])
			}
			var all []int
			for k := lo; k < hi; k++ {
				all = append(all, k)
			}
			got, want := evaluate(e, nil, 1), evaluate(in, all, 1)
			for i := range got {
				if d := math.Abs(got[i] - want[i]); d > 1e-3*(1+math.Abs(want[i])) {
					t.Fatalf("all rows of page %d: %v, in memory %v", page, got, want)
				}
			}
		}
	}
	// Rows that are added: the density has their number in it.
	src.grows, src.first = true, 41
	if m, err = c.Stream(rest, nil, src); err != nil {
		t.Fatal(err)
	}
	e, in := m.Evaluator(5), whole.Evaluator(5)
	e.Follow(src, rows, 1)
	if err := e.Turn(0); err != nil {
		t.Fatal(err)
	}
	same("after rows were added", evaluate(e, []int{0, 1, 2}, 300),
		evaluate(in, []int{0, 1, 2}, 300))
}
