package formula

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// Options are what a formula does not say.
type Options struct {
	Family string // as FamilyNames has them
	Link   string // of the mean; "" is the family's default
	Name   string // the command that made the model, for its head; may be empty
	// Standardize has slopes of columns in units of their standard deviations, and stores
	// those on the columns' own scale with the draws.
	Standardize bool
}

// A Model is what Write makes.
type Model struct {
	Text string
	// Bind has the columns that have another name in the model, as name=column.
	Bind [][2]string
	// Levels are those of the dims of columns of words by whose places the model tells
	// them, in this order.
	Levels []Levels
	// Warnings say what of the table makes the model hard to fit.
	Warnings []string
}

// Levels are the levels of a dim, in order.
type Levels struct {
	Dim   string
	Words []string
}

// UnknownFamily is the error of a family or link that is not in the table.
type UnknownFamily struct{ error }

// Write makes the model of a formula and a table.
func Write(f *Formula, t *Table, o Options) (*Model, error) {
	family, link, err := familyNamed(o.Family, o.Link)
	if err != nil {
		return nil, UnknownFamily{err}
	}
	d := &design{formula: f, table: t, family: family, link: link, standardize: o.Standardize,
		names:       map[string]bool{},
		columnNames: map[string]string{}, responseScale: responseScale{scale: 2.5, spread: 1}}
	for _, name := range t.names() {
		d.names[name] = true
	}
	if len(t.Columns) > 0 {
		d.rows = len(t.Columns[0].Values)
		for _, c := range t.Columns {
			d.rows = max(d.rows, len(c.Values))
		}
	}
	if d.rows == 0 {
		return nil, d.bad(f.Response, "expected rows, found none", "")
	}
	d.dimN = d.fresh("N")
	law, err := d.response()
	if err != nil {
		return nil, err
	}
	if err := d.predictor(); err != nil {
		return nil, err
	}
	m, err := d.print(o, law)
	if err != nil {
		return nil, err
	}
	m.Warnings = d.warnings
	return m, nil
}

// predictor writes all terms.
func (d *design) predictor() error {
	t := &terms{intercept: true}
	if err := d.expand(t, d.formula.Terms); err != nil {
		return err
	}
	if err := d.population(t); err != nil {
		return err
	}
	for _, n := range t.special {
		var err error
		switch n.Text {
		case "s":
			err = d.smooth(n)
		case "mo":
			err = d.monotonic(n)
		case "offset":
			err = d.offset(n)
		}
		if err != nil {
			return err
		}
	}
	for _, n := range t.groups {
		if err := d.groups(n); err != nil {
			return err
		}
	}
	if len(d.eta) == 0 {
		d.eta = []string{"0"}
	}
	return nil
}

// scales finds the scale and the location of the priors of brms: the mad and the median of
// the response, on the scale of the link, rounded to a digit behind the point; 2.5 and 0
// for links that no response can be taken through.
func (d *design) scales(y []float64) {
	d.scaled = y
	if d.family.classes != "" {
		return
	}
	link := d.link
	if d.family.logged {
		link = "log"
	}
	to := map[string]func(float64) float64{
		"identity": func(v float64) float64 { return v }, "sqrt": math.Sqrt,
		"log": math.Log, "inverse": func(v float64) float64 { return 1 / v },
	}[link]
	if to == nil {
		return
	}
	z := make([]float64, len(y))
	for i, v := range y {
		if v == 0 && (link == "log" || link == "inverse") {
			v = 0.1
		}
		if z[i] = to(v); math.IsNaN(z[i]) {
			return
		}
	}
	d.scale = max(2.5, math.Round(10*mad(z))/10)
	d.scaled, d.middle = z, median(z)
	d.center = math.Round(10*d.middle) / 10
	if d.middle <= 0 {
		d.middle = mean(z) // of counts most of which are 0
	}
	if s := deviation(z); (d.family.typ == "real" ||
		d.family.logged) && d.link == "identity" && s > 0 {
		d.spread = s
	}
}

// print puts the model together and lays it out.
func (d *design) print(o Options, law string) (*Model, error) {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("/// %s", strings.Join(strings.Fields(d.formula.Text), " "))
	line("/// Family %s with link %s. Priors marked brms are its defaults, with what they take",
		d.family.name, d.link)
	line("/// from the data as numbers; `sgppl doc formula` has their rules.")
	line("dim %s", strings.Join(append([]string{d.dimN}, d.dims...), ", "))
	for _, in := range d.inputs {
		typ := in.typ
		if in.from != 0 {
			typ += fmt.Sprintf(" from %d", in.from)
		}
		line("data %s[%s] : %s", in.name, d.dimN, typ)
	}
	if d.covariance != "" {
		b.WriteString("\n" + strings.Replace(integrated, "spline_cov", d.covariance, 1))
	}
	section(&b, d.lets)
	if d.family.define != "" {
		b.WriteString("\n" + d.family.define)
	}
	section(&b, d.params)
	section(&b, d.shared)
	line("\nfor \x05 in %s {", d.dimN)
	sum := strings.Join(d.eta, " +\n        ")
	if d.family.classes == "categorical" {
		sum = "concat([0], " + strings.Join(d.eta, " +\n        ") + ")"
	}
	line("  let %s = %s\n  %s\n}", d.eq, sum, law)
	d.uncentre()
	section(&b, d.tracks)
	text := d.resolve(b.String())
	file, diags := parser.Parse(source.New("formula.sg", text))
	if diags.Errors() {
		return nil, fmt.Errorf("the model of the formula does not parse, which is a mistake of "+
			"sgppl: %s\n%s",
			diags[0].Message, text)
	}
	m := &Model{Text: ast.Print(file)}
	for _, in := range d.inputs {
		if in.levels != nil {
			m.Levels = append(m.Levels, Levels{in.dim, in.levels})
		}
		if in.name != in.column {
			m.Bind = append(m.Bind, [2]string{in.name, in.column})
		}
	}
	return m, nil
}

// section writes lines after an empty one.
func section(b *strings.Builder, lines []string) {
	if len(lines) > 0 {
		b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	}
}

// uncentre tracks the intercept where the columns are 0.
func (d *design) uncentre() {
	if len(d.means) == 0 {
		return
	}
	comment := "// The intercept where the columns are 0."
	name, sign := "b_Intercept", " - "
	if d.family.classes == "ordinal" {
		comment, name, sign = "// The thresholds where the columns are 0.", "b_cut", " + "
	}
	text := fmt.Sprintf("track %s = %s%s(%s)", d.fresh(name), d.alpha, sign, strings.Join(d.means,
		" +\n  "))
	d.tracks = slices.Insert(d.tracks, 0, comment, text)
}
