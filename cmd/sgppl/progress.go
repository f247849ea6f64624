package main

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A show tells how far a run is. event is called by one goroutine at a time,
// between two interrupts at most.
type show struct {
	every       time.Duration // between events of a chain; 0: only its end
	event       func(run.Event)
	note        func(text string) // of what was found
	phase       func(run.Event)   // of what is done before the first step
	interrupted func()
	close       func()
}

// plainEvery is the time between lines where no bar can move.
const plainEvery = 10 * time.Second

// progress makes the display of a mode: auto, plain, json or none.
func (e *env) progress(mode string, r *run.Record) (s show) {
	s = show{event: func(run.Event) {}, close: func() {}, interrupted: func() {
		fmt.Fprintln(e.stderr, "interrupted: writing checkpoints (again to quit at once)")
	}}
	s.note = func(text string) { e.note("%s", text) }
	s.phase = func(run.Event) {}
	defer func() {
		of := s.event
		s.event = func(v run.Event) {
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
		s.every = time.Second
		s.event = func(v run.Event) { run.WriteEvent(e.stderr, v) }
		s.phase = func(v run.Event) { run.WritePhase(e.stderr, v.Text, v.Seconds) }
		s.interrupted = func() { e.note("interrupted: writing checkpoints (again to quit at once)") }
	case mode == "auto" && e.terminal:
		e.bars(&s, r)
	default:
		s.every = plainEvery
		s.event = func(v run.Event) { fmt.Fprintln(e.stderr, line(v)) }
		s.phase = func(v run.Event) { printable.Fprintf(e.stderr, "%s\n", v.Text) }
	}
	return s
}

// line is an event as a line of text.
func line(v run.Event) string {
	if v.Criterion != nil {
		return fmt.Sprintf("chain %d: step %d of %d, %s", v.Chain, v.Step, v.Steps, fit(measures(v), math.MaxInt))
	}
	return fmt.Sprintf("chain %d: %d of %d draws, step %d of %d, %s", v.Chain, v.Draws, v.Of, v.Step, v.Steps, fit(measures(v), math.MaxInt))
}

// A part is a piece of a line; those of the highest rank are left out first
// where the line is too long.
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
		parts = append(parts, part{2, duration(float64(v.Left)) + " left"})
	}
	parts = append(parts, part{5, fmt.Sprintf("h %.3g", float64(v.StepSize))})
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
			parts = append(parts, part{2, fmt.Sprintf("%s %.6g, best %.6g at %d", name, float64(c.Last), float64(c.Best), c.Step)})
		}
	}
	if word := healthWord(v.Health); word != "" {
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

func duration(seconds float64) string {
	if seconds > 1e8 || math.IsNaN(seconds) {
		return "long"
	}
	d := time.Duration(seconds * float64(time.Second))
	if d > time.Second {
		return d.Round(time.Second).String()
	}
	return d.Round(time.Millisecond).String()
}
