package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// Lanes are the states of the generators that bulk normals come from, as rng.Sequence has them.
type Lanes = [16]uint64

// DrawsOf are normals that a step join makes for later: those that package rng makes
// of the lanes, into To, which is as long as the step join's arrays at least. Made
// says how many normals there are after the call, and so where the lanes stand:
// as many as there are coordinates in whole rounds that it did.
type DrawsOf[T float32 | float64] struct {
	To    []T
	Lanes *Lanes
	Made  int
}

// Draws of step joins in double and in single precision.
type (
	Draws   = DrawsOf[float64]
	Draws32 = DrawsOf[float32]
)

// rounds is how many rounds of so many coordinates a step join over n takes, or 0.
func (d *DrawsOf[T]) rounds(n, round int) int {
	if d.Made = 0; level == cpu.Portable {
		return 0
	}
	_ = d.To[:n]
	return n / round
}

// made records how many normals a step join has drawn, in whole rounds, and returns done.
func (d *DrawsOf[T]) made(round, done int) int {
	d.Made = done / round * round
	return done
}

// steady reports whether the next step is as long as this one: the drawing pass is written for
// that, as most runs are so. In single precision it is for any.
func (c *Join) steady() bool {
	return c.Drift == c.NextDrift && c.Thermostat == c.NextThermostat
}

func (c *Join32) steady() bool { return true }
