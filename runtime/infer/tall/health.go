package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

const (
	// Shares of the noise of minibatches in the random kicks up to which a run is ok,
	// and above which it is off.
	okShare, mostShare = 0.15, 0.3
	// okDistance is the squared distance of the mean of the draws from the anchor, for each
	// coordinate in posterior variances, up to which minibatches have the noise they were
	// planned with.
	okDistance = 1
)

// Health is the report as rows: the biases of the worst mean and of the worst
// logarithm of a standard deviation, the share of the noise, how much of it there is in what
// is taken out, and how far the draws are from the anchor. name has the name of a
// place in a draw.
func (r *Run) Health(rep *Report, name func(at int) string) []sampler.HealthRow {
	var out []sampler.HealthRow
	row := func(statistic string, limit float64, of func(*Bias) (float64, float64)) {
		at, value, err, verdict := rep.worst(limit, of)
		if at >= 0 {
			out = append(out, sampler.HealthRow{Block: name(r.tracked[at]), Statistic: statistic,
				Value: value, MCSE: err, Verdict: verdict})
		}
	}
	row("bias_mean", r.set.MaxBias, meanBias)
	row("bias_sd", r.set.MaxBias/2, logSDBias)
	share := r.setup.Plan.Share
	growth, by := r.NoiseGrowth()
	if growth > 0 { // as the run met it, not the set-up
		share *= growth
	}
	verdict := "ok"
	switch {
	case !(share <= mostShare):
		verdict = "off"
	case share > okShare:
		verdict = "unsure"
	}
	out = append(out, sampler.HealthRow{Block: "all", Statistic: "noise_share", Value: share,
		Expected: math.NaN(), MCSE: math.NaN(), Verdict: verdict})
	if growth > 0 {
		out = append(out, sampler.HealthRow{Block: "all", Statistic: "noise_growth", Value: growth,
			Expected: 1, MCSE: by,
			Verdict: growthVerdict(growth, by, r.setup.Plan.Share, r.set.MaxBias/2)})
	}
	verdict = "ok"
	distance := r.AnchorDistance()
	if !(distance <= okDistance) {
		verdict = "unsure"
	}
	return append(out, sampler.HealthRow{Block: "all", Statistic: "anchor_distance",
		Value: distance, Expected: 0, MCSE: math.NaN(), Verdict: verdict})
}

// growthVerdict judges the noise of a run, in what is taken out for it, by what the rest
// does: it heats by the share of the noise that is left, and a standard deviation by half of
// that.
func growthVerdict(growth, by, share, limit float64) string {
	heat := share / 2
	switch off := heat * math.Abs(growth-1); {
	case off-4*heat*by > limit:
		return "off"
	case !(off+2*heat*by <= limit):
		return "unsure"
	}
	return "ok"
}

func meanBias(b *Bias) (float64, float64)  { return b.Mean, b.MeanError }
func logSDBias(b *Bias) (float64, float64) { return b.LogSD, b.LogSDError }

// worst is the number with the largest bias: of those that are surely above the limit
// the one that is furthest above, else the one with the largest bound. at is −1 where no
// number moves.
func (r *Report) worst(
	limit float64, of func(*Bias) (value, err float64),
) (at int, value, err float64, verdict string) {
	z := normalQuantile(1 - 0.025/float64(max(len(r.Bias), 1)))
	at, verdict = -1, "ok"
	bound, over := math.Inf(-1), 0.0
	for i := range r.Bias {
		if !(r.SD[i] > 0) {
			continue
		}
		v, e := of(&r.Bias[i])
		if least := math.Abs(v) - z*e; least > limit && least > over {
			at, value, err, verdict, over = i, v, e, "off", least
		}
		if verdict == "off" {
			continue
		}
		b := math.Abs(v) + 2*e
		if !(b <= limit) { // of what is not a number too
			verdict = "unsure"
		}
		if at < 0 || b > bound {
			at, value, err, bound = i, v, e, b
		}
	}
	return at, value, err, verdict
}
