package driver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

// mostAllocated bounds what a part of a model of a kind takes to compile.
var mostAllocated = map[string]float64{"params": 1000, "likelihood": 1700,
	"data": 6000, "lets": 900}

// long are models with n parts of a kind.
var long = map[string]func(n int) string{
	"params": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "param a%d : real ~ normal(0, 1)\n", i)
		}
		return b.String()
	},
	"likelihood": func(n int) string {
		var b, sum strings.Builder
		b.WriteString("dim N\ndata y[N] : real\n")
		for i := range n {
			fmt.Fprintf(&b, "param a%d : real ~ normal(0, 1)\n", i)
			fmt.Fprintf(&sum, " + a%d", i)
		}
		return b.String() + "y ~ normal(0" + sum.String() + ", 1)\n"
	},
	"data": func(n int) string {
		var b strings.Builder
		b.WriteString("dim N\nparam a : real ~ normal(0, 1)\n")
		for i := range n {
			fmt.Fprintf(&b, "data y%d[N] : real\ny%d ~ normal(a, 1)\n", i, i)
		}
		return b.String()
	},
	"lets": func(n int) string {
		var b strings.Builder
		b.WriteString("dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\nlet b0 = a\n")
		for i := range n {
			fmt.Fprintf(&b, "let b%d = sin(b%d)\n", i+1, i)
		}
		return b.String() + fmt.Sprintf("y ~ normal(b%d, 1)\n", n)
	},
}

// TestLongModels: what is allocated for a part of a model does not grow with how
// many parts there are, neither to check nor to compile, and is bounded.
func TestLongModels(t *testing.T) {
	for name, text := range long {
		t.Run(name, func(t *testing.T) {
			per := func(n int) (check, compile float64) {
				src := source.New("m.sg", text(n))
				_, m := Check(src, Options{})
				if m.Diags.Errors() {
					t.Fatal(m.Diags[0].Message)
				}
				check = testing.AllocsPerRun(1, func() { Check(src, Options{}) })
				compile = testing.AllocsPerRun(1, func() {
					if c, diags := Checked(src, m, Options{}); c == nil {
						t.Fatal(diags[0].Message)
					}
				})
				return check / float64(n), compile / float64(n)
			}
			check, compile := per(30)
			check4, compile4 := per(120)
			t.Logf("allocations a part: %.0f and %.0f to check, %.0f and %.0f to compile", check,
				check4, compile, compile4)
			if check4 > 1.3*check {
				t.Errorf("to check takes %.0f allocations a part of 30, %.0f of 120", check, check4)
			}
			if compile4 > 1.3*compile {
				t.Errorf("to compile takes %.0f allocations a part of 30, %.0f of 120", compile,
					compile4)
			}
			if compile4 > mostAllocated[name] {
				t.Errorf("to compile takes %.0f allocations a part, more than %v", compile4,
					mostAllocated[name])
			}
		})
	}
}
