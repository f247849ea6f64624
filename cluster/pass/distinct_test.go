package pass_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
)

// visits is a regression of counts on a group, which is a word, and on a yes or no.
const visits = `dim N, J
data g[N] : index[J]
data x[N] : real
data k[N] : count
param a[J] : real ~ normal(0, 2)
param b : real ~ normal(0, 1)
for n in N { k[n] ~ poisson_log(a[g[n]] + x[n] * b) }
`

// fewRows writes rows of which few are different; later parts of the file have other groups. From
// row odd on all rows are different.
func fewRows(t *testing.T, n, odd int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 2))
	var b strings.Builder
	b.WriteString("g,x,k\n")
	for i := range n {
		x := float64(r.IntN(2))
		if i >= odd {
			x = r.Float64()
		}
		fmt.Fprintf(&b, "town %d,%g,%d\n", r.IntN(3)+4*i/n, x, r.IntN(4))
	}
	return rowsFile(t, b.String())
}

// Where few rows of the shards are different, the posterior of all is that of the different ones
// with weights: its log density is that of all rows, and a pass is all that it costs. Groups are
// words, which shards number in their own ways.
func TestDistinct(t *testing.T) {
	data := fewRows(t, 4000, 4000)
	first := ""
	for _, by := range []pass.Front{front.Loop{Workers: 1}, twice{2}} {
		e := runOf(t, t.TempDir(), visits, data, 6000)
		w := whole(t, e, by, pass.Auto)
		x := w.Exact
		if x == nil || x.Distinct < 40 || x.Distinct > 56 || x.All != 4000 || x.Sums != 0 ||
			w.Target.Rows() != 4000 || !strings.HasPrefix(x.String(), "exact: 4000 rows enter as ") {
			t.Fatalf("%+v", x)
		}
		if k := kindsOf(t, e); len(k) != 1 || k["distinct"] < 8 {
			t.Errorf("%v", k)
		}
		one := runOf(t, "mem://"+t.TempDir(), visits, data, 1<<40)
		m, _, err := one.Rows(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		d := w.Target.Dim()
		rows := make([]int, 4000) // one by one
		for i := range rows {
			rows[i] = i
		}
		z, g, h := make([]float64, d), make([]float64, d), make([]float64, d)
		bits := ""
		for k := range 5 {
			for i := range z {
				z[i] = 0.3 * math.Sin(float64(3*k+i))
			}
			a := w.Target.NewEvaluator(1).LogDensityGradient(z, nil, 1, 1, g)
			b := m.NewEvaluator(0).LogDensityGradient(z, rows, 1, 1, h)
			bits += fmt.Sprintf("%x %x ", a, g)
			if math.Abs(a-b) > 1e-11*math.Abs(b) {
				t.Errorf("log density %v, of all rows %v", a, b)
			}
			for i := range g {
				if math.Abs(g[i]-h[i]) > 1e-9*(1+math.Abs(h[i])) {
					t.Errorf("gradient %d: %v, of all rows %v", i, g[i], h[i])
				}
			}
		}
		if first == "" {
			first = bits
		} else if bits != first {
			t.Error("the bits depend on who does the tasks")
		}
		if s, err := pass.Starts(t.Context(), w.Target, 1, 2); err != nil || len(s) != 2 {
			t.Errorf("starts %v, %v", s, err)
		}
	}
}

// A later shard whose rows are different has a surrogate take the place of the table, and says so;
// where that was not asked for, or does not suit, words say why.
func TestDistinctFallsBack(t *testing.T) {
	data := fewRows(t, 4000, 2500)
	e := runOf(t, t.TempDir(), visits, data, 12000)
	said := ""
	e.Note = func(text string) { said += text }
	w := whole(t, e, front.Loop{Workers: 2}, pass.Auto)
	if w.Exact != nil || !strings.Contains(said, "a surrogate takes the place") {
		t.Errorf("%+v, %s", w.Exact, said)
	}
	if k := kindsOf(t, e); k["distinct"] == 0 || k["pilot"] != k["distinct"] {
		t.Errorf("%v", k)
	}
	c, err := pass.Choose(t.Context(), e, pass.Statistics)
	if err != nil || !c.Tables {
		t.Fatalf("%+v, %v", c, err)
	}
	no := (*pass.Refused)(nil)
	if _, err := pass.WholeOf(t.Context(), e, front.Loop{Workers: 2}, 1, c, 5); !errors.As(err, &no) ||
		!strings.Contains(err.Error(), "--method surrogate may take them") {
		t.Errorf("statistics that were asked for: %v", err)
	}
	c, err = pass.Choose(t.Context(), e, pass.Surrogate)
	if err != nil || c.Tables || c.Method != pass.Surrogate {
		t.Errorf("%+v, %v", c, err)
	}
}
