package show

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Found prints what a run of optimize found: its best chain's points, as far as
// a view shows them, and how good the points of every chain are.
func Found(e *session.Session, dir string, r *run.Record, see View) error {
	globs, limit := see.Globs, see.Limit
	s := &Summary{view: see, dir: dir}
	var err error
	if s.names, err = session.NamesOf(e, dir, r, see.Names); err != nil {
		return err
	}
	best, _, err := e.OpenRunDraws(dir, r)
	if err != nil {
		return err
	}
	if err := s.topics(e, r, best); err != nil {
		return err
	}
	chain := r.BestChain()
	if chain < 0 {
		return session.NoDraws(dir)
	}
	points := run.PointNames()[:3] // best, last, average
	t := &Table{Head: append([]string{""}, points...)}
	more := 0
	for k, name := range points {
		path, draw, _, _ := run.PointStore(dir, r, name)
		store, err := run.OpenStore(path, r)
		if err != nil {
			return session.OwnStatus(err)
		}
		row := 0
		if n, err := store.Written(chain); err != nil {
			return session.Failf(session.ExitFiles, "%v", err)
		} else if n <= draw && k == 0 { // a run that went on died before it was stored again
			return session.NoDraws(dir)
		} else if n <= draw {
			continue // of a run that failed only the best is there
		}
		for _, v := range session.StoredDraws(store) {
			if k == 0 && s.hides(v) || slices.Contains(s.hidden, v.Name) {
				continue
			}
			labels := session.AxisNames(v, s.names)
			x := make([]float64, v.Len())
			if err := store.ReadDraws(v, chain, draw, draw+1, x); err != nil {
				return session.Failf(session.ExitFiles, "%v", err)
			}
			i := -1
			for _, element := range v.Elements() {
				if i++; !session.Matches(globs, v.Name, element) {
					continue
				}
				switch {
				case row >= limit && k == 0:
					more++
				case row >= limit:
				case k == 0:
					t.Add(element, digits(run.Float(x[i])), "-", "-")
					s.Vars = append(s.Vars, SummaryVar{Name: element, Label: session.EntryName(v.Shape, labels, i)})
				default:
					t.rows[row][1+k] = digits(run.Float(x[i]))
				}
				row++
			}
		}
		if row == 0 && len(globs) > 0 && len(s.tables) == 0 {
			return session.Usagef("--vars: nothing in %s is called so", dir)
		}
	}
	o := r.Outline()
	of := ""
	if o.Chains > 1 {
		of = fmt.Sprintf(", the best of %d chains is chain %d", o.Chains, chain)
	}
	printable.Fprintf(e.Stdout, "%s by %s: %d steps%s\n\n", r.Model, o.Method, r.Chains[chain].Steps, of)
	if slices.ContainsFunc(s.Vars, func(v SummaryVar) bool { return v.Label != "" }) {
		t.Head, t.Left = slices.Insert(t.Head, 1, "name"), map[string]bool{"name": true}
		for i := range t.rows {
			t.rows[i] = slices.Insert(t.rows[i], 1, s.Vars[i].Label)
		}
	}
	if len(t.rows) > 0 || len(s.tables) == 0 {
		if err := t.Write(e.Stdout); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	}
	if more > 0 {
		printable.Fprintf(e.Stdout, "… and %d more: sgppl summary %s\n", more, dir)
	}
	if s.within > 0 {
		fmt.Fprintf(e.Stdout, "… and %s: sgppl summary %s --vars %s\n", session.NumbersOf(s.within, s.hidden), printable.Line(dir), strings.Join(s.hidden, " --vars "))
	}
	if err := printTopics(e.Stdout, s.tables, s.means); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	fmt.Fprintln(e.Stdout)
	if err := foundTable(r).Write(e.Stdout); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// foundTable says how good the points of every chain are.
func foundTable(r *run.Record) *Table {
	t := &Table{Head: []string{"chain", "steps", "best at", "lp: best", "last", "average"}}
	if r.HeldOut != nil {
		t.Head = append(t.Head, "held-out lpd: best", "last", "average")
	}
	measure, of := heldOutMeasure(r)
	if of != nil {
		t.Head = append(t.Head, measure+": best", "last", "average")
	}
	for k, c := range r.Chains {
		if c.Found == nil {
			t.Add(append([]string{fmt.Sprint(k), fmt.Sprint(c.Steps)}, dashes(len(t.Head)-2)...)...)
			continue
		}
		f := c.Found
		cells := []string{fmt.Sprint(k), fmt.Sprint(c.Steps), fmt.Sprint(f.Step), digits6(f.Best.LP), digits6(f.Last.LP), digits6(f.Mean.LP)}
		if r.HeldOut != nil {
			cells = append(cells, digits6(f.Best.HeldOut), digits6(f.Last.HeldOut), digits6(f.Mean.HeldOut))
		}
		if of != nil {
			cells = append(cells, of(f.Best.Score), of(f.Last.Score), of(f.Mean.Score))
		}
		t.Add(cells...)
	}
	return t
}

// heldOutMeasure is the score of held-out rows that people look at: accuracy of
// classes, else the rmse of numbers; nil without either.
func heldOutMeasure(r *run.Record) (name string, of func(*run.Score) string) {
	for _, c := range r.Chains {
		if c.Found == nil || c.Found.Best.Score == nil {
			continue
		}
		switch s := c.Found.Best.Score; {
		case s.Accuracy != nil:
			return "accuracy", func(s *run.Score) string { return scoreCell(s, func(s *run.Score) *run.Float { return s.Accuracy }) }
		case s.RMSE != nil:
			return "rmse", func(s *run.Score) string { return scoreCell(s, func(s *run.Score) *run.Float { return s.RMSE }) }
		}
	}
	return "", nil
}

func scoreCell(s *run.Score, get func(*run.Score) *run.Float) string {
	if s == nil || get(s) == nil {
		return "-"
	}
	return digits6(*get(s))
}

func digits6(x run.Float) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	return Format("%.6g", x)
}

func dashes(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "-"
	}
	return out
}
