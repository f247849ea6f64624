package show

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Found prints what a run of optimize found: its best chain's points, as far as
// a view shows them, and how good the points of every chain are.
func Found(e *session.Session, dir string, r *run.Record, see View) error {
	return found(e, e.Stdout, dir, r, see)
}

// found writes what Found prints.
func found(e *session.Session, w io.Writer, dir string, r *run.Record, see View) error {
	s := &Summary{
		summarised: summarised{dir: dir},
		shown:      shown{view: see},
	}
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
	p := &pointTable{Table: &Table{Head: append([]string{""}, points...)}, s: s, chain: chain}
	for k, name := range points {
		if err := p.add(r, k, name); err != nil {
			return err
		}
	}
	o := r.Outline()
	of := ""
	if o.Chains > 1 {
		of = fmt.Sprintf(", the best of %d chains is chain %d", o.Chains, chain)
	}
	printable.Fprintf(w, "%s by %s: %d steps%s\n", r.Model, o.Method, r.Chains[chain].Steps, of)
	if r.Optimize.Ensemble {
		printable.Fprintf(w, "ensemble   %d points, over which predictions are averaged; they are no "+
			"draws of the posterior\n", o.Chains)
	}
	fmt.Fprintln(w)
	if err := p.print(w); err != nil {
		return err
	}
	if err := printTopics(w, s.tables, s.means); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	fmt.Fprintln(w)
	if err := foundTable(r).Write(w); err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// A pointTable has a row for each number that is shown, and a column for each point of a chain.
type pointTable struct {
	*Table
	s     *Summary
	chain int
	more  int // numbers that are beyond the limit of the view
}

// add fills the column of point number k. The first point, the best, makes the rows.
func (p *pointTable) add(r *run.Record, k int, name string) error {
	path, draw, _, _ := run.PointStore(p.s.dir, r, name)
	store, err := run.OpenStore(path, r)
	if err != nil {
		return session.OwnStatus(err)
	}
	if n, err := store.Written(p.chain); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	} else if n <= draw && k == 0 { // a run that went on died before it was stored again
		return session.NoDraws(p.s.dir)
	} else if n <= draw {
		return nil // of a run that failed only the best is there
	}
	row := 0
	for _, v := range session.StoredDraws(store) {
		if k == 0 && p.s.hides(v) || slices.Contains(p.s.hidden, v.Name) {
			continue
		}
		x := make([]float64, v.Len())
		if err := store.ReadDraws(v, p.chain, draw, draw+1, x); err != nil {
			return session.Failf(session.ExitFiles, "%v", err)
		}
		row = p.addVar(v, x, k, row)
	}
	if row == 0 && len(p.s.view.Globs) > 0 && len(p.s.tables) == 0 {
		return session.Usagef("--vars: nothing in %s is called so", p.s.dir)
	}
	return nil
}

// addVar fills the rows of one variable from row on, and returns the row behind them.
func (p *pointTable) addVar(v trace.Variable, x []float64, k, row int) int {
	labels := session.AxisNames(v, p.s.names)
	for i, element := range v.Elements() {
		if !session.Matches(p.s.view.Globs, v.Name, element) {
			continue
		}
		switch beyond := row >= p.s.view.Limit; {
		case beyond && k == 0:
			p.more++
		case beyond:
		case k == 0:
			p.Add(element, digits(run.Float(x[i])), "-", "-")
			label := session.EntryName(v.Shape, labels, i)
			p.s.Vars = append(p.s.Vars, SummaryVar{Name: element, Label: label})
		default:
			p.rows[row][1+k] = digits(run.Float(x[i]))
		}
		row++
	}
	return row
}

// print writes the table, with a column of names where entries have them, and says what it
// leaves out.
func (p *pointTable) print(w io.Writer) error {
	s := p.s
	if slices.ContainsFunc(s.Vars, func(v SummaryVar) bool { return v.Label != "" }) {
		p.Head, p.Left = slices.Insert(p.Head, 1, "name"), map[string]bool{"name": true}
		for i := range p.rows {
			p.rows[i] = slices.Insert(p.rows[i], 1, s.Vars[i].Label)
		}
	}
	if len(p.rows) > 0 || len(s.tables) == 0 {
		if err := p.Write(w); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	}
	if p.more > 0 {
		printable.Fprintf(w, "… and %d more: sgppl summary %s\n", p.more, s.dir)
	}
	if s.within > 0 {
		printable.Fprintf(w, "… and %s: sgppl summary %s --vars %s\n",
			session.NumbersOf(s.within, s.hidden), s.dir, strings.Join(s.hidden, " --vars "))
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
		cells := []string{fmt.Sprint(k), fmt.Sprint(c.Steps), fmt.Sprint(f.Step),
			digits6(f.Best.LP), digits6(f.Last.LP), digits6(f.Mean.LP)}
		if r.HeldOut != nil {
			cells = append(cells, digits6(f.Best.HeldOut), digits6(f.Last.HeldOut),
				digits6(f.Mean.HeldOut))
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
			return "accuracy",
				func(s *run.Score) string {
					return scoreCell(s, func(s *run.Score) *run.Float { return s.Accuracy })
				}
		case s.RMSE != nil:
			return "rmse", func(s *run.Score) string {
				return scoreCell(s, func(s *run.Score) *run.Float { return s.RMSE })
			}
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
