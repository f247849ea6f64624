package main

import (
	"fmt"
	"math"
	"strings"
)

// The picture has logarithmic axes: N from 10^3 to 10^7 and seconds from 0.1 to 10^5.
const (
	left, right, top, bottom = 70, 640, 20, 380
	leastRows, mostRows      = 3, 7
	leastTime, mostTime      = -1, 5
)

func placeX(rows float64) float64 {
	return left + (math.Log10(rows)-leastRows)/(mostRows-leastRows)*(right-left)
}

func placeY(seconds float64) float64 {
	return bottom - (math.Log10(seconds)-leastTime)/(mostTime-leastTime)*(bottom-top)
}

// A curve is a line of the picture: seconds against rows.
type curve struct {
	name, colour string
	way          string
	seconds      func(r *result) float64
	dash         string
	extrapolated bool // dashed on in proportion to N
}

var curves = []curve{
	{"sgppl without settings", "#1f5fbf", "auto", (*result).to400, "", false},
	{"of which set-up", "#7fa8e0", "auto", func(r *result) float64 {
		return r.setup
	}, "2 3", false},
	{"nuts", "#c8541b", "nuts", (*result).to400, "", true},
	{"mSGNHT, plain minibatches", "#4f8a3c", "msgnht", (*result).to400, "", true},
}

// picture is the SVG of the runs. Runs that are repeated have the same draws, and only the
// other programs of the machine make them differ: the fastest counts.
func picture(runs []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 470" font-family="sans-serif" font-size="13">`+"\n")
	b.WriteString("<title>Seconds to 400 effective draws against the number of rows</title>\n")
	b.WriteString(`<rect width="660" height="470" fill="#ffffff"/>` + "\n")
	for e := leastRows; e <= mostRows; e++ {
		x := placeX(math.Pow(10, float64(e)))
		fmt.Fprintf(&b, `<path d="M%.1f %d V%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle">10<tspan dy="-5" font-size="9">%d</tspan></text>`+"\n", x, top, bottom, x, bottom+20, e)
	}
	for e := leastTime; e <= mostTime; e++ {
		y := placeY(math.Pow(10, float64(e)))
		fmt.Fprintf(&b, `<path d="M%d %.1f H%d" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", left, y, right, left-8, y+4, math.Pow(10, float64(e)))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">rows N</text>`+"\n", (left+right)/2,
		bottom+40)
	fmt.Fprintf(&b, `<text x="16" y="%d" text-anchor="middle" transform="rotate(-90 16 %d)">seconds to 400 effective draws</text>`+"\n", (top+bottom)/2, (top+bottom)/2)
	for i, c := range curves {
		c.draw(&b, runs)
		x, y := left+(i%2)*290, bottom+58+20*(i/2)
		fmt.Fprintf(&b, `<path d="M%d %d h24" stroke="%s" stroke-width="2"%s/><text x="%d" y="%d">%s</text>`+"\n", x, y, c.colour, dashed(c.dash), x+30, y+4, c.name)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="11" fill="#555555">dashed on: not measured, in proportion to N</text>`+"\n", left+8, top+16)
	b.WriteString("</svg>\n")
	return b.String()
}

// draw adds the curve's points, a line through them, and what is extrapolated.
func (c *curve) draw(b *strings.Builder, runs []result) {
	at := map[int]float64{}
	var sizes []int
	for i := range runs {
		r := &runs[i]
		if r.way != c.way || c.seconds(r) <= 0 {
			continue
		}
		before, seen := at[r.rows]
		if !seen {
			sizes = append(sizes, r.rows)
			before = math.Inf(1)
		}
		at[r.rows] = min(before, c.seconds(r))
	}
	if len(sizes) == 0 {
		return
	}
	var path strings.Builder
	for i, n := range sizes {
		x, y := placeX(float64(n)), placeY(at[n])
		fmt.Fprintf(&path, "%c%.1f %.1f ", "ML"[min(i, 1)], x, y)
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`+"\n", x, y, c.colour)
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n",
		strings.TrimSpace(path.String()), c.colour, dashed(c.dash))
	last, end := sizes[len(sizes)-1], math.Pow(10, mostRows)
	if c.extrapolated && float64(last) < end {
		beyond := at[last] * end / float64(last)
		fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f" stroke="%s" stroke-width="2"%s/>`+"\n",
			placeX(float64(last)), placeY(at[last]), placeX(end), placeY(beyond), c.colour,
			dashed("7 5"))
	}
}

func dashed(pattern string) string {
	if pattern == "" {
		return ""
	}
	return fmt.Sprintf(` stroke-dasharray="%s"`, pattern)
}
