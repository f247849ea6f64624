package show

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A Progress tells how far a run is. event is called by one goroutine at a time,
// between two interrupts at most.
type Progress struct {
	Every       time.Duration // between events of a chain; 0: only its end
	Event       func(run.Event)
	note        func(text string) // of what was found
	phase       func(run.Event)   // of what is done before the first step
	Interrupted func()
	Close       func()
}

// PlainEvery is the time between lines where no bar can move.
const PlainEvery = 10 * time.Second

// NewProgress makes the display of a mode: auto, plain, json or none.
func NewProgress(e *session.Session, mode string, r *run.Record) (s Progress) {
	s = Progress{Event: func(run.Event) {}, Close: func() {}, Interrupted: func() {
		fmt.Fprintln(e.Stderr, "interrupted: writing checkpoints (again to quit at once)")
	}}
	s.note = func(text string) { e.Note("%s", text) }
	s.phase = func(run.Event) {}
	defer func() {
		of := s.Event
		s.Event = func(v run.Event) {
			switch v.Event {
			case "note":
				s.note(v.Text)
			case "phase":
				s.phase(v)
			default:
				of(v)
			}
		}
	}()
	switch {
	case mode == "none":
	case mode == "json":
		s.Every = time.Second
		s.Event = func(v run.Event) { run.WriteEvent(e.Stderr, v) }
		s.phase = func(v run.Event) { run.WritePhase(e.Stderr, v.Text, v.Seconds) }
		s.Interrupted = func() {
			e.Note("interrupted: writing checkpoints (again to quit at once)")
		}
	case mode == "auto" && e.Terminal:
		showBars(e, &s, r)
	default:
		s.Every = PlainEvery
		s.Event = func(v run.Event) { fmt.Fprintln(e.Stderr, Line(v)) }
		s.phase = func(v run.Event) { printable.Fprintf(e.Stderr, "%s\n", v.Text) }
	}
	return s
}

// Line is an event as a line of text.
func Line(v run.Event) string {
	if v.Criterion != nil {
		return fmt.Sprintf("chain %d: step %d of %d, %s", v.Chain, v.Step, v.Steps,
			fit(measures(v), math.MaxInt))
	}
	return fmt.Sprintf("chain %d: %d of %d draws, step %d of %d, %s", v.Chain, v.Draws, v.Of,
		v.Step, v.Steps, fit(measures(v), math.MaxInt))
}

// A part is a piece of a line of progress. If the line is too long, the parts of the highest rank
// are left out first.
type part struct {
	rank int
	text string
}

// measures are the numbers of an event that bars show too.
func measures(v run.Event) []part {
	parts := []part{{1, quantity(float64(v.StepsRate), "steps/s")}}
	if v.RowsRate > 0 {
		parts = append(parts, part{4, quantity(float64(v.RowsRate), "rows/s")})
	}
	if v.Event != "end" && !math.IsNaN(float64(v.Left)) {
		parts = append(parts, part{2, session.Duration(float64(v.Left)) + " left"})
	}
	if v.StepSize != 0 {
		parts = append(parts, part{5, fmt.Sprintf("h %.3g", float64(v.StepSize))})
	}
	if !math.IsNaN(float64(v.LogDensity)) {
		parts = append(parts, part{6, fmt.Sprintf("lp≈%.6g", float64(v.LogDensity))})
	}
	if h := v.HeldOut; h != nil {
		text := fmt.Sprintf("held-out lpd %.4g", float64(h.LPDMean))
		if h.Accuracy != nil {
			text += fmt.Sprintf(", %.2f %%", 100*float64(*h.Accuracy))
		}
		if h.RMSE != nil {
			text += fmt.Sprintf(", rmse %.4g", float64(*h.RMSE))
		}
		parts = append(parts, part{2, text})
	}
	if c := v.Criterion; c != nil {
		if c.Temperature > 0 {
			parts = append(parts, part{5, fmt.Sprintf("T %.3g", float64(c.Temperature))})
		}
		if c.Step >= 0 {
			name := map[string]string{"held_out": "held-out lpd", "lp": "lp"}[c.Of]
			parts = append(parts,
				part{2, fmt.Sprintf("%s %.6g, best %.6g at %d", name, float64(c.Last),
					float64(c.Best), c.Step)})
		}
	}
	word := healthWord(v.Health)
	if v.Event == "end" && word == "unsure" {
		word = "" // what a chain is too short to tell, all chains may: the table says it
	}
	if word != "" {
		parts = append(parts, part{3, "health " + word})
	}
	return parts
}

// fit joins as many of the parts, by rank, as fit into so many columns.
func fit(parts []part, columns int) string {
	for rank := 9; rank >= 0; rank-- {
		var kept []string
		for _, p := range parts {
			if p.rank <= rank {
				kept = append(kept, p.text)
			}
		}
		if text := strings.Join(kept, ", "); utf8.RuneCountInString(text) <= columns {
			return text
		}
	}
	return ""
}

// healthWord is the worst verdict.
func healthWord(rows []run.Health) string {
	word := ""
	for _, h := range rows {
		switch {
		case h.Verdict == "off":
			return "off: " + printable.Line(h.Block+" "+h.Statistic)
		case h.Verdict == "unsure", h.Verdict == "ok" && word == "":
			word = h.Verdict
		}
	}
	return word
}

// quantity writes a rate with three digits: 52.1 k steps/s.
func quantity(x float64, unit string) string {
	switch {
	case math.IsNaN(x):
		return "- " + unit
	case x >= 1e6:
		return fmt.Sprintf("%.3g M %s", x/1e6, unit)
	case x >= 1e4:
		return fmt.Sprintf("%.3g k %s", x/1e3, unit)
	}
	return fmt.Sprintf("%.4g %s", x, unit)
}
