package diagnose

import (
	"encoding/binary"
	"math"
)

// A BlockHealth accumulates what tells whether a block of the state has the
// temperature T it should have. With constant friction that is the kinetic
// temperature. A thermostat forces the kinetic temperature to T, right or
// wrong; there the friction it settles at, and the configurational
// temperature, are the evidence.
//
// Give it a draw now and then (every step is not needed) with the Add methods
// that apply; none of them allocates.
type BlockHealth struct {
	Dim      int        // intrinsic dimension of the block
	Kinetic  BatchMeans // ‖v‖²/d
	Xi       BatchMeans // the mean of ξ over what the block has of them
	XiSpread CoMoment   // of ξ with itself, per coordinate
	Config   CoMoment   // of x with ∇Ũ: the block's own coordinates on R^n
	ax, ag   BatchMeans // a·x and a·Λ∇Ũ on a sphere
}

// NewBlockHealth is for a block of intrinsic dimension dim, with coordinates
// numbers in the state and thermostats values of ξ (0: constant friction).
func NewBlockHealth(dim, coordinates, thermostats int) *BlockHealth {
	return &BlockHealth{Dim: dim, XiSpread: *NewCoMoment(thermostats), Config: *NewCoMoment(coordinates)}
}

// AddVelocity takes the block's velocity.
func (h *BlockHealth) AddVelocity(v []float64) {
	var s float64
	for _, x := range v {
		s += float64(x * x)
	}
	h.Kinetic.Add(s / float64(h.Dim))
}

// AddXi takes the block's thermostats.
func (h *BlockHealth) AddXi(xi []float64) {
	var s float64
	for _, x := range xi {
		s += x
	}
	h.Xi.Add(s / float64(len(xi)))
	h.XiSpread.Add(xi, xi)
}

// AddGradient takes the position and ∇Ũ there, of a block of R^n.
func (h *BlockHealth) AddGradient(x, gradient []float64) { h.Config.Add(x, gradient) }

// AddDirection takes a·x and a·Λ∇Ũ of a point on a sphere, for a direction a
// that stays the same.
func (h *BlockHealth) AddDirection(ax, ag float64) {
	h.ax.Add(ax)
	h.ag.Add(ag)
}

// KineticTemperature is E‖v‖²/d and its standard error.
func (h *BlockHealth) KineticTemperature() (value, stderr float64) {
	return h.Kinetic.Mean(), h.Kinetic.StdErr()
}

// ExcessFriction is ξ̄ − D and its standard error: at least 0, and about
// V h/(2T) for a gradient noise of variance V.
func (h *BlockHealth) ExcessFriction(friction float64) (value, stderr float64) {
	return h.Xi.Mean() - friction, h.Xi.StdErr()
}

// XiVariance is Var ξ over time, averaged over the thermostats, and its
// standard error; T/d is expected, d the dimension that one thermostat covers.
func (h *BlockHealth) XiVariance() (value, stderr float64) {
	n := float64(len(h.XiSpread.X))
	return h.XiSpread.Covariance() / n, h.XiSpread.StdErr() / n
}

// ConfigurationalTemperature is E[(x − x̄)·∇Ũ]/d and its standard error; T is
// expected on R^n, by integration by parts.
func (h *BlockHealth) ConfigurationalTemperature() (value, stderr float64) {
	d := float64(h.Dim)
	return h.Config.Covariance() / d, h.Config.StdErr() / d
}

// DirectionalTemperature is −E[a·Λ∇Ũ] / (d E[a·x]) and its standard error; T
// is expected on a sphere. It says nothing when a·x averages to 0.
func (h *BlockHealth) DirectionalTemperature() (value, stderr float64) {
	x, d := h.ax.Mean(), float64(h.Dim)
	value = -h.ag.Mean() / (d * x)
	// Delta method with the two errors as if fully opposed: never too small.
	return value, h.ag.StdErr()/math.Abs(d*x) + math.Abs(value)*h.ax.StdErr()/math.Abs(x)
}

// Merge takes in the same block of another chain.
func (h *BlockHealth) Merge(o *BlockHealth) {
	h.Kinetic.Merge(&o.Kinetic)
	h.Xi.Merge(&o.Xi)
	h.XiSpread.Merge(&o.XiSpread)
	h.Config.Merge(&o.Config)
	h.ax.Merge(&o.ax)
	h.ag.Merge(&o.ag)
}

// AppendBinary appends the state, for a checkpoint.
func (h *BlockHealth) AppendBinary(b []byte) ([]byte, error) {
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Dim))
	for _, m := range []*BatchMeans{&h.Kinetic, &h.Xi, &h.ax, &h.ag} {
		b, _ = m.AppendBinary(b)
	}
	b, _ = h.XiSpread.AppendBinary(b)
	return h.Config.AppendBinary(b)
}

// MarshalBinary is the state, for a checkpoint.
func (h *BlockHealth) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// UnmarshalBinary restores a state.
func (h *BlockHealth) UnmarshalBinary(b []byte) error {
	r := reader{b: b}
	h.Dim = r.count(math.MaxInt)
	for _, m := range []*BatchMeans{&h.Kinetic, &h.Xi, &h.ax, &h.ag} {
		r.batches(m)
	}
	r.coMoment(&h.XiSpread)
	r.coMoment(&h.Config)
	return r.end()
}

// A Verdict says how a health statistic compares with what it should be.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"
	Low     Verdict = "low"
	High    Verdict = "high"
	Unknown Verdict = "unknown" // too few draws, or not a number
)

// Judge compares a statistic with its expected value: what differs by no more
// than the relative tolerance, or by no more than three standard errors, is
// OK. When those errors are larger than the expected value it is too early to
// tell.
func Judge(value, expected, stderr, tolerance float64) Verdict {
	scale := math.Abs(expected)
	switch {
	case math.IsNaN(value) || math.IsNaN(expected) || math.IsNaN(stderr):
		return Unknown
	case math.Abs(value-expected) > max(tolerance*scale, 3*stderr):
		if value < expected {
			return Low
		}
		return High
	case expected != 0 && 3*stderr > scale:
		return Unknown
	}
	return OK
}

// JudgeAtLeast is Judge for a statistic that has only a lower bound, as ξ̄ − D
// has 0.
func JudgeAtLeast(value, bound, stderr float64) Verdict {
	switch {
	case math.IsNaN(value) || math.IsNaN(stderr):
		return Unknown
	case value < bound-3*stderr:
		return Low
	}
	return OK
}
