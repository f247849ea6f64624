package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
)

// declareJoined makes a continuous latent value of a row an unknown like the
// params, one for every entry of its plates: samplers with a Metropolis test
// move it with them. The axes of the plates are then no longer such that rows
// can be drawn.
func (l *Model) declareJoined(s *check.Symbol, g *ast.Group, i int) {
	v := &g.Vars[i]
	if l.drawing() {
		l.drawLocal(s, g)
		return
	}
	for _, a := range l.plates {
		if l.masks[a] != nil {
			l.Fail(limits.RaggedNotLowered, v.Span, "a continuous local of rows of different lengths cannot be compiled yet")
		}
	}
	if s.Type.Kind == types.Interval {
		for _, e := range g.Type.Ends {
			if end := l.expr(e).v; end.Op != ir.OpConst {
				l.Fail(limits.LocalNotLowered, e.Pos(), "the ends of a local's interval are numbers: others cannot be compiled yet")
			}
		}
	}
	p := l.paramAlong(l.plates, s.Name, s.Doc, s.Type, g.Type.Ends, "", &v.Name)
	axes := p.XAxes()[p.plates:]
	l.frame.values[s] = tensor{v: p.X, axes: axes}
	if g.Prior == nil {
		return
	}
	family := axes[:len(s.Prior.Family)]
	d := l.bindUse(s.Prior, Variate{V: p.X, Family: family, Own: axes[len(family):]}, g.Prior.Span)
	f := d.LogPDF(p.X)
	if s.Prior.Conditioned {
		f = l.conditioned(d, p, f, l.ends(p, nil, nil))
	}
	over := append(slices.Clone(l.plates), family...)
	l.Terms = append(l.Terms, Term{V: f, Over: over, Span: g.Prior.Span, Prior: true, Site: s.Name})
}
