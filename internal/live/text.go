package live

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
)

// mostRows is how many rows of health a text has.
const mostRows = 12

// Text is a view for a terminal.
func (v *View) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s: %s", v.Run, v.Method)
	line("%s: %s", v.State, v.Words)
	if v.Resume != "" {
		line("to go on with it: %s", v.Resume)
	}
	if v.Sentence != "" {
		line("%s", v.Sentence)
	}
	line("%s", v.amounts())
	for _, c := range v.Charts {
		switch c.Kind {
		case "trace":
			if c.Caption != "" {
				line("  %-24s %s", c.Title, c.Caption)
			}
		default:
			line("%s: %s", c.Title, c.Caption)
		}
	}
	for i, h := range v.Health {
		if i == mostRows {
			line("  and %d rows more", len(v.Health)-mostRows)
			break
		}
		at := ""
		if h.AtLeast {
			at = ">= "
		}
		line("  %-16s %-28s %12s  %s", h.Block, h.Statistic,
			at+fmt.Sprintf("%.4g", float64(h.Value)), h.Verdict)
	}
	for _, text := range []string{v.JudgedOf, v.From} {
		if text != "" {
			line("%s", text)
		}
	}
	for _, n := range v.Notes {
		line("note: %s", n)
	}
	return b.String()
}

// amounts are the numbers of the progress.
func (v *View) amounts() string {
	parts := []string{fmt.Sprintf("%.0f %%", 100*float64(v.Share))}
	if v.Of > int64(len(v.Chains)) {
		parts = append(parts, fmt.Sprintf("%d of %d draws", v.Draws, v.Of))
	}
	if v.Ended() {
		return strings.Join(parts, ", ")
	}
	if finite(v.StepsRate) {
		parts = append(parts, fmt.Sprintf("%.4g steps/s", float64(v.StepsRate)))
	}
	if finite(v.RowsRate) && v.RowsRate > 0 {
		parts = append(parts, fmt.Sprintf("%.4g rows/s", float64(v.RowsRate)))
	}
	if finite(v.Left) && v.Left > 0 {
		parts = append(parts, session.Duration(float64(v.Left))+" left")
	}
	return strings.Join(parts, ", ")
}
