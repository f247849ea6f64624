package show

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// The places of a forest, in units of half a pixel.
const (
	forestRow                = 34
	forestLeft, forestRight  = 420, 1400
	forestFewest, forestMost = 2, 60 // entries of an array that has one
)

// forests returns the arrays of a summary that have a forest, each with its entries in
// their order: those with 2 to 60 entries, all of whose quantiles are finite.
func forests(vars []SummaryVar) (names []string, of map[string][]SummaryVar) {
	of = map[string][]SummaryVar{}
	for _, v := range vars {
		name, _, array := strings.Cut(v.Name, "[")
		if !array {
			continue
		}
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], v)
	}
	kept := names[:0]
	for _, name := range names {
		if n := len(of[name]); n >= forestFewest && n <= forestMost && finiteQuantiles(of[name]) {
			kept = append(kept, name)
		}
	}
	return kept, of
}

func finiteQuantiles(list []SummaryVar) bool {
	for _, v := range list {
		if s := float64(v.Q5) + float64(v.Q50) + float64(v.Q95); math.IsNaN(s) || math.IsInf(s, 0) {
			return false
		}
	}
	return true
}

// forests adds, for each array that has one, the medians of its entries and their intervals
// from the 5 % to the 95 % quantile on one axis.
func (p *Page) forests(vars []SummaryVar) {
	names, of := forests(vars)
	if len(names) == 0 {
		return
	}
	p.heading("Intervals")
	fmt.Fprintln(p, "Of each entry the median, and the interval from the 5 % to the 95 % quantile.")
	for _, name := range names {
		writeForest(&p.Body, name, of[name])
	}
}

// writeForest draws the entries of one array.
func writeForest(w *bytes.Buffer, name string, list []SummaryVar) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range list {
		lo, hi = min(lo, float64(v.Q5)), max(hi, float64(v.Q95))
	}
	low, high := strconv.FormatFloat(lo, 'g', 4, 64), strconv.FormatFloat(hi, 'g', 4, 64)
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	at := func(x float64) int { return between(x, lo, hi, forestLeft, forestRight) }
	bottom := forestRow * len(list)
	name = html.EscapeString(name)
	fmt.Fprintf(w, "<figure class=\"forest\" tabindex=\"0\">\n<figcaption><b>%s</b></figcaption>\n",
		name)
	fmt.Fprintf(w, "<svg viewBox=\"0 0 1440 %d\" role=\"img\" aria-label=\"Intervals of %s: %d "+
		"entries, from %s to %s; the table above has their numbers.\">\n", bottom+40, name, len(list),
		low, high)
	fmt.Fprintf(w, "<path class=\"axis\" d=\"M%d %dH%d\"/>", forestLeft, bottom, forestRight)
	if lo < 0 && hi > 0 {
		fmt.Fprintf(w, "<path class=\"axis d1\" d=\"M%d 0V%d\"/>", at(0), bottom)
	}
	for i, v := range list {
		y := forestRow*i + forestRow/2
		text := v.Name
		if v.Label != "" {
			text += " " + v.Label
		}
		label{forestLeft - 16, y + 7, "end", text}.write(w)
		fmt.Fprintf(w, "<path class=\"c0\" d=\"M%d %dH%d\"/><circle class=\"dot\" cx=\"%d\" cy=\"%d\" "+
			"r=\"6\"/>\n",
			at(float64(v.Q5)), y, at(float64(v.Q95)), at(float64(v.Q50)), y)
	}
	label{forestLeft, bottom + 28, "", low}.write(w)
	label{forestRight, bottom + 28, "end", high}.write(w)
	w.WriteString("\n</svg>\n</figure>\n")
}

// A label is a text in a picture. Anchor is the place of x in it: "" at its start.
type label struct {
	x, y         int
	anchor, text string
}

func (l label) write(w *bytes.Buffer) {
	anchor := ""
	if l.anchor != "" {
		anchor = fmt.Sprintf(` text-anchor="%s"`, l.anchor)
	}
	fmt.Fprintf(w, `<text x="%d" y="%d"%s>%s</text>`, l.x, l.y, anchor, html.EscapeString(l.text))
}
