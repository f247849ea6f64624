package modeltest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/irtest"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// pieceModels are models of rows of which one is much longer than the others.
var pieceModels = []struct {
	name, text string
	one        bool // rows must be padded to one length
}{
	{"topics", `
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}`, false},
	{"topics that are summed out", `
param theta : simplex[K] ~ dirichlet(1)
for d in D {
  for i in W {
    local z : index[K] ~ categorical(theta) by marginal
    w[d, i] ~ categorical_logit(eta[z])
  }
}`, false},
	{"a weight for every place", `
param s : real ~ normal(0, 1)
for d in D { for i in W { factor -exp(s * i / 9) * sum(eta[k, w[d, i]]^2 for k in K) } }`, false},
	{"weights of words for every place", `
param s : real ~ normal(0, 1)
for d in D { for i in W { w[d, i] ~ categorical_logit(eta[0] * exp(-s * i / 9)) } }`, true},
	{"weights of classes for every place", `
param c[K] : real ~ normal(0, 1)
for d in D {
  for i in W {
    local z : index[K] ~ categorical_logit([log1p_exp(c[k] * (1 + i)) for k in K]) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}`, true},
}

// pieceLengths are those of the rows.
var pieceLengths = []int{3, 1, 0, 120, 2, 9, 4, 1, 33, 5, 2, 1}

func pieceModel(t *testing.T, text string) (*driver.Compiled, *model.Model) {
	t.Helper()
	c, diags := driver.Compile(source.New("m.sg",
		"dim D, W(D), V, K = 3\ndata w[D, W] : index[V]\nparam eta[K, V] : real ~ normal(0, 1)"+
			text+"\n"), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	var words []float64
	for d, n := range pieceLengths {
		for i := range n {
			words = append(words, float64((d*d+3*i+i*i)%5))
		}
	}
	bound, _, errs := data.Validate(&c.Spec.Schema,
		map[string]*data.Value{"w": data.Ragged(words, [][]int{{len(pieceLengths)}, pieceLengths})},
		nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// TestPieces: the gradient of a minibatch of which a row is much longer than the
// others is that of the rows one by one, whatever draws them, also the second time
// at a visit, whose draws are kept.
func TestPieces(t *testing.T) {
	rows := []int{0, 3, 4, 8, 2, 1, 9, 10, 5, 6, 11, 7}
	for _, c := range pieceModels {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			compiled, m := pieceModel(t, c.text)
			if compiled.Spec.OneLength != c.one {
				t.Errorf("rows of one length: %t", compiled.Spec.OneLength)
			}
			x := make([]float64, m.Dim())
			for i := range x {
				x[i] = 0.7 * math.Sin(float64(3*i+1))
			}
			gradient := func(threads, times int, rows []int, scale float64) []float64 {
				e := m.Evaluator(len(rows))
				e.Locals(target.LocalOptions{BurnIn: 3, Kept: 4, Threads: threads}, 9, 1)
				e.Visit(4, true)
				g := make([]float64, m.Dim())
				for range times {
					e.Gradient(x, rows, scale, 1, g)
				}
				return g
			}
			got, prior := gradient(1, 1, rows, 1), gradient(1, 1, rows[:1], 0)
			sum := slices.Clone(prior)
			for _, r := range rows {
				for i, v := range gradient(1, 1, []int{r}, 1) {
					sum[i] += v - prior[i]
				}
			}
			irtest.Near(t, "rows together", got, sum)
			for _, way := range [][2]int{{3, 1}, {1, 2}, {2, 3}} {
				if !slices.Equal(gradient(way[0], way[1], rows, 1), got) {
					t.Errorf("%d threads, gradient %d of the visit: other bits", way[0], way[1])
				}
			}
		})
	}
}
