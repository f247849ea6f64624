package tall

import (
	"math"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

const (
	// Shares of minibatch noise in the random kicks: up to okShare the verdict is ok, above mostShare
	// it is off.
	okShare, mostShare = 0.15, 0.3
	// okDistance is the largest squared distance of the mean of the draws from the anchor, per
	// coordinate and in posterior variances, at which minibatches have the planned noise.
	okDistance = 1
)

// Health returns the report as rows: the biases of the worst mean and of the worst log standard
// deviation, the share of the noise, the ratio of the actual noise to that subtracted from the
// kick, and the distance of the draws from the anchor. name returns the name of a number in a draw.
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
	if growth > 0 { // as measured in the run instead of the set-up
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

// growthVerdict judges the ratio of the actual noise to the subtracted noise by the effect of the
// difference: it heats by its share of the noise, and changes a standard deviation by half of that.
func growthVerdict(growth, by, share, limit float64) string {
	heat := float64(share / 2)
	switch off := float64(heat * math.Abs(growth-1)); {
	case off-float64(4*heat*by) > limit:
		return "off"
	case !(off+float64(2*heat*by) <= limit):
		return "unsure"
	}
	return "ok"
}

func meanBias(b *Bias) (float64, float64)  { return b.Mean, b.MeanError }
func logSDBias(b *Bias) (float64, float64) { return b.LogSD, b.LogSDError }

// worst returns the number with the largest bias: among those surely above the limit, the furthest
// above; otherwise the one with the largest bound. at is −1 if all numbers are constant.
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
		if least := math.Abs(v) - float64(z*e); least > limit && least > over {
			at, value, err, verdict, over = i, v, e, "off", least
		}
		if verdict == "off" {
			continue
		}
		b := math.Abs(v) + 2*e
		if !(b <= limit) { // also if it is NaN
			verdict = "unsure"
		}
		if at < 0 || b > bound {
			at, value, err, bound = i, v, e, b
		}
	}
	return at, value, err, verdict
}
