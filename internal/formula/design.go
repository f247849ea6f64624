package formula

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A design is a formula applied to the columns of a table, on the way to a model.
type design struct {
	formula *Formula
	table   *Table
	family  *family
	link    string
	rows    int

	standardize bool
	warnings    []string

	names map[string]bool // of the model, and of the columns of the table
	modelText
	responseScale
	dimN        string            // the dim of the rows
	eq          string            // the name of the predictor
	columnNames map[string]string // the name of a column of the design by its text
	alpha       string            // the intercept as the model has it
	covariance  string            // the name of spline_cov, where the model needs it
}

// modelText holds the parts of the model that is written, each in its order.
type modelText struct {
	inputs []*input // in the order in which the formula has them
	lets   []string // what is computed of data alone
	params []string // declarations, with comments between them
	shared []string // lets of params, before the rows
	eta    []string // summands of the predictor of row n
	tracks []string // what is stored with the draws
	means  []string // what the intercept of the model as written differs by
	dims   []string // declared besides N
}

// responseScale holds what priors take from the response.
type responseScale struct {
	scale    float64   // of the priors of intercepts and standard deviations
	center   float64   // the location of the prior of the intercept
	scaled   []float64 // the response on the scale of the link, or as it is
	middle   float64   // the median of the response on the scale of the link
	spread   float64   // the scale of the response in the priors of slopes
	classes  int       // of the response, where it is a class
	classDim string    // the dim of these, where they are words
}

// An input is a column of the table that the model reads.
type input struct {
	column string // in the table
	name   string // in the model
	typ    string
	from   int // the lowest value of an index
	kind   string
	dim    string   // of a group
	levels []string // of a column of words whose order the model relies on
}

// fail is an error of the formula.
func (d *design) fail(n *Node, message, suggest string) error {
	return &Error{Formula: d.formula.Text, At: n.At, Message: message, Suggest: suggest}
}

// bad is an error of a column.
func (d *design) bad(n *Node, message, suggest string) error {
	return &Error{Formula: d.formula.Text, At: n.At, Suggest: suggest, OfData: true,
		Message: d.table.File + ": " + message}
}

// column finds a column of numbers without missing entries.
func (d *design) column(n *Node) (*Column, error) {
	c, err := d.anyColumn(n)
	if err == nil && c.Levels != nil {
		return nil, d.bad(n, fmt.Sprintf("expected a column of numbers, found the words %s in %s",
			someOf(c.Levels), c.Name),
			fmt.Sprintf("words are levels: write %s as a term, or (1 | %s)", c.Name, c.Name))
	}
	return c, err
}

// someOf writes the first of some levels.
func someOf(levels []string) string {
	const most = 3
	if len(levels) > most {
		return strings.Join(levels[:most], ", ") + ", …"
	}
	return strings.Join(levels, " and ")
}

// isText reports whether a column is of words.
func (d *design) isText(n *Node) bool {
	c := d.table.find(n.Text)
	return n.Kind == 'n' && c != nil && c.Levels != nil
}

// anyColumn finds a column of numbers or words without missing entries.
func (d *design) anyColumn(n *Node) (*Column, error) {
	c := d.table.find(n.Text)
	switch {
	case c == nil:
		suggest := "the columns are " + strings.Join(d.table.names(), ", ")
		if near := spelling.Nearest(n.Text, d.table.names()); near != "" {
			suggest = "did you mean " + near + "?"
		}
		return nil, d.bad(n, fmt.Sprintf("expected a column, found no column %s", n.Text), suggest)
	case c.Wrong != "":
		return nil, d.bad(n, fmt.Sprintf("expected a column of numbers or of words, found that %s",
			c.Wrong),
			"mend the table; where numbers and words are levels, give --levels "+c.Name+"=sorted")
	}
	if len(c.Values) != d.rows {
		return nil, d.bad(n, fmt.Sprintf("expected columns of the same length, found %d entries in %s "+
			"and "+
			"%d in another", len(c.Values), c.Name, d.rows), "give a table")
	}
	if count, first := c.missing(); count > 0 {
		return nil, d.bad(n, fmt.Sprintf("expected numbers in column %s, found %d missing "+
			"entries, the first in row %d", c.Name, count, first+1),
			"--na drop leaves these rows out; or declare the column `real?` in the model, and "+
				"give it a distribution")
	}
	return c, nil
}

// input declares a column as an input of the model. A column may have two uses, of which a
// group's and a factor's type are more than a number's.
func (d *design) input(n *Node, kind, typ string, from int) (*input, error) {
	for _, in := range d.inputs {
		if in.column != n.Text {
			continue
		}
		switch {
		case kind == "number" || kind == in.kind:
		case in.kind == "number":
			in.kind, in.typ, in.from = kind, typ, from
		case in.kind == "whole" && kind == "group":
			in.kind, in.typ, in.from = kind, typ, from
		case in.kind == "group" && kind == "whole":
		default:
			return nil, d.fail(n,
				fmt.Sprintf("expected one use of column %s, found it as %s and as %s",
					n.Text, in.kind, kind), "copy the column in the table, under another name")
		}
		return in, nil
	}
	in := &input{column: n.Text, name: d.keep(n.Text), kind: kind, typ: typ, from: from}
	d.inputs = append(d.inputs, in)
	return in, nil
}

// numeric declares a column, unless it is, and returns a placeholder of its values, which
// resolve replaces when the type of the input is known.
func (d *design) numeric(column string) string {
	in, _ := d.input(&Node{Kind: 'n', Text: column}, "number", "real", 0)
	return "\x01" + in.name + "\x02"
}

// resolve replaces the placeholders of columns: an index that counts from 1 has that
// subtracted when it is read, and here added again. Indices are placeholders too, because a
// column may be called n.
func (d *design) resolve(text string) string {
	for _, in := range d.inputs {
		to, row := in.name, in.name+"[\x05]"
		if in.kind == "group" || in.kind == "classes" || in.kind == "steps" {
			switch {
			case in.from > 0:
				to = fmt.Sprintf("(%s + %d)", in.name, in.from)
				row = fmt.Sprintf("(%s[\x05] + %d)", in.name, in.from)
			case in.from < 0:
				to = fmt.Sprintf("(%s - %d)", in.name, -in.from)
				row = fmt.Sprintf("(%s[\x05] - %d)", in.name, -in.from)
			}
		}
		text = strings.ReplaceAll(text, "\x01"+in.name+"\x02", to)
		text = strings.ReplaceAll(text, "\x03"+in.name+"\x04", row)
	}
	return strings.NewReplacer("\x05", d.fresh("n"), "\x06", d.fresh("i"), "\x07",
		d.fresh("k")).Replace(text)
}

// reserved are the words that no name of a model may be.
var reserved = strings.Fields("for in if then else and or not true false inf scan factor")

// keep is the name of a column, which stays as it is where it may be a name of the model.
func (d *design) keep(column string) string {
	delete(d.names, column)
	name := d.fresh(column)
	d.names[column] = true
	return name
}

// fresh makes a name of the model that is not taken.
func (d *design) fresh(text string) string {
	var b strings.Builder
	for i, r := range text {
		ok := r == '_' || r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' &&
			r <= 'Z') || r >= 128 && inName(r)
		digit := r >= '0' && r <= '9'
		switch {
		case ok || digit && i > 0:
			b.WriteRune(r)
		case digit:
			b.WriteString("x" + string(r))
		default:
			b.WriteByte('_')
		}
	}
	name := b.String()
	if strings.Trim(name, "_") == "" {
		name = "x" + name
	}
	for base, k := name, 2; slices.Contains(reserved, name) || d.names[name]; k++ {
		name = fmt.Sprintf("%s_%d", base, k)
	}
	d.names[name] = true
	return name
}

// number writes a value with as many digits as it needs.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return fmt.Sprintf("%.0f", v)
	}
	s := fmt.Sprintf("%.12g", v)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return strings.Replace(s, "e+", "e", 1)
}

// short writes a value with three digits, as scales of priors have them.
func short(v float64) string {
	s := fmt.Sprintf("%.3g", v)
	var x float64
	fmt.Sscan(s, &x)
	return number(x)
}

// tenth writes a value rounded to one digit behind the point, as brms does in its priors.
func tenth(v float64) string { return number(math.Round(10*v) / 10) }
