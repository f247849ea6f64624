package check

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// TestManyUnknown: a model with very many unknown names is checked in a time that
// grows with its length. Each unknown name was compared with all known ones.
func TestManyUnknown(t *testing.T) {
	took := func(n int) time.Duration {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "param alpha%d : real ~ normal(betas%d, 1)\n", i, i)
		}
		f, _ := parser.Parse(source.New("m.sg", b.String()))
		start := cputime.Now()
		m := Check(f, Options{})
		if got := len(m.Diags); got != n {
			t.Fatalf("%d diagnostics of %d unknown names", got, n)
		}
		return cputime.Now() - start
	}
	took(100)
	few, many := took(1000), took(8000) // 64 times as long where it was quadratic
	if many > 24*few+2*time.Second {
		t.Errorf("1000 unknown names took %v, 8000 took %v", few, many)
	}
}
