package papers

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Figure is one or more panels with a common key, drawn as SVG that follows the reader's choice
// of a light or a dark page.
type Figure struct {
	Title   string
	Columns int // of panels; 0: one
	Panels  []Panel
}

// A Panel is a picture with two axes.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// An Axis of a panel. Where Lo and Hi are both 0 its ends are those of the numbers.
type Axis struct {
	Name   string
	Log    bool
	Lo, Hi float64
}

// A Mark is how a series is drawn.
type Mark int

const (
	Line  Mark = iota // through the points in their order
	Dots              // a small dot each
	Rings             // an open ring each: numbers of a paper
	Level             // a dashed line across the panel at Y[0]
)

// A Series is some numbers of a panel. Points that are not finite, or beyond the ends of an axis,
// are left out. Series of one name have one line in the key.
type Series struct {
	Name   string
	Mark   Mark
	Colour int
	Thin   bool
	Dashed bool
	X, Y   []float64
}

// The places within a panel, in pixels.
const (
	panelWide, panelHigh           = 330, 250
	plotLeft, plotTop              = 58, 26
	plotRight, plotBottom          = 306, 204
	keyHigh, keyWide, figureMargin = 20, 215, 8
)

// colours are seen on white and on black.
var colours = []string{"#2f74d0", "#d4602a", "#3d9a45", "#9a5cc6", "#b28a12", "#7d7d7d"}

// SVG draws the figure.
func (f *Figure) SVG() []byte {
	columns := max(f.Columns, 1)
	lines := (len(f.Panels) + columns - 1) / columns
	key := f.key()
	perLine := max((columns*panelWide-2*figureMargin)/keyWide, 1)
	keyLines := (len(key) + perLine - 1) / perLine
	wide := columns * panelWide
	high := lines*panelHigh + keyLines*keyHigh + 2*figureMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" `+
		`height="%d" font-family="sans-serif" font-size="11">`+"\n", wide, high, wide, high)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(f.Title))
	b.WriteString("<style>\n.page{fill:#fff}text{fill:#222}.grid{stroke:#e2e2e2}.edge{stroke:#888}" +
		"\n@media (prefers-color-scheme:dark){.page{fill:#15181c}text{fill:#ddd}" +
		".grid{stroke:#31363c}}\npath{fill:none}\n</style>\n")
	fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d"/>`+"\n", wide, high)
	for i := range f.Panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%columns*panelWide,
			i/columns*panelHigh)
		f.Panels[i].draw(&b)
		b.WriteString("</g>\n")
	}
	for i, s := range key {
		x := figureMargin + i%perLine*keyWide
		y := lines*panelHigh + figureMargin + i/perLine*keyHigh + keyHigh/2
		s.sample(&b, x, y)
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", x+32, y+4, html.EscapeString(s.Name))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// key has one series of each name, in their order.
func (f *Figure) key() []*Series {
	var out []*Series
	for i := range f.Panels {
		for j := range f.Panels[i].Series {
			s := &f.Panels[i].Series[j]
			if s.Name != "" && !slices.ContainsFunc(out,
				func(x *Series) bool { return x.Name == s.Name }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// look are the attributes of a series' lines.
func (s *Series) look() string {
	wide, dash := "1.8", ""
	if s.Thin {
		wide = "0.8"
	}
	if s.Dashed || s.Mark == Level {
		dash = ` stroke-dasharray="5 3"`
	}
	return fmt.Sprintf(`stroke="%s" stroke-width="%s"%s`, colours[s.Colour%len(colours)], wide, dash)
}

// dot draws a point.
func (s *Series) dot(b *strings.Builder, x, y string) {
	colour := colours[s.Colour%len(colours)]
	if s.Mark == Rings {
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="4" fill="none" stroke="%s" stroke-width="1.5"/>`+
			"\n", x, y, colour)
		return
	}
	fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="2.2" fill="%s"/>`+"\n", x, y, colour)
}

// sample draws what a series looks like, for the key.
func (s *Series) sample(b *strings.Builder, x, y int) {
	if s.Mark == Dots || s.Mark == Rings {
		s.dot(b, strconv.Itoa(x+13), strconv.Itoa(y))
		return
	}
	fmt.Fprintf(b, `<path d="M%d %dh26" %s/>`+"\n", x, y, s.look())
}

// draw draws a panel.
func (p *Panel) draw(b *strings.Builder) {
	x, y := p.X.scale(p.numbers(0), plotLeft, plotRight), p.Y.scale(p.numbers(1), plotBottom, plotTop)
	fmt.Fprintf(b, `<text x="%d" y="16" text-anchor="middle">%s</text>`+"\n",
		(plotLeft+plotRight)/2, html.EscapeString(p.Title))
	for _, t := range x.ticks() {
		at := pixel(x.place(t))
		fmt.Fprintf(b, `<path class="grid" d="M%s %dV%d"/><text x="%s" y="%d" text-anchor="middle">`+
			"%s</text>\n", at, plotTop, plotBottom, at, plotBottom+14, tickText(t))
	}
	for _, t := range y.ticks() {
		at := pixel(y.place(t))
		fmt.Fprintf(b, `<path class="grid" d="M%d %sH%d"/><text x="%d" y="%s" text-anchor="end" `+
			`dy="4">%s</text>`+"\n", plotLeft, at, plotRight, plotLeft-5, at, tickText(t))
	}
	fmt.Fprintf(b, `<path class="edge" d="M%d %dV%dH%d"/>`+"\n", plotLeft, plotTop, plotBottom,
		plotRight)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (plotLeft+plotRight)/2,
		plotBottom+32, html.EscapeString(p.X.Name))
	fmt.Fprintf(b, `<text transform="translate(12 %d) rotate(-90)" text-anchor="middle">%s</text>`+
		"\n", (plotTop+plotBottom)/2, html.EscapeString(p.Y.Name))
	for i := range p.Series {
		p.Series[i].draw(b, x, y)
	}
}

// draw draws a series.
func (s *Series) draw(b *strings.Builder, x, y scale) {
	if s.Mark == Level {
		if y.holds(s.Y[0]) {
			fmt.Fprintf(b, `<path d="M%d %sH%d" %s/>`+"\n", plotLeft, pixel(y.place(s.Y[0])), plotRight,
				s.look())
		}
		return
	}
	var path strings.Builder
	pen := "M"
	for i := range s.X {
		if !x.holds(s.X[i]) || !y.holds(s.Y[i]) {
			pen = "M"
			continue
		}
		across, up := pixel(x.place(s.X[i])), pixel(y.place(s.Y[i]))
		if s.Mark == Line {
			path.WriteString(pen + across + " " + up)
			pen = "L"
			continue
		}
		s.dot(b, across, up)
	}
	if path.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" %s/>`+"\n", path.String(), s.look())
	}
}

// numbers are all numbers of the panel along an axis.
func (p *Panel) numbers(axis int) []float64 {
	var all []float64
	for i := range p.Series {
		s := &p.Series[i]
		if axis == 0 {
			all = append(all, s.X...)
		} else {
			all = append(all, s.Y...)
		}
	}
	return all
}

// A scale takes numbers to places.
type scale struct {
	log      bool
	lo, hi   float64 // the ends, after the logarithm
	from, to float64 // their places
}

// scale finds the ends of an axis.
func (a *Axis) scale(numbers []float64, from, to float64) scale {
	s := scale{log: a.Log, lo: math.Inf(1), hi: math.Inf(-1), from: from, to: to}
	if a.Lo != 0 || a.Hi != 0 {
		numbers = []float64{a.Lo, a.Hi}
	}
	for _, x := range numbers {
		if x = s.raw(x); x-x == 0 {
			s.lo, s.hi = min(s.lo, x), max(s.hi, x)
		}
	}
	switch {
	case s.lo > s.hi:
		s.lo, s.hi = 0, 1
	case s.lo == s.hi:
		s.lo, s.hi = s.lo-0.5, s.hi+0.5
	case a.Lo == 0 && a.Hi == 0:
		pad := (s.hi - s.lo) / 25
		s.lo, s.hi = s.lo-pad, s.hi+pad
	}
	return s
}

func (s *scale) raw(x float64) float64 {
	if s.log {
		return math.Log10(x)
	}
	return x
}

func (s *scale) place(x float64) float64 {
	return s.from + float64((s.raw(x)-s.lo)/(s.hi-s.lo)*(s.to-s.from))
}

func (s *scale) holds(x float64) bool {
	const slack = 1e-9
	x = s.raw(x)
	wide := float64(slack * (s.hi - s.lo))
	return x >= s.lo-wide && x <= s.hi+wide
}

// ticks are round numbers within the ends, about five.
func (s *scale) ticks() []float64 {
	if s.log {
		return s.decades()
	}
	step := math.Pow(10, math.Floor(math.Log10(s.hi-s.lo)))
	for _, part := range []float64{0.1, 0.2, 0.5, 1} {
		if (s.hi-s.lo)/float64(step*part) <= 6 {
			step *= part
			break
		}
	}
	var out []float64
	for k := math.Ceil(s.lo / step); float64(k*step) <= s.hi; k++ {
		out = append(out, float64(k*step))
	}
	return out
}

// decades are powers of ten, and 2 and 5 times these where there are few.
func (s *scale) decades() []float64 {
	var out []float64
	parts := []float64{1}
	if s.hi-s.lo < 2 {
		parts = []float64{1, 2, 5}
	}
	for e := math.Floor(s.lo); e <= s.hi; e++ {
		for _, part := range parts {
			if x := float64(part * math.Pow(10, e)); s.holds(x) {
				out = append(out, x)
			}
		}
	}
	return out
}

func tickText(x float64) string {
	if math.Abs(x) < 1e-12 {
		return "0"
	}
	text := strconv.FormatFloat(x, 'g', 5, 64)
	return strings.NewReplacer("e+0", "e", "e-0", "e−", "-", "−").Replace(text)
}

func pixel(x float64) string {
	return strconv.FormatFloat(math.Round(float64(x*10))/10, 'f', -1, 64)
}
