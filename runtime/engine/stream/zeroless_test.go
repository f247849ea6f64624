package stream

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// TestZerolessOfAllRows: that no index is 0 is said of all rows, not of those of a page.
func TestZerolessOfAllRows(t *testing.T) {
	s := &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "J"}},
		Inputs: []data.Input{{Name: "g", Kind: data.Index, Below: size.Dim("J"),
			Shape: []size.Poly{size.Dim("N")}}}}
	for zero := range 21 { // the row with a 0; of 20 none
		t.Chdir(t.TempDir())
		var b strings.Builder
		b.WriteString("g\n")
		for i := range 20 {
			if i == zero {
				b.WriteString("0\n")
			} else {
				fmt.Fprintln(&b, 1+i%5)
			}
		}
		if err := os.WriteFile("d.csv", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		r, errs := data.NewRowBinder(s, []string{"d.csv"}, "N", probe)
		if errs != nil {
			t.Fatal(Errors(errs))
		}
		_, notes, errs := Make(s, r, "N", Options{Block: 3, Window: 2})
		if errs != nil {
			t.Fatal(Errors(errs))
		}
		if said := slices.Contains(notes, data.ZerolessNote("J", "g", 6)); said != (zero == 20) {
			t.Errorf("a 0 in row %d: notes %q", zero, notes)
		}
		for _, n := range notes {
			if strings.Contains(n, "warning") && zero < 20 {
				t.Errorf("a 0 in row %d: %s", zero, n)
			}
		}
	}
}
