package modeltest

import (
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Passes and minibatches of more rows than a block are the sum of their parts.
func TestManyBlocks(t *testing.T) {
	const n = 2*model.BlockRows + 300
	for _, name := range []string{"softmax regression", "crossed effects",
		"sparse rows and their sum", "sparse times a matrix",
		"plate over part of a dim and a whole", "mixture of vectors", "truncated and censored",
		"a let over all rows"} {
		c, diags := driver.Compile(source.New("model.sg", tricky[name]), driver.Options{})
		if c == nil {
			t.Fatal(diags[0].Message)
		}
		dims := sized(&c.Spec.Schema, c.Spec.RowDim, false)
		dims[c.Spec.RowDim] = n
		m, x := bindRandom(t, c, dims, 1)
		if m == nil {
			t.Fatalf("%s: no point", name)
		}
		all := rand.New(rand.NewPCG(5, 6)).Perm(n)
		sum, part, full := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
		small, large := m.Evaluator(64), m.Evaluator(n)
		small.Gradient(x, all[:0], 1, 1, sum) // the prior alone
		prior := append([]float64(nil), sum...)
		for lo := 0; lo < n; lo += 500 {
			small.Gradient(x, all[lo:min(lo+500, n)], 1, 1, part)
			for i := range sum {
				sum[i] += part[i] - prior[i]
			}
		}
		for what, rows := range map[string][]int{"a full pass": nil, "a batch of all rows": all} {
			large.Gradient(x, rows, 1, 1, full)
			for i := range full {
				if !near(full[i], sum[i], 1e-9) {
					t.Errorf("%s: %s gives %v for coordinate %d, its parts %v", name, what, full[i],
						i, sum[i])
				}
			}
		}
		out := make([]float64, n)
		large.LogLik(x, nil, out)
		total := large.LogDensity(x, nil, 0, 1)
		for _, v := range out {
			total += v
		}
		if f := large.LogDensity(x, nil, 1, 1); !near(f, total, 1e-9) {
			t.Errorf("%s: the log density is %v, its parts sum to %v", name, f, total)
		}
	}
}
