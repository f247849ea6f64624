package lower

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/lang/types"
)

// The words of a bag, given how many there are: independent Poisson counts of
// rates r[v] are multinomial given their sum, with probabilities r[v]/Σ r. So a
// word of a bag has a probability for itself, and bags of counts are completed
// word by word, as those of categories are.

// poissons are the distributions that are a Poisson, by its rate or its logarithm.
var poissons = []string{"poisson", "poisson_log"}

// words is, of a term of Poisson counts in a bag, the counts times the log
// probabilities of their words, and the counts; nil for other terms.
func (l *lowerer) words(t *term) (v, counts *ir.Value) {
	b := l.b
	for i := range l.sites {
		s := &l.sites[i]
		if s.name != t.site || s.typ.Kind != types.Bag || s.dist.def == nil || !slices.Contains(poissons, s.dist.def.Name) || s.left == nil || !s.left.Sparse {
			continue
		}
		rate, words := s.dist.line("mean", nil), t.over[len(t.over)-1]
		if rate.Op == ir.OpExp { // its sum may be larger than numbers are
			alpha := rate.Args[0]
			return b.Mul(s.left, b.Sub(alpha, b.Reduce(ir.OpLogSumExp, alpha, words))), s.left
		}
		total := b.Map(ir.OpMax, b.Sum(rate, words), b.Num(0x1p-1000)) // 0 where no word has a rate
		return b.Mul(s.left, b.Sub(b.Map(ir.OpLog, rate), b.Map(ir.OpLog, total))), s.left
	}
	return nil, nil
}
