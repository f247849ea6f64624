package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A mirroredHealth observes how much the reflections at 0 move the draws of
// mirrored blocks. A step of sgrld is x' = |y|, with y normal given x and the
// gradient, and its drift leads to the right law. Where y is negative, the reflection adds 2|y| to
// that drift, which the law does not account for. So
//
//	E[drift] + E[push] = 0, push = 2 E[max(0, −y)]/h,
//
// where the law has E[drift] = 0. By Cov(x, drift) = −T E x, which integration by
// parts gives, the mean of x is too high by E[push] Var x/(T E x). Under
// gamma(α, 1) laws that is E[push], as drift is α − x.
//
// The mean of x is in health.x, the sum of its squared deviations in health.xg, the
// mean of push in health.g: they are unused on mirrored blocks.
type mirroredHealth struct {
	at    []int     // by block: index of its first number below
	every []float64 // by block: one in this many observations is used
	seen  []float64 // by block: number of observations used
	time  []float64 // by block: the time that they represent
	// By coordinate: the mean of push², the mean of the share x_k/Σx, and the sum of
	// its squared deviations.
	push2, share, shares []float64
}

// oftenMirrored is the number of coordinates up to which every observation is used. With more,
// fewer are, since it takes longer than the rest of an observation.
const oftenMirrored = 1024

func newMirroredHealth(s *flow.State) mirroredHealth {
	q := mirroredHealth{at: make([]int, len(s.Factors)), every: make([]float64, len(s.Factors)),
		seen: make([]float64, len(s.Factors)), time: make([]float64, len(s.Factors))}
	n := 0
	for k := range s.Factors {
		if f := &s.Factors[k]; f.Space.Kind() == table.Mirrored {
			q.at[k], q.every[k] = n, float64(min(1+f.Len/oftenMirrored, 20))
			n += f.Len
		}
	}
	q.push2, q.share, q.shares = make([]float64, n), make([]float64, n), make([]float64, n)
	return q
}

// mirroredGradient observes the gradient on a mirrored block before a step: the configurational
// temperature and, of many coordinates now and then, reflections. The temperature is E[x·∇Ũ]/d = T,
// with x itself in place of x − x̄: x is positive, so integration by parts has a boundary term at
// 0, which vanishes for x as long as x p(x) → 0 there, but not for x − x̄.
func (h *observer) mirroredGradient(c *Chain, k int) {
	s, p := c.state, c.part(k)
	f, step := &s.Factors[k], p.schedule.At(c.step)
	lo, hi := f.Offset, f.Offset+f.Len
	x, force := s.X[lo:hi], s.Force[lo:hi]
	force = force[:len(x)]
	sum := 0.0
	for i, a := range x {
		sum += -float64(a * force[i])
	}
	h.blocks[k].config.Add(sum / float64(f.Dim()))
	q := &h.mirrored
	if math.Mod(h.n-1, q.every[k]) != 0 {
		return
	}
	q.seen[k]++
	q.time[k] += float64(float64(step*float64(h.stride)) * q.every[k])
	inv := 1 / q.seen[k]
	temperature, diffusion, m := p.cfg.Temperature, p.state.Diffusion, f.Space.Ambient()
	for lo := f.Offset; lo < hi; lo += m {
		at := q.at[k] + lo - f.Offset
		total := 0.0
		for _, a := range s.X[lo : lo+m] {
			total += math.Abs(a)
		}
		for i := range m {
			a := math.Abs(s.X[lo+i])
			drift := temperature + float64(s.X[lo+i]*s.Force[lo+i])
			variance := float64(float64(2*temperature*step)*a) +
				float64(float64(2*diffusion*step)*float64(a*a))
			push := 2 * below(a+float64(step*drift), math.Sqrt(variance)) / step
			d := a - h.x.wide[lo+i]
			h.x.wide[lo+i] += float64(d * inv)
			h.xg.wide[lo+i] += float64(d * (a - h.x.wide[lo+i]))
			h.g.wide[lo+i] += float64((push - h.g.wide[lo+i]) * inv)
			q.push2[at+i] += float64((float64(push*push) - q.push2[at+i]) * inv)
			p := a / total
			d = p - q.share[at+i]
			q.share[at+i] += float64(d * inv)
			q.shares[at+i] += float64(d * (p - q.share[at+i]))
		}
	}
}

// below returns E[max(0, −y)] for a normal y.
func below(mean, sd float64) float64 {
	if !(mean < 6*sd) { // the result is less than 2e-10 sd
		return max(0, -mean)
	}
	z := mean / sd
	const inverseRoot = 0.398942280401432677939946 // 1/√(2π)
	return max(0, float64(sd*float64(inverseRoot*special.Exp(-0.5*float64(z*z))))-
		float64(mean*special.NormalCDF(-z)))
}

// A reflected has the effect of reflections on a coordinate, over all chains.
type reflected struct {
	mean, variance         float64 // those of x
	share, shareVariance   float64 // those of x_k/Σx
	bias, biasError        float64 // of the mean of x, and its error
	push, push2, pushError float64 // E push, E push², and the error of E push
}

// appendReflections appends the row reflection_bias of a mirrored block: the bias of the mean of a
// coordinate, or of its share, that is caused by reflections at 0, in its standard deviations, for
// the worst coordinate of the block.
func appendReflections(out []health.Row, f *flow.Factor, chains []*Chain, k int) []health.Row {
	seen, time := 0.0, 0.0
	for _, c := range chains {
		seen += c.health.mirrored.seen[k]
		time += c.health.mirrored.time[k]
	}
	temperature, m := chains[0].part(k).cfg.Temperature, f.Space.Ambient()
	if seen < 2 || m < 2 { // the share of a single entry is always 1
		return out
	}
	worst, rank := health.Row{}, -1
	of := make([]reflected, m)
	for lo := f.Offset; lo < f.Offset+f.Len; lo += m {
		total, bias, square := 0.0, 0.0, 0.0
		for i := range of {
			r := &of[i]
			*r = reflectedAt(chains, k, f.Offset, lo+i, seen, time, temperature)
			total += r.mean
			bias += r.bias
			square += float64(r.biasError * r.biasError)
		}
		for i := range of {
			r := &of[i]
			value, mcse := math.Abs(r.bias)/math.Sqrt(r.variance), r.biasError/math.Sqrt(r.variance)
			// The share is biased by the bias of x_k and by that of the sum.
			scale := r.share / math.Sqrt(r.shareVariance)
			if v := scale * math.Abs(r.bias/r.mean-bias/total); v > value {
				value, mcse = v, scale*math.Hypot(r.biasError/r.mean, math.Sqrt(square)/total)
			}
			row := health.Judged(f.Name, "reflection_bias", value, 0, mcse, health.MeanTolerance)
			if n := health.Severity(row.Verdict); n > rank || n == rank && value > worst.Value {
				worst, rank = row, n
			}
		}
	}
	return append(out, worst)
}

// reflectedAt computes the effect on coordinate i of the state, in a block that begins at offset.
func reflectedAt(chains []*Chain, k, offset, i int, seen, time, temperature float64) reflected {
	var r reflected
	n, square, shares := 0.0, 0.0, 0.0
	pushes := make([]float64, 0, len(chains))
	for _, c := range chains {
		h := c.health
		q := &h.mirrored
		w, at := q.seen[k], q.at[k]+i-offset
		if w == 0 {
			continue
		}
		n += w
		part := w / n
		d, e := h.x.wide[i]-r.mean, q.share[at]-r.share
		square += h.xg.wide[i] + float64(float64(d*d)*float64((n-w)*part))
		shares += q.shares[at] + float64(float64(e*e)*float64((n-w)*part))
		r.mean += float64(d * part)
		r.share += float64(e * part)
		r.push += float64((h.g.wide[i] - r.push) * part)
		r.push2 += float64((q.push2[at] - r.push2) * part)
		pushes = append(pushes, h.g.wide[i])
	}
	r.variance, r.shareVariance = square/seen, shares/seen
	// By the spectral gap T E x/Var x the mean of push has at most the variance 2 E[push²]/(gap ·
	// time). A run that never came near 0 may have missed one stay there, where push is 0.4 at most,
	// of the length 1/gap.
	lag := r.variance / (temperature * r.mean * time)
	e2 := float64(r.push2*(2*lag+1/seen)) + float64(float64(0.4*lag)*float64(0.4*lag))
	r.pushError = max(math.Sqrt(e2), health.SpreadError(pushes))
	by := r.variance / (temperature * r.mean)
	r.bias, r.biasError = r.push*by, r.pushError*by
	return r
}
