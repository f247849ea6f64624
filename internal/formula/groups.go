package formula

import (
	"fmt"
	"slices"
	"strings"
)

// mostCells bounds the combinations of the levels of a:b in (1 | a:b).
const mostCells = 1_000_000

// groups writes (terms | g), for each group that g names: g/h is g and g:h, as in R.
func (d *design) groups(n *Node) error {
	if d.family.classes == "categorical" {
		return d.fail(n,
			"expected columns and interactions in family categorical, found effects of a group",
			"use family cumulative if the classes have an order, or edit the model")
	}
	t := &terms{intercept: true}
	if err := d.expand(t, n.Args[0]); err != nil {
		return err
	}
	if len(t.special) > 0 || len(t.groups) > 0 {
		at := append(t.special, t.groups...)[0]
		return d.fail(at, "expected columns and interactions left of `|`, found "+at.Text,
			"smooths, monotonic effects and groups within groups are not covered")
	}
	slices.SortStableFunc(t.linear, func(a, b term) int { return len(a) - len(b) })
	list, err := d.product(n.Args[1])
	if err != nil {
		return err
	}
	for _, g := range list {
		if err := d.group(n, t, g); err != nil {
			return err
		}
	}
	return nil
}

// levelled is a factor of a group: its input and the dim of its levels.
type levelled struct {
	input *input
	dim   string
}

// group writes the effects of one group.
func (d *design) group(n *Node, t *terms, g term) error {
	var factors []levelled
	cells := 1
	for _, a := range g {
		if a.node.Kind != 'n' {
			return d.fail(a.node, "expected a column right of `|`, found an expression",
				"compute the groups as a column of the table, with whole numbers")
		}
		f, count, err := d.levels(a.node)
		if err != nil {
			return err
		}
		factors = append(factors, f)
		if cells *= count; cells > mostCells {
			return d.bad(n, fmt.Sprintf("expected at most %d combinations of levels, found %d",
				mostCells,
				cells),
				"number the combinations that occur, in a column of the table")
		}
	}
	var effects []covariate
	for _, x := range t.linear {
		list, err := d.covariates(t, x)
		if err != nil {
			return err
		}
		effects = append(effects, list...)
	}
	labels := []string{}
	if t.intercept {
		labels = append(labels, "the intercept")
	}
	for _, c := range effects {
		labels = append(labels, c.label)
	}
	if len(labels) == 0 {
		return d.fail(n, "expected an effect left of `|`, found none", "write (1 | g)")
	}
	d.effects(n, g, factors, labels, effects, t.intercept)
	return nil
}

// levels declares the column of a group as an index, and its dim.
func (d *design) levels(n *Node) (levelled, int, error) {
	c, err := d.anyColumn(n)
	if err != nil {
		return levelled{}, 0, err
	}
	all := levels(c.Values)
	if c.Levels != nil { // of which some may have no rows
		all = []float64{0, float64(len(c.Levels) - 1)}
	}
	low, high := all[0], all[len(all)-1]
	if !whole(all) {
		return levelled{}, 0, d.bad(n,
			fmt.Sprintf("expected whole numbers as groups, found %v", all[0]),
			"number the groups in the table, from 0 or 1")
	}
	count := high - low + 1
	if count > 100+20*float64(len(all)) {
		return levelled{}, 0, d.bad(n,
			fmt.Sprintf("expected groups that are numbered one after another, "+
				"found %d different numbers from %s to %s", len(all), number(low), number(high)),
			"number the groups in the table, from 0 or 1")
	}
	in, err := d.input(n, "group", "", int(low))
	if err != nil {
		return levelled{}, 0, err
	}
	if in.dim == "" {
		in.dim = d.fresh("J_" + plain(n.Text))
		d.dims = append(d.dims, in.dim)
		in.typ = "index[" + in.dim + "]"
	}
	return levelled{in, in.dim}, int(count), nil
}

// effects declares the effects of a group: standard normal values times standard deviations
// and the factor of a correlation matrix, which nuts samples well where groups are small.
func (d *design) effects(n *Node, g term, factors []levelled, labels []string,
	columns []covariate, intercept bool) {
	var names, dims, at []string
	for i, f := range factors {
		names = append(names, plain(g[i].node.Text))
		dims = append(dims, f.dim)
		at = append(at, f.input.name+"[\x05]")
	}
	base, K := strings.Join(names, "_"), len(labels)
	sd, z, r := d.fresh("sd_"+base), d.fresh("z_"+base), d.fresh("r_"+base)
	label := d.formula.Text[n.At.Start:n.At.End]
	about := fmt.Sprintf("The standard deviation over %s of %s. Prior: brms.", strings.Join(names,
		":"), labels[0])
	size, many := "", ""
	if K > 1 {
		about = fmt.Sprintf("The standard deviations over %s, of %s. Prior: brms.",
			strings.Join(names,
				":"), listed(labels))
		size, many = fmt.Sprintf("[%d]", K), fmt.Sprintf(", %d", K)
	}
	d.param(about, fmt.Sprintf("%s%s : positive ~ %s", sd, size, d.studentT(0)))
	d.params = append(d.params, fmt.Sprintf("param %s[%s%s] : real ~ normal(0, 1)", z,
		strings.Join(dims, ", "), many))
	d.shared = append(d.shared, "// The effects in "+label+", a row for each level.")
	if K > 1 && n.Text == "|" {
		l, cor := d.fresh("L_"+base), d.fresh("cor_"+base)
		d.param("The Cholesky factor of their correlations. Prior: brms, uniform over "+
			"correlation matrices.",
			fmt.Sprintf("%s : corr_chol[%d] ~ lkj_corr_cholesky(1)", l, K))
		d.shared = append(d.shared,
			fmt.Sprintf(
				"let %s = %s @ transpose([%s[\x06] * %s[\x06, \x07] for \x06 in %d, \x07 in %d])",
				r, z, sd, l, K, K))
		d.tracks = append(d.tracks, fmt.Sprintf("track %s = %s @ transpose(%s)", cor, l, l))
	} else {
		d.shared = append(d.shared, fmt.Sprintf("let %s = %s * %s", r, z, sd))
	}
	k := 0
	index := func() string {
		k++
		if K == 1 {
			return fmt.Sprintf("%s[%s]", r, strings.Join(at, ", "))
		}
		return fmt.Sprintf("%s[%s, %d]", r, strings.Join(at, ", "), k-1)
	}
	if intercept {
		d.eta = append(d.eta, index())
	}
	for _, c := range columns {
		d.eta = append(d.eta, index()+" * "+d.entry(c))
	}
}

// listed joins labels with their places from 0.
func listed(labels []string) string {
	var out []string
	for i, l := range labels {
		out = append(out, fmt.Sprintf("%s [%d]", l, i))
	}
	return strings.Join(out, ", ")
}
