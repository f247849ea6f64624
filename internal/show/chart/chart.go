// Package chart draws charts: from arrays of numbers to SVG that needs no script. The numbers are
// also in the page as JSON, which a script (Script) uses to zoom. A style sheet (Style), once a
// page, has colours, dashes and sizes.
//
// Whatever numbers a chart is given, its text is the same on every machine: coordinates are
// whole, in units of a 960th of the width.
package chart

import (
	"fmt"
	"math"
	"strings"
)

// A Chart is a picture with two axes.
type Chart struct {
	Title string
	Says  string // what is seen, in words: a part of the caption
	X, Y  Axis
	Key   bool // the names of the series are listed under the picture
	// Series are drawn in this order, the last above all others.
	Series []Series
}

// An Axis of a chart.
type Axis struct {
	Name string
	// Lo and Hi are the ends; where both are 0, they are those of the numbers.
	Lo, Hi float64
	Whole  bool // ticks stand at whole numbers alone
	// Names are the ticks of whole numbers from 0; nil for numbers.
	Names []string
}

// A Mark is how a series is drawn.
type Mark int

const (
	Line    Mark = iota // through the points, in their order; NaN breaks it
	Steps               // Y[i] from X[i] to X[i+1]: X has one number more
	Area                // as Steps, and filled down to the lower end of the axis
	Points              // a dot each
	Crosses             // a cross each
	Band                // from Y to Y2
	Bars                // upright intervals from Y to Y2
)

// A Series is some numbers of a chart.
type Series struct {
	Mark
	Name  string // in the key; "" where it has none
	Class string // of the style sheet, see Of
	X, Y  []float64
	Y2    []float64 // of Band and Bars
	// Labels are names of Points and Crosses, which browsers show over them; nil without.
	Labels []string
	Still  bool // the script does not draw it: it is a guide for the eye
}

// Classes of the style sheet.
const (
	Plain = "c0"   // the first colour
	Other = "c1"   // the second
	Soft  = "soft" // many lines of one kind
	Guide = "axis" // a line to compare with
	Wrong = "bad"  // what should not be there
)

// Of is the class of one of several series, such as chains: of four colours and four kinds of
// dashes, so that sixteen differ.
func Of(k int) string {
	class := fmt.Sprintf("c%d", k%4)
	if dashes := k / 4 % 4; dashes > 0 {
		class += fmt.Sprintf(" d%d", dashes)
	}
	return class
}

// The places of a chart, in units of a 960th of its width.
const (
	width       = 960
	height      = 600
	left        = 130
	right       = 30 // from the edge
	top, bottom = 56, 500
	stretches   = 90 // of a line with more points
)

// A frame is where the numbers of a chart are drawn.
type frame struct {
	stretches      int
	x0, x1, y0, y1 float64
}

// frame finds the ends of the axes.
func (c *Chart) frame() frame {
	f := frame{stretches: max(24, min(stretches, 4*stretches/max(1, len(c.Series))))}
	f.x0, f.x1 = ends(&c.X, func(add func(x []float64)) {
		for i := range c.Series {
			add(c.Series[i].X)
		}
	})
	f.y0, f.y1 = ends(&c.Y, func(add func(x []float64)) {
		for i := range c.Series {
			add(c.Series[i].Y)
			add(c.Series[i].Y2)
		}
	})
	return f
}

// ends returns the ends of an axis: the given ones, or those of the finite numbers, with a margin.
func ends(a *Axis, numbers func(add func(x []float64))) (lo, hi float64) {
	if a.Lo != 0 || a.Hi != 0 {
		return a.Lo, a.Hi
	}
	if a.Names != nil {
		return -0.5, float64(len(a.Names)) - 0.5
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	numbers(func(x []float64) {
		for _, v := range x {
			if v-v == 0 {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	})
	switch {
	case lo > hi: // no number at all
		return 0, 1
	case lo == hi:
		return lo - max(1, math.Abs(lo)/8), hi + max(1, math.Abs(hi)/8)
	}
	if pad := hi/50 - lo/50; pad-pad == 0 && lo-pad-(lo-pad) == 0 && hi+pad-(hi+pad) == 0 {
		lo, hi = lo-pad, hi+pad // points at the ends are whole
	}
	return lo, hi
}

// share returns the position of x between lo (0) and hi (1). hi − lo may overflow.
func share(x, lo, hi float64) float64 {
	return (x/2 - lo/2) / (hi/2 - lo/2)
}

func (f *frame) across(x float64) int {
	return left + round(float64(share(x, f.x0, f.x1)*(width-left-right)))
}

func (f *frame) up(y float64) int {
	return bottom - round(float64(share(y, f.y0, f.y1)*float64(bottom-top)))
}

// round rounds a coordinate and limits it to ±4000, which browsers can draw.
func round(x float64) int {
	return int(math.Round(min(max(x, -4000), 4000)))
}

// Alt returns a description of the chart in words, for readers who cannot see it.
func (c *Chart) Alt() string {
	f := c.frame()
	var b strings.Builder
	b.WriteString(c.Title)
	if c.Says != "" {
		fmt.Fprintf(&b, ": %s", strings.TrimSuffix(c.Says, "."))
	}
	b.WriteString(".")
	for _, a := range []struct {
		way    string
		axis   *Axis
		lo, hi float64
	}{{"Across", &c.X, f.x0, f.x1}, {"Up", &c.Y, f.y0, f.y1}} {
		name := a.axis.Name
		if name == "" {
			name = "numbers"
		}
		if a.axis.Names != nil {
			fmt.Fprintf(&b, " %s: %s, %d of them.", a.way, name, len(a.axis.Names))
			continue
		}
		fmt.Fprintf(&b, " %s: %s, from %s to %s.", a.way, name, short(a.lo), short(a.hi))
	}
	return b.String()
}
