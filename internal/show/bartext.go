package show

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// barWidth is the width of a bar where there is room.
const barWidth = 24

// BarText is what stands behind a bar, in a line with so many columns left for
// both: the bar keeps a third of them, up to its width.
func BarText(v *run.Event, columns int) string {
	room := columns - 2 - min(barWidth, columns/3) // a blank on either side
	switch {
	case v == nil:
		return fit([]part{{0, "waiting"}}, room)
	case v.Step < v.Warmup:
		return fit(append([]part{{0, fmt.Sprintf("warm-up %d/%d", v.Step, v.Warmup)}},
			measures(*v)...), room)
	}
	done := fmt.Sprintf("%d/%d draws", v.Draws, v.Of)
	if v.Criterion != nil {
		done = fmt.Sprintf("%d/%d steps", v.Step, v.Steps)
	}
	return fit(append([]part{{0, done}}, measures(*v)...), room)
}
