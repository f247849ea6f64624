package formula

import (
	"fmt"
	"strings"
)

// response declares the response and what the left side adds, and the params of the family.
// It returns the statement that observes a row.
func (d *design) response() (string, error) {
	n, f := d.formula.Response, d.family
	if n.Kind == 'c' && elsewhere[n.Text] != "" {
		return "", d.unknown(n)
	}
	trials, weights, err := d.additions()
	if err != nil {
		return "", err
	}
	v, err := d.evalResponse(n)
	if err != nil {
		return "", err
	}
	for i, y := range v.rows {
		if !f.holds(y) {
			return "", d.bad(n,
				fmt.Sprintf("expected %s as the response of family %s, found %v in row %d",
					f.needs, f.name, number(y), i+1), other(v.rows))
		}
		if trials != nil && y > trials.rows[i] {
			return "", d.bad(n,
				fmt.Sprintf(
					"expected at most as many successes as trials, found %v of %v in row %d",
					number(y), number(trials.rows[i]), i+1), "")
		}
	}
	name := ""
	if n.Kind == 'n' {
		in := d.inputs[len(d.inputs)-1]
		for _, x := range d.inputs {
			if x.column == n.Text {
				in = x
			}
		}
		name, in.typ, in.kind = in.name, f.typ, "response"
		in.levels = d.table.find(n.Text).Levels
		if err := d.class(n, in, v.rows); err != nil {
			return "", err
		}
	} else {
		if f.typ == "index" || f.typ == "bool" {
			return "", d.fail(n,
				fmt.Sprintf("expected a column as the response of family %s, found an expression",
					f.name), "compute the column in the table")
		}
		name = d.fresh(plain(d.formula.Text[n.At.Start:n.At.End]))
		d.lets = append(d.lets, fmt.Sprintf("let %s = %s", name, v.text))
	}
	d.scales(v.rows)
	if f.define != "" && d.names[f.name] {
		return "", d.bad(n, fmt.Sprintf("expected no column called %s, since the model defines a "+
			"distribution of that name",
			f.name), "rename the column")
	}
	for _, a := range f.aux {
		if d.names[a.name] {
			return "", d.bad(n,
				fmt.Sprintf(
					"expected no column called %s, since family %s has a parameter of that name",
					a.name, f.name), "rename the column")
		}
		d.names[a.name] = true
		d.param(strings.ToUpper(a.about[:1])+a.about[1:]+". Prior: brms.",
			fmt.Sprintf("%s : %s ~ %s", a.name, a.typ,
				strings.ReplaceAll(a.prior, "$scale", d.studentT(0))))
	}
	d.eq = d.fresh("eta")
	return d.law(name+"[\x05]", trials, weights)
}

// evalResponse computes the response; words are classes.
func (d *design) evalResponse(n *Node) (value, error) {
	if !d.isText(n) || d.family.classes == "" {
		return d.eval(n)
	}
	c, err := d.anyColumn(n)
	if err == nil && d.family.classes == "ordinal" && !c.Order {
		err = d.unordered(n, "as the response of family "+d.family.name)
	}
	if err != nil {
		return value{}, err
	}
	return value{c.Values, d.numeric(n.Text), 6}, nil
}

// law is the statement that observes a row.
func (d *design) law(y string, trials, weights *value) (string, error) {
	f := d.family
	law := f.law
	if own := f.laws[d.link]; own != "" {
		law = own
	}
	mu := links[d.link]
	if strings.HasPrefix(mu, "1 /") && strings.Contains(law, "*") {
		mu = "(" + mu + ")"
	}
	law = strings.ReplaceAll(strings.ReplaceAll(law, "($mu)", "("+links[d.link]+")"), "$mu", mu)
	law = strings.ReplaceAll(law, "$eta", d.eq)
	if trials != nil {
		law = strings.ReplaceAll(law, "$n", d.entry(covariate{name: "trials", value: *trials}))
	}
	if weights == nil {
		return y + " ~ " + law, nil
	}
	head, args, _ := strings.Cut(law, "(")
	if head == "mixture" {
		return "", d.fail(d.formula.Response,
			fmt.Sprintf("expected no weights() in family %s, found them", f.name),
			"use negbinomial or hurdle_poisson, which may have weights")
	}
	return fmt.Sprintf("// Rows with weights have no law to predict from: sgppl predict and "+
		"score need `~`.\n  factor %s * %s.logpdf(%s, %s",
		d.entry(covariate{name: "weights", value: *weights}), head, y, args), nil
}

// class finds how many classes the response has.
func (d *design) class(n *Node, in *input, y []float64) error {
	if d.family.classes == "" {
		return nil
	}
	all := levels(y)
	low, high := all[0], all[len(all)-1]
	count := int(high-low) + 1
	if count < 2 || count > mostLevels || len(all) < count {
		return d.bad(n, fmt.Sprintf("expected 2 to %d classes, numbered one after another, found "+
			"%d different "+
			"numbers from %s to %s", mostLevels, len(all), number(low), number(high)), other(y))
	}
	d.classes = count
	in.kind, in.from, in.typ = "classes", int(low), fmt.Sprintf("index[%d]", count)
	if in.levels != nil {
		in.dim = d.fresh("K_" + plain(n.Text))
		d.dims, d.classDim = append(d.dims, in.dim), in.dim
		in.typ = "index[" + in.dim + "]"
	}
	if d.family.classes == "ordinal" {
		d.alpha = d.fresh("cut")
		d.param("The thresholds between the classes. Prior: brms.",
			fmt.Sprintf("%s : ordered[%s] ~ student_t(3, 0, 2.5)", d.alpha, d.fewer()))
	}
	return nil
}

// additions reads what stands after | on the left.
func (d *design) additions() (trials, weights *value, err error) {
	for _, a := range d.formula.Addition {
		if a.Kind != 'c' || a.Text != "trials" && a.Text != "weights" {
			if a.Kind == 'c' && elsewhere[a.Text] != "" {
				return nil, nil, d.unknown(a)
			}
			return nil, nil, d.fail(a,
				"expected trials(n) or weights(w) after `|`, found something else",
				"")
		}
		if len(a.Args) != 1 || len(a.Named) > 0 {
			return nil, nil, d.fail(a, fmt.Sprintf("expected one argument of %s()", a.Text), "")
		}
		v, err := d.eval(a.Args[0])
		if err != nil {
			return nil, nil, err
		}
		for i, x := range v.rows {
			if x < 0 || a.Text == "trials" && !isCount(x) {
				return nil, nil, d.bad(a, fmt.Sprintf("expected %s, found %v in row %d",
					map[string]string{"trials": counts, "weights": "numbers from 0"}[a.Text],
					number(x), i+1), "")
			}
		}
		if a.Text == "weights" {
			weights = &v
			continue
		}
		trials = &v
		if a.Args[0].Kind == 'n' {
			for _, in := range d.inputs {
				if in.column == a.Args[0].Text {
					in.kind, in.typ = "trials", "count"
				}
			}
		} else if a.Args[0].Kind != '0' {
			return nil, nil, d.fail(a.Args[0], "expected a column or a number in trials()", "")
		}
	}
	switch {
	case trials != nil && !d.family.trials:
		return nil, nil, d.fail(d.formula.Response,
			fmt.Sprintf("expected no trials() in family %s, found them",
				d.family.name), "give --family binomial")
	case trials == nil && d.family.trials:
		return nil, nil, d.fail(d.formula.Response,
			fmt.Sprintf("expected trials() in family %s, found none",
				d.family.name), "write y | trials(n) ~ …, with a column or a number of trials")
	}
	return trials, weights, nil
}

// other suggests families for a response.
func other(y []float64) string {
	var out []string
	for _, f := range families {
		fits := !f.trials && f.classes == ""
		for _, v := range y {
			fits = fits && f.holds(v)
		}
		if fits {
			out = append(out, f.name)
		}
	}
	return "families that these values fit: " + strings.Join(out, ", ")
}
