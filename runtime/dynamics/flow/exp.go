package flow

import "github.com/sgppl/sgppl/runtime/math/special"

// exp is e^a, and exps that of every entry; the same bits either way.
func exp(a float64) float64 { return special.Exp(a) }

func exps(dst, a []float64) { special.ExpSlice(dst, a) }
