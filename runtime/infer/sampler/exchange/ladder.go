package exchange

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Ladder is the inverse temperatures of the replicas of a chain, from 0 to 1, with what is seen
// of the swaps between neighbours.
type Ladder struct {
	Betas []float64
	gaps  []gap
}

// A gap is two neighbours.
type gap struct {
	n, rejected float64 // states that were seen, and the sum of the probabilities of rejection
	up, down    sum     // of the ratio of the constants, from the hotter and from the colder side
	middle      float64 // its logarithm, as estimated in the warm-up
	hot, cold   float64 // sums of Bennett's estimator about middle
}

// A sum is the logarithm of a sum of exponentials.
type sum struct{ top, scaled float64 }

func (s *sum) add(x float64) {
	switch {
	case math.IsInf(x, -1):
	case s.scaled == 0:
		s.top, s.scaled = x, 1
	case x <= s.top:
		s.scaled += special.Exp(x - s.top)
	default:
		s.scaled = float64(s.scaled*special.Exp(s.top-x)) + 1
		s.top = x
	}
}

func (s *sum) log() float64 {
	if s.scaled == 0 {
		return math.Inf(-1)
	}
	return s.top + special.Log(s.scaled)
}

// NewLadder returns a ladder of so many replicas.
func NewLadder(replicas int) *Ladder {
	l := &Ladder{Betas: make([]float64, replicas), gaps: make([]gap, replicas-1)}
	l.Betas[replicas-1] = 1
	return l
}

// Begin spaces the ladder for draws of the reference law with the ratios log p − log q: from the
// inverse of their spread between quartiles by equal factors to 1.
func (l *Ladder) Begin(ratios []float64) {
	x := slices.DeleteFunc(slices.Clone(ratios), func(v float64) bool { return !special.Finite(v) })
	slices.Sort(x)
	first := 0.5
	if n := len(x); n > 0 {
		if spread := x[3*(n-1)/4] - x[(n-1)/4]; spread > 2 {
			first = 1 / spread
		}
	}
	last := len(l.Betas) - 1
	for i := 1; i < last; i++ {
		l.Betas[i] = special.Exp(special.Log(first) * float64(last-i) / float64(last-1))
	}
}

// See takes the ratios log p − log q of the states of all replicas, and the noise of their
// differences as of Accept.
func (l *Ladder) See(ratios, noise []float64, rows int, warm bool) {
	for i := range l.gaps {
		g := &l.gaps[i]
		by := l.Betas[i+1] - l.Betas[i]
		hot, cold := float64(by*ratios[i]), float64(by*ratios[i+1])
		g.n++
		g.rejected += 1 - l.Accept(i, ratios, noise, rows)
		if warm {
			g.up.add(hot)
			g.down.add(-cold)
			continue
		}
		g.hot += logistic(hot - g.middle)
		g.cold += logistic(g.middle - cold)
	}
}

// logistic is 1/(1 + e^(−x)).
func logistic(x float64) float64 { return 1 / (1 + special.Exp(-x)) }

// Accept returns the probability with which replicas i and i + 1 swap their states. noise, if not
// nil, has the variance of the difference of the ratios of neighbours, where these are estimated
// from so many rows. The test has the right law on average then: half the variance is taken off,
// with what the error of that variance needs (Ceperley and Dewing 1999, "The penalty method for
// random walks with uncertain energies", equation 35; its first term is the correction of Deng,
// Feng, Gao, Liang and Lin 2020, "Non-convex learning via replica exchange stochastic gradient
// MCMC", equation 6).
func (l *Ladder) Accept(i int, ratios, noise []float64, rows int) float64 {
	by := l.Betas[i+1] - l.Betas[i]
	gain := float64(by * (ratios[i] - ratios[i+1]))
	if noise != nil {
		s, n := float64(by*by)*noise[i], float64(rows)
		gain -= float64(s/2) + float64(s*s)/(4*(n+1)) +
			float64(s*s)*s/(3*(n+1)*(n+3))
	}
	if math.IsNaN(gain) {
		return 0
	}
	return special.Exp(min(gain, 0))
}

// leastRejection is the smallest probability of rejection that a gap counts with: temperatures are
// placed in each.
const leastRejection = 1e-3

// Refit places the temperatures so that all gaps have the same probability of rejection, as far as
// the states seen so far say (Syed et al. 2022, section 5.2), and forgets these. Between two
// temperatures the barrier is linear in β from 0 on, else in log β.
func (l *Ladder) Refit() {
	n := len(l.gaps)
	at := make([]float64, n+1) // the barrier at each temperature
	for i := range l.gaps {
		g := &l.gaps[i]
		at[i+1] = at[i] + max(g.rejected/max(g.n, 1), leastRejection)
	}
	betas := slices.Clone(l.Betas)
	for k, i := 1, 0; k < n; k++ {
		want := at[n] * float64(k) / float64(n)
		for i < n-1 && at[i+1] <= want {
			i++
		}
		share := (want - at[i]) / (at[i+1] - at[i])
		if i == 0 {
			l.Betas[k] = betas[1] * share
			continue
		}
		low := special.Log(betas[i])
		l.Betas[k] = special.Exp(low + float64(share*(special.Log(betas[i+1])-low)))
	}
	clear(l.gaps)
}

// Settle ends the warm-up: the ladder stays, and what is seen from now on counts.
func (l *Ladder) Settle() {
	for i := range l.gaps {
		middle := (l.gaps[i].up.log() - l.gaps[i].down.log()) / 2
		l.gaps[i] = gap{}
		if special.Finite(middle) {
			l.gaps[i].middle = middle
		}
	}
}

// Barrier returns the sum of the probabilities of rejection, an estimate of the communication
// barrier Λ from below.
func (l *Ladder) Barrier() float64 {
	sum := 0.0
	for i := range l.gaps {
		sum += l.gaps[i].rejected / max(l.gaps[i].n, 1)
	}
	return sum
}

// Least returns the smallest probability with which neighbours swap.
func (l *Ladder) Least() float64 {
	least := 1.0
	for i := range l.gaps {
		least = min(least, 1-l.gaps[i].rejected/max(l.gaps[i].n, 1))
	}
	return least
}

// Seen returns the number of states that were seen since the ladder stays.
func (l *Ladder) Seen() float64 { return l.gaps[0].n }

// LogEvidence returns the logarithm of the constant of the posterior's density over that of the
// reference law, by Bennett's estimator of each gap (Bennett 1976, "Efficient estimation of free
// energy differences from Monte Carlo data", equation 8, with equal numbers of states).
func (l *Ladder) LogEvidence() float64 {
	sum := 0.0
	for i := range l.gaps {
		g := &l.gaps[i]
		sum += g.middle + special.Log(g.hot) - special.Log(g.cold)
	}
	return sum
}

// Walk reads or writes the ladder, for a checkpoint.
func (l *Ladder) Walk(d *loop.Codec) {
	d.Floats(l.Betas)
	for i := range l.gaps {
		g := &l.gaps[i]
		for _, p := range []*float64{&g.n, &g.rejected, &g.up.top, &g.up.scaled, &g.down.top,
			&g.down.scaled, &g.middle, &g.hot, &g.cold} {
			d.Float(p)
		}
	}
}
