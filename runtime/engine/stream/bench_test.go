package stream

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// BenchmarkPages reads pages of a table of 20 columns, as text and as numbers.
func BenchmarkPages(b *testing.B) {
	b.Chdir(b.TempDir())
	var text strings.Builder
	for k := range 20 {
		fmt.Fprintf(&text, "x.%d,", k)
	}
	text.WriteString("y\n")
	for i := range 40_000 {
		for k := range 20 {
			fmt.Fprintf(&text, "%.5f,", float64((i*7+k*31)%1000)/333-1.5)
		}
		fmt.Fprintln(&text, i%2)
	}
	if err := os.WriteFile("t.csv", []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	for _, cache := range []bool{false, true} {
		b.Run(fmt.Sprintf("cache=%v", cache), func(b *testing.B) {
			files, _ := data.NewRowBinder(table, []string{"t.csv"}, "N", probe)
			p, _, errs := Make(table, files, "N", Options{Cache: cache, Spool: b.TempDir()})
			if errs != nil {
				b.Fatal(Errors(errs))
			}
			src, errs := Open(p, table, nil)
			if errs != nil {
				b.Fatal(Errors(errs))
			}
			defer src.Close()
			r := src.Reader()
			all := make([]int, p.Layout.Blocks())
			for i := range all {
				all[i] = i
			}
			b.ResetTimer()
			for b.Loop() {
				if _, err := r.Load(nil, all); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*p.Layout.Rows), "ns/row")
		})
	}
}
