package chart

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Figure writes the chart as a figure of a page: caption, picture, key, and the numbers by
// which the script zooms.
func (c *Chart) Figure(w *bytes.Buffer) {
	fmt.Fprintf(w, "<figure class=\"chart\">\n<figcaption><b>%s</b>", html.EscapeString(c.Title))
	if c.Says != "" {
		fmt.Fprintf(w, " %s", html.EscapeString(c.Says))
	}
	w.WriteString("</figcaption>\n")
	c.SVG(w)
	if c.Key {
		c.key(w)
	}
	c.data(w)
	w.WriteString("</figure>\n")
}

// SVG writes the picture alone.
func (c *Chart) SVG(w *bytes.Buffer) {
	f := c.frame()
	fmt.Fprintf(w, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", width, height,
		html.EscapeString(c.Alt()))
	c.axes(w, &f)
	for i := range c.Series {
		c.Series[i].draw(w, &f)
	}
	w.WriteString("</svg>\n")
}

// axes draws the frame with ticks and names.
func (c *Chart) axes(w *bytes.Buffer, f *frame) {
	const end = width - right
	fmt.Fprintf(w, "<path class=\"axis\" d=\"M%d %dV%dH%d", left, top, bottom, end)
	across, up := c.X.ticks(f.x0, f.x1, mostTicks), c.Y.ticks(f.y0, f.y1, mostTicks)
	for _, t := range across {
		fmt.Fprintf(w, "M%d %dv8", f.across(t.at), bottom)
	}
	for _, t := range up {
		fmt.Fprintf(w, "M%d %dh-8", left, f.up(t.at))
	}
	w.WriteString("\"/>\n")
	for _, t := range across {
		anchor, x := "middle", f.across(t.at)
		if x > end-right {
			anchor, x = "end", min(x+right, width)
		}
		text(w, x, bottom+38, anchor, t.text)
	}
	for _, t := range up {
		text(w, left-14, f.up(t.at)+10, "end", t.text)
	}
	text(w, left, top-24, "", c.Y.Name)
	text(w, end, bottom+82, "end", c.X.Name)
	w.WriteByte('\n')
}

func text(w *bytes.Buffer, x, y int, anchor, says string) {
	if says == "" {
		return
	}
	if anchor != "" {
		anchor = fmt.Sprintf(` text-anchor="%s"`, anchor)
	}
	fmt.Fprintf(w, `<text x="%d" y="%d"%s>%s</text>`, x, y, anchor, html.EscapeString(cut(says)))
}

// cut shortens what would not fit.
func cut(says string) string {
	const most = 48
	if r := []rune(says); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return says
}

// draw writes the series.
func (s *Series) draw(w *bytes.Buffer, f *frame) {
	switch s.Mark {
	case Line:
		fmt.Fprintf(w, "<path class=\"%s\" d=\"%s\"/>\n", s.Class, s.line(f))
	case Steps, Area:
		class := s.Class
		if s.Mark == Area {
			class += " area"
		}
		fmt.Fprintf(w, "<path class=\"%s\" d=\"%s\"/>\n", class, s.steps(f))
	case Points, Crosses:
		s.dots(w, f)
	case Band:
		fmt.Fprintf(w, "<path class=\"%s band\" d=\"%s\"/>\n", s.Class, s.band(f))
	case Bars:
		var p pen
		for i, x := range s.X {
			if s.Y[i]-s.Y[i] == 0 && s.Y2[i]-s.Y2[i] == 0 {
				p.down = false
				p.to(f.across(x), f.up(s.Y[i]))
				p.to(f.across(x), f.up(s.Y2[i]))
			}
		}
		fmt.Fprintf(w, "<path class=\"%s bars\" d=\"%s\"/>\n", s.Class, &p.text)
	}
}

// A pen writes the commands of a path.
type pen struct {
	text bytes.Buffer
	down bool
	x, y int
}

// to goes to a point: by a line, or, where the pen is not down, without.
func (p *pen) to(x, y int) {
	switch {
	case !p.down:
		fmt.Fprintf(&p.text, "M%d %d", x, y)
	case x == p.x && y == p.y:
	case y == p.y:
		fmt.Fprintf(&p.text, "H%d", x)
	case x == p.x:
		fmt.Fprintf(&p.text, "V%d", y)
	default:
		fmt.Fprintf(&p.text, "L%d %d", x, y)
	}
	p.down, p.x, p.y = true, x, y
}

// line goes through the points, or, where they are many, through the least and the largest
// of each of some stretches.
func (s *Series) line(f *frame) *bytes.Buffer {
	var p pen
	n := len(s.X)
	if n <= 2*stretches {
		for i, y := range s.Y {
			if y-y != 0 {
				p.down = false
				continue
			}
			p.to(f.across(s.X[i]), f.up(y))
		}
		return &p.text
	}
	parts := f.stretches
	for k := range parts {
		least, most := -1, -1
		for i := n * k / parts; i < n*(k+1)/parts; i++ {
			if y := s.Y[i]; y-y == 0 {
				if least < 0 || y < s.Y[least] {
					least = i
				}
				if most < 0 || y > s.Y[most] {
					most = i
				}
			}
		}
		if least < 0 {
			p.down = false
			continue
		}
		for _, i := range [2]int{min(least, most), max(least, most)} {
			p.to(f.across(s.X[i]), f.up(s.Y[i]))
		}
	}
	return &p.text
}

// steps is a line with a step at every number of X; of an area it is closed.
func (s *Series) steps(f *frame) *bytes.Buffer {
	var p pen
	if s.Mark == Area && len(s.Y) > 0 {
		p.to(f.across(s.X[0]), bottom)
	}
	for i, y := range s.Y {
		if y-y != 0 {
			p.down = false
			continue
		}
		p.to(f.across(s.X[i]), f.up(y))
		p.to(f.across(s.X[i+1]), f.up(y))
	}
	if s.Mark == Area && len(s.Y) > 0 {
		p.to(p.x, bottom)
		p.text.WriteByte('Z')
	}
	return &p.text
}

// band goes along the lower ends and back along the upper ones.
func (s *Series) band(f *frame) *bytes.Buffer {
	var p pen
	for i, x := range s.X {
		p.to(f.across(x), f.up(s.Y[i]))
	}
	for i := len(s.X) - 1; i >= 0; i-- {
		p.to(f.across(s.X[i]), f.up(s.Y2[i]))
	}
	if p.down {
		p.text.WriteByte('Z')
	}
	return &p.text
}

// dots draws points or crosses: those without names as one path.
func (s *Series) dots(w *bytes.Buffer, f *frame) {
	class, d := s.Class+" dots", "h0"
	if s.Mark == Crosses {
		class, d = s.Class+" crosses", "m-8-8l16 16m0-16l-16 16"
	}
	if s.Labels == nil {
		fmt.Fprintf(w, "<path class=\"%s\" d=\"", class)
	}
	for i, x := range s.X {
		if x-x != 0 || s.Y[i]-s.Y[i] != 0 {
			continue
		}
		at := "M" + strconv.Itoa(f.across(x)) + " " + strconv.Itoa(f.up(s.Y[i])) + d
		if s.Labels == nil {
			w.WriteString(at)
			continue
		}
		fmt.Fprintf(w, "<path class=\"%s\" d=\"%s\"><title>%s</title></path>", class, at,
			html.EscapeString(s.Labels[i]))
	}
	if s.Labels == nil {
		w.WriteString("\"/>")
	}
	w.WriteByte('\n')
}

// key lists the names of the series, each with a piece of its line.
func (c *Chart) key(w *bytes.Buffer) {
	w.WriteString("<ul class=\"key\">")
	for _, s := range c.Series {
		if s.Name == "" {
			continue
		}
		sample := `<path class="%s" d="M2 12H58"/>`
		class := s.Class
		switch s.Mark {
		case Points:
			sample, class = `<path class="%s" d="M30 12h0"/>`, class+" dots"
		case Crosses:
			sample, class = `<path class="%s" d="M22 4l16 16m0-16l-16 16"/>`, class+" crosses"
		case Band:
			sample, class = `<path class="%s" d="M2 2H58V22H2Z"/>`, class+" band"
		case Area:
			sample, class = `<path class="%s" d="M2 22V2H58V22Z"/>`, class+" area"
		case Bars:
			sample, class = `<path class="%s" d="M30 0V24"/>`, class+" bars"
		}
		fmt.Fprintf(w, "<li><svg viewBox=\"0 0 60 24\" aria-hidden=\"true\">"+sample+"</svg>%s</li>",
			strings.TrimSpace(class), html.EscapeString(s.Name))
	}
	w.WriteString("</ul>\n")
}
