package lower

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// CheckLines evaluates the `check` lines of the model's own distributions and
// reports those that do not give the digits written.
func CheckLines(m *check.Model, o Options) diag.List {
	l := newLowerer(m, o)
	for _, s := range m.File.Stmts {
		d, ok := s.(*ast.Dist)
		if !ok {
			continue
		}
		for i := range d.Items {
			if it := &d.Items[i]; it.Check != nil {
				l.Try(func() { l.checkLine(it) })
			}
		}
	}
	return l.Diags
}

func (l *Model) checkLine(it *ast.DistItem) {
	c := l.Checked.Callees[it.Check]
	if c == nil || c.Dist == nil {
		return
	}
	got := l.number(l.distCall(it.Check, c).v)
	want := l.number(l.expr(it.Body).v)
	src := l.Checked.File.Source.Text
	text := src[it.Body.Pos().Start:it.Body.Pos().End]
	if got == want || math.Abs(got-want) <= half(text) || math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	call := src[it.Check.Span.Start:it.Check.Span.End]
	l.Diags.Add(&diag.Diagnostic{Code: limits.CheckFails, File: l.Checked.File.Source,
		Span: it.Body.Pos(),
		Message: fmt.Sprintf("%s is %s, and the check says %s", call,
			strconv.FormatFloat(got, 'g', 12, 64), text)})
}

// number returns the value of an expression of constants.
func (l *Model) number(v *ir.Value) float64 {
	out := ir.Eval(&ir.Func{ID: fn.ID{Kind: "check"}, Outputs: []ir.Output{{Name: "v", Value: v}}},
		&ir.Env{})
	return out["v"].Data[0]
}

// half returns half a unit of the last digit that a number is written with.
func half(text string) float64 {
	text = strings.ToLower(strings.TrimLeft(strings.TrimSpace(text), "-+"))
	mantissa, exponent, _ := strings.Cut(text, "e")
	place, _ := strconv.Atoi(exponent)
	if _, fraction, ok := strings.Cut(mantissa, "."); ok {
		place -= len(fraction)
	} else if exponent == "" {
		return 1e-9 // a whole number is meant exactly
	}
	return 0.5000001 * math.Pow(10, float64(place))
}
