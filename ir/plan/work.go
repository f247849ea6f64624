package plan

import (
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Work lists how many numbers per row the programs work on, to find the size of blocks of rows.
// Programs are left out whose number is small, or never larger than another's.
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

// covers reports that p ≥ q for all sizes. It compares coefficients, so false is not a proof of the
// opposite.
func covers(p, q size.Poly) bool {
	for _, t := range p.Sub(q).Terms {
		if t.Coef < 0 {
			return false
		}
	}
	return true
}
