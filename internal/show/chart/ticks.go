package chart

import (
	"math"
	"strconv"
)

// A tick is a mark of an axis.
type tick struct {
	at   float64
	text string
}

// mostTicks of an axis.
const mostTicks = 5

// ticks are at round numbers: 1, 2 or 5 times a power of ten apart.
func (a *Axis) ticks(lo, hi float64, most int) []tick {
	if a.Names != nil {
		return a.named(most)
	}
	span := hi/float64(most) - lo/float64(most)
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	power := int(math.Floor(math.Log10(span)))
	step, places := 0.0, 0
	for _, m := range []float64{1, 2, 5, 10} {
		step, places = float64(m*math.Pow(10, float64(power))), -power
		if m == 10 {
			places--
		}
		if step >= span {
			break
		}
	}
	if a.Whole && step < 1 {
		step, places = 1, 0
	}
	var out []tick
	first := math.Ceil(lo/step - 1e-9)
	for i := first; i <= hi/step+1e-9 && len(out) <= most+1; i++ {
		at := float64(i * step)
		out = append(out, tick{at, number(at, step, places)})
	}
	return out
}

// number writes a tick: as many places as the ticks need to differ.
func number(x, step float64, places int) string {
	size := math.Abs(x)
	switch {
	case x == 0:
		return "0"
	case size >= 1e6 || step < 1e-6:
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', max(places, 0), 64)
}

// named are the ticks of an axis whose places have names: every one, or evenly some.
func (a *Axis) named(most int) []tick {
	var out []tick
	every := max(1, (len(a.Names)+2*most-1)/(2*most))
	for i := 0; i < len(a.Names); i += every {
		out = append(out, tick{float64(i), a.Names[i]})
	}
	return out
}

// short is a number in a caption.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// trim is a number with six digits.
func trim(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
