package plan

import (
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Work lists how many numbers a row the programs work on, as far as one of
// them may need smaller blocks of rows than the largest: what is small, or not
// more than another's, is left out.
func Work(programs []*Program) []size.Poly {
	var out []size.Poly
	for _, p := range programs {
		w := size.Const(0)
		for _, s := range p.Slots {
			if s.Rows {
				w = w.Add(s.Width)
			}
		}
		if n, ok := w.Number(); ok && n <= model.BlockNumbers/model.BlockRows {
			continue
		}
		least := true
		kept := out[:0]
		for _, q := range out {
			least = least && !covers(q, w)
			if !least || !covers(w, q) {
				kept = append(kept, q)
			}
		}
		if out = kept; least {
			out = append(out, w)
		}
	}
	return out
}

// covers reports that p ≥ q for all sizes, by their coefficients.
func covers(p, q size.Poly) bool {
	for _, t := range p.Sub(q).Terms {
		if t.Coef < 0 {
			return false
		}
	}
	return true
}
