package vm_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// BenchmarkLogisticGradient is the gradient of a logistic regression on a9a
// (32,561 rows, 123 columns, 11 % of them not zero) by size of the minibatch.
func BenchmarkLogisticGradient(b *testing.B) {
	text, err := os.ReadFile(reference.Path(b, "models", "logistic.sg"))
	if err != nil {
		b.Fatal(err)
	}
	c, diags := driver.Compile(source.New("logistic.sg", string(text)), driver.Options{})
	if c == nil {
		b.Fatal(diags[0].Message)
	}
	file := reference.Path(b, "data", "a9a", "a9a.gz")
	bound, _, errs := data.Bind(&c.Spec.Schema,
		[]string{"x=" + file + ":features", "y=" + file + ":label"}, nil, data.Options{})
	if errs != nil {
		b.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	x, g := make([]float64, m.Dim()), make([]float64, m.Dim())
	for i := range x {
		x[i] = 0.1 * r.NormFloat64()
	}
	for _, n := range []int{10, 100, 1000, 0} {
		name, rows := fmt.Sprint("batch=", n), []int(nil)
		if n == 0 {
			name = "full"
		} else {
			rows = r.Perm(m.Rows())[:n]
		}
		b.Run(name, func(b *testing.B) {
			e := m.Evaluator(n)
			b.ReportAllocs()
			for b.Loop() {
				e.Gradient(x, rows, 1, 1, g)
			}
		})
	}
}
