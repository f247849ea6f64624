package pass_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/parquet"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

const (
	threeLine = `dim N, P
data x[N, P] : real
data y[N] : real
param a : real ~ normal(0, 2)
param b[P] : real ~ normal(0, 2)
param s : positive ~ normal(0, 1)
for n in N { y[n] ~ normal(a + x[n] @ b, s) }
`
	threeLogistic = `dim N, P
data x[N, P] : real
data b[N] : bool
param a : real ~ normal(0, 2)
param w[P] : real ~ normal(0, 2)
for n in N { b[n] ~ bernoulli_logit(a + x[n] @ w) }
`
)

// BenchmarkPass measures passes over the Parquet files that SGPPL_ROWS matches, which
// internal/rows writes, and a pass that only decodes the same columns: nanoseconds of a
// processor for each row.
func BenchmarkPass(b *testing.B) {
	pattern := os.Getenv("SGPPL_ROWS")
	if pattern == "" {
		b.Skip("SGPPL_ROWS names no files of rows")
	}
	for _, names := range []string{"x y", "x b"} {
		b.Run("decode "+names, func(b *testing.B) {
			measure(b, func() int64 { return decodeAll(b, pattern, names) })
		})
	}
	for _, c := range []struct {
		text   string
		method pass.Method
	}{{threeLine, pass.Statistics}, {threeLogistic, pass.Surrogate}} {
		e := runIn(b, c.text, pattern)
		choice, err := pass.Choose(b.Context(), e, c.method)
		if err != nil {
			b.Fatal(err)
		}
		if c.method == pass.Statistics {
			b.Run("statistics", func(b *testing.B) {
				measure(b, func() int64 {
					w, err := pass.WholeOf(b.Context(), runIn(b, c.text, pattern), front.Loop{Workers: 2}, 1,
						choice, 1)
					if err != nil {
						b.Fatal(err)
					}
					return int64(w.Target.Rows())
				})
			})
			continue
		}
		w, err := pass.WholeOf(b.Context(), e, front.Loop{Workers: 2}, 1, choice, 1)
		if err != nil {
			b.Fatal(err)
		}
		p := w.Target.(*pass.Remote).Passes()
		d := w.Target.Dim()
		a, sds := make([]float64, d), make([]float64, d)
		for i := range sds {
			sds[i] = 1e-3
		}
		white := whitening.New(a, false)
		for i := range white.Diag {
			white.Diag[i] = 1e-3
		}
		states := make([][]float64, 1000)
		for i := range states {
			states[i] = a
		}
		n := int64(w.Target.Rows())
		for name, f := range map[string]func() error{
			"gradient": func() error { _, err := p.Expand(b.Context(), a, sds); return err },
			"leverage": func() error { _, _, _, err := p.Take(b.Context(), a, white, 2000); return err },
			"check":    func() error { return p.LogLik(b.Context(), states, make([]float64, 1000)) },
		} {
			b.Run(name, func(b *testing.B) {
				measure(b, func() int64 {
					if err := f(); err != nil {
						b.Fatal(err)
					}
					return n
				})
			})
		}
	}
}

// measure runs f, which returns how many rows it took.
func measure(b *testing.B, f func() int64) {
	began, rows := cputime.Now(), int64(0)
	for b.Loop() {
		rows += f()
	}
	b.ReportMetric(float64(cputime.Now()-began)/float64(rows), "cpu-ns/row")
}

var runs int

func runIn(b *testing.B, text, pattern string) *pass.Env {
	b.Helper()
	runs++
	return runOf(b, fmt.Sprintf("mem://bench-%d", runs), text, pattern, shards.Size)
}

// decodeAll decodes the columns of files whose names begin with one of some words.
func decodeAll(b *testing.B, pattern, words string) (rows int64) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		b.Fatal(files, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			b.Fatal(err)
		}
		p, err := parquet.Open(f, info.Size())
		if err != nil {
			b.Fatal(err)
		}
		var some []int
		for i, c := range p.Columns() {
			if strings.Contains(words, strings.Split(c.Name, ".")[0]) {
				some = append(some, i)
			}
		}
		err = p.Read(some, nil, func(x [][]float64) error { rows += int64(len(x[0])); return nil })
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
	return rows
}
