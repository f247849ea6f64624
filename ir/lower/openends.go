package lower

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// openEnds returns the numbers that observed data must not equal though their type admits them:
// ends of the support of their distribution, where its density is infinite or 0. A distribution on
// positive excludes 0, one on unit excludes 0 and 1; one on nonnegative or real has a finite
// density on all of its support. Censored data are excepted, since the likelihood has their
// probabilities in place of densities.
func openEnds(m *check.Model) map[*check.Symbol][]data.OpenEnd {
	out := map[*check.Symbol][]data.OpenEnd{}
	ast.InspectFile(m.File, func(n ast.Node) bool {
		t, ok := n.(*ast.Tilde)
		if !ok {
			return true
		}
		s := m.Uses[ast.Root(t.Left)]
		use := m.Dists[t.Dist]
		if s == nil || s.Kind != check.Data || use == nil {
			return true
		}
		switch s.Type.Kind {
		case types.Nonnegative, types.Unit, types.Interval:
		default:
			return true
		}
		src := m.File.Source
		place := src.Place(t.Span.Start)
		var laws func(u *check.DistUse)
		laws = func(u *check.DistUse) {
			for _, c := range u.Comps {
				laws(c)
			}
			if u.Form != check.Plain || u.Cens != nil || use.Cens != nil {
				return
			}
			switch u.Def.On.Kind {
			case types.Positive:
				out[s] = append(out[s], data.OpenEnd{At: 0, Law: u.Def.Name, Place: place})
			case types.Unit:
				out[s] = append(out[s], data.OpenEnd{At: 0, Law: u.Def.Name, Place: place},
					data.OpenEnd{At: 1, Law: u.Def.Name, Place: place})
			}
		}
		laws(use)
		return true
	})
	return out
}
