package formula

import (
	"fmt"
	"strings"
)

// A covariate is a column of the design: what a slope is of.
type covariate struct {
	label string // as the formula has it
	name  string // of lets and slopes
	value
	cell bool // 1 in the rows of a level, with no intercept: its slope is a mean
}

// mostLevels bounds the levels of a factor; more make a group.
const mostLevels = 100

// covariates are the columns of a term. A factor has a column for each level, except for the lowest
// where what is left of the term without it is in the formula: the contrasts of R.
func (d *design) covariates(t *terms, x term) ([]covariate, error) {
	out := []covariate{{}}
	for i, a := range x {
		next, err := d.parts(a, a.factor && t.has(x.without(i)))
		if err != nil {
			return nil, err
		}
		var joined []covariate
		for _, left := range out {
			for _, right := range next {
				joined = append(joined, product(left, right))
			}
		}
		out = joined
	}
	for i := range out {
		out[i].cell = len(x) == 1 && x[0].factor && !t.intercept && !t.has(nil) && len(out) > 0
	}
	return out, nil
}

// parts are the columns of an atom: one of a number, one for each level of a factor.
func (d *design) parts(a atom, contrasts bool) ([]covariate, error) {
	if !a.factor {
		v, err := d.eval(a.node)
		label := d.formula.Text[a.node.At.Start:a.node.At.End]
		return []covariate{{label: label, name: label, value: v}}, err
	}
	c, err := d.anyColumn(a.node)
	if err != nil {
		return nil, err
	}
	all := levels(c.Values)
	switch {
	case !whole(all):
		return nil, d.bad(a.node, fmt.Sprintf("expected whole numbers as levels, found %v", all[0]),
			"number the levels in the table")
	case len(all) > mostLevels:
		return nil, d.bad(a.node, fmt.Sprintf("expected at most %d levels, found %d", mostLevels,
			len(all)), fmt.Sprintf("write them as a group: (1 | %s)", a.node.Text))
	}
	if c.Levels == nil {
		_, err = d.input(a.node, "whole", "int", 0)
	} else {
		err = d.ordered(a.node, c)
	}
	if err != nil {
		return nil, err
	}
	if contrasts {
		all = all[1:]
	}
	var out []covariate
	for _, level := range all {
		rows := make([]float64, len(c.Values))
		for i, v := range c.Values {
			rows[i] = truth(v == level)
		}
		name := number(level)
		if c.Levels != nil {
			name = c.Levels[int(level)]
		}
		out = append(out, covariate{
			label: fmt.Sprintf("%s == %s", a.node.Text, name),
			name:  a.node.Text + "_" + name,
			value: value{rows, d.numeric(a.node.Text) + " == " + number(level), 1},
		})
	}
	return out, nil
}

// ordered declares a column of words as an index, in a model that tells its levels by their
// places.
func (d *design) ordered(n *Node, c *Column) error {
	f, _, err := d.levels(n)
	if err == nil {
		f.input.levels = c.Levels
	}
	return err
}

// product is the column of an interaction.
func product(a, b covariate) covariate {
	if a.rows == nil {
		return b
	}
	rows := make([]float64, len(a.rows))
	for i := range rows {
		rows[i] = a.rows[i] * b.rows[i]
	}
	return covariate{label: a.label + " : " + b.label, name: a.name + "_" + b.name,
		value: value{rows, a.at(3) + " * " + b.at(4), 3}}
}

// plain makes a text of letters, digits and single underscores.
func plain(text string) string {
	words := strings.FieldsFunc(text,
		func(r rune) bool { return !inName(r) || r == '_' || r == '.' })
	return strings.Join(words, "_")
}

// entry is the value of a column in row n. What is not a plain column becomes a let.
func (d *design) entry(c covariate) string {
	if name, ok := strings.CutPrefix(c.text, "\x01"); ok && strings.Count(c.text, "\x02") == 1 &&
		strings.HasSuffix(name, "\x02") {
		return "\x03" + strings.TrimSuffix(name, "\x02") + "\x04"
	}
	if !strings.Contains(c.text, "\x01") {
		return c.at(6)
	}
	return d.named(c) + "[\x05]"
}

// named is a name of the array of a column; one name for one text.
func (d *design) named(c covariate) string {
	if name := d.columnNames[c.text]; name != "" {
		return name
	}
	name := d.fresh(plain(c.name))
	d.columnNames[c.text] = name
	d.lets = append(d.lets, fmt.Sprintf("let %s = %s", name, c.text))
	return name
}
