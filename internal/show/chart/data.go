package chart

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
)

// What the script is given of a chart: arrays in JSON, and long lines as 16 bits a number,
// from their least to their largest, which is finer than a screen shows.
type (
	plot struct {
		Title  string       `json:"title"`
		X      plotAxis     `json:"x"`
		Y      plotAxis     `json:"y"`
		Series []plotSeries `json:"series"`
	}
	plotAxis struct {
		Name  string   `json:"name,omitempty"`
		Lo    *digits6 `json:"lo,omitempty"` // both or none
		Hi    *digits6 `json:"hi,omitempty"`
		Names []string `json:"names,omitempty"`
	}
	plotSeries struct {
		Name  string    `json:"name,omitempty"`
		Class string    `json:"class"`
		Mark  string    `json:"mark"`
		X     []digits6 `json:"x,omitempty"`
		Y     []digits6 `json:"y,omitempty"`
		Y2    []digits6 `json:"y2,omitempty"`
		// Even is where X starts, and how far its numbers are apart, instead of X.
		Even []digits6 `json:"even,omitempty"`
		// Bits are Y as little-endian numbers of 16 bits in base64, from Ends[0] at 0 to
		// Ends[1] at 65534; 65535 is a gap.
		Bits string    `json:"bits,omitempty"`
		Ends []float64 `json:"ends,omitempty"`
	}
)

var marks = [...]string{"line", "steps", "steps", "points", "points", "band", "bars"}

// A digits6 is written with six digits; null where it is not finite.
type digits6 float64

func (x digits6) MarshalJSON() ([]byte, error) {
	if x-x != 0 {
		return []byte("null"), nil
	}
	return json.Marshal(json.Number(trim(float64(x))))
}

// most16 is how many numbers a series has in JSON as numbers.
const most16 = 64

// data writes what the script draws.
func (c *Chart) data(w *bytes.Buffer) {
	p := plot{Title: c.Title, X: c.X.data(), Y: c.Y.data()}
	for i := range c.Series {
		if s := &c.Series[i]; !s.Still && len(s.X) > 1 {
			p.Series = append(p.Series, s.data())
		}
	}
	if len(p.Series) == 0 {
		return
	}
	text, err := json.Marshal(p) // escapes <, so that nothing ends the element
	if err != nil {
		panic(err) // numbers and texts
	}
	w.WriteString("<script type=\"application/json\">")
	w.Write(text)
	w.WriteString("</script>\n")
}

func (a *Axis) data() plotAxis {
	out := plotAxis{Name: a.Name, Names: a.Names}
	if a.Lo != 0 || a.Hi != 0 {
		lo, hi := digits6(a.Lo), digits6(a.Hi)
		out.Lo, out.Hi = &lo, &hi
	}
	return out
}

func (s *Series) data() plotSeries {
	out := plotSeries{Name: s.Name, Class: s.Class, Mark: marks[s.Mark]}
	if n := len(s.X); even(s.X) {
		out.Even = []digits6{digits6(s.X[0]), digits6((s.X[n-1] - s.X[0]) / float64(n-1))}
	} else {
		out.X = list(s.X)
	}
	if len(s.Y) > most16 {
		out.Bits, out.Ends = bits(s.Y)
	} else {
		out.Y = list(s.Y)
	}
	out.Y2 = list(s.Y2)
	return out
}

// even reports whether numbers are evenly spaced, within 1e-9 of their range.
func even(x []float64) bool {
	n := len(x)
	if n < 3 {
		return false
	}
	step := (x[n-1] - x[0]) / float64(n-1)
	for i, v := range x {
		if !(math.Abs(v-x[0]-float64(step*float64(i))) <= 1e-9*math.Abs(x[n-1]-x[0])) {
			return false
		}
	}
	return true
}

func list(x []float64) []digits6 {
	out := make([]digits6, len(x))
	for i, v := range x {
		out[i] = digits6(v)
	}
	return out
}

// gap is the code of a value that is not finite.
const gap = 1<<16 - 1

func bits(y []float64) (string, []float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range y {
		if v-v == 0 {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 0, 0
	}
	out := make([]byte, 0, 2*len(y))
	for _, v := range y {
		code := gap
		if v-v == 0 {
			code = 0
			if lo < hi {
				code = int(math.Round(float64(share(v, lo, hi) * (gap - 1))))
			}
		}
		out = append(out, byte(code), byte(code>>8))
	}
	return base64.StdEncoding.EncodeToString(out), []float64{lo, hi}
}
