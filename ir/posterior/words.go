package posterior

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/lower"
	"github.com/sgppl/sgppl/lang/types"
)

// Poisson counts of the words of a bag are scored given their total: independent Poisson counts
// with the rates r[v] are multinomial given their sum, with probabilities r[v]/Σ r. So each word of
// a bag has a probability, and bags of counts are completed word by word like categories.

// words returns, for a term of Poisson counts in a bag, the counts times the log probabilities of
// their words, and the counts; nil for other terms.
func words(l *lower.Model, t *lower.Term) (v, counts *ir.Value) {
	b := l.B
	for i := range l.Sites {
		s := &l.Sites[i]
		if s.Name != t.Site || s.Type.Kind != types.Bag || !s.Dist.IsA("poisson", "poisson_log") ||
			s.Left == nil || !s.Left.Sparse {
			continue
		}
		rate, words := s.Dist.Line("mean", nil), t.Over[len(t.Over)-1]
		if rate.Op == ir.OpExp { // the sum of the rates may overflow
			alpha := rate.Args[0]
			return b.Mul(s.Left, b.Sub(alpha, b.Reduce(ir.OpLogSumExp, alpha, words))), s.Left
		}
		total := b.Map(ir.OpMax, b.Sum(rate, words), b.Num(0x1p-1000)) // avoids 0/0 where all rates are 0
		return b.Mul(s.Left, b.Sub(b.Map(ir.OpLog, rate), b.Map(ir.OpLog, total))), s.Left
	}
	return nil, nil
}
