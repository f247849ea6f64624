package formula

import (
	"fmt"
	"slices"
	"strings"
)

// population writes the intercept and the slopes that all rows share. Columns are centred
// where there is an intercept, which is then the predictor at their means: so its prior is
// about the data's middle, and it is hardly correlated with the slopes.
func (d *design) population(t *terms) error {
	slices.SortStableFunc(t.linear, func(a, b term) int { return len(a) - len(b) })
	var all []covariate
	for _, x := range t.linear {
		list, err := d.covariates(t, x)
		if err != nil {
			return err
		}
		for _, c := range list {
			if constant(c.rows, t.intercept) {
				return d.bad(x[0].node, fmt.Sprintf("expected a column that varies, found that %s "+
					"is the same in all rows", c.label), "leave it out")
			}
		}
		all = append(all, list...)
	}
	classes := d.family.classes
	if !t.intercept && classes != "" {
		return d.fail(d.formula.Terms, fmt.Sprintf("expected an intercept in family %s, found none",
			d.family.name), "leave `0 +` or `- 1` out: the intercepts say how frequent the "+
			"classes are")
	}
	if t.intercept && classes != "ordinal" {
		d.intercept(len(all) > 0)
	}
	for _, c := range all {
		d.slope(c, t.intercept)
	}
	if text := collinear(all, t.intercept); text != "" {
		d.warnings = append(d.warnings, text)
	}
	return nil
}

// constant reports whether a column teaches nothing of its slope.
func constant(x []float64, intercept bool) bool {
	if intercept {
		return len(levels(x)) == 1
	}
	return rootMeanSquare(x) == 0
}

// intercept declares the intercept, with the prior of brms.
func (d *design) intercept(centred bool) {
	name, about := "b_Intercept",
		"The intercept. Prior: brms, from the median and mad of the response."
	if d.scale == 2.5 && d.center == 0 {
		about = "The intercept. Prior: brms."
	}
	if centred {
		name = "alpha"
		about = strings.Replace(about, "The intercept", "The intercept at the means of the columns",
			1)
	}
	name = d.fresh(name)
	d.param(about, fmt.Sprintf("%s%s : real ~ %s%s", name, d.vector(), d.studentT(d.center),
		d.start()))
	d.eta = append(d.eta, name)
	d.alpha = name
}

// slope declares the slope of a column, with the prior of Bambi and rstanarm.
func (d *design) slope(c covariate, intercept bool) {
	name := "b_" + plain(c.name)
	if !d.standardize || c.cell { // else the slope on its own scale has the name
		name = d.fresh(name)
	}
	spread := rootMeanSquare(c.rows)
	if intercept {
		spread = deviation(c.rows)
	}
	own, unit := name, "" // the slope on the column's own scale
	rule := "2.5 / sd"
	if d.spread != 1 {
		rule = "2.5 sd(response) / sd"
	}
	if d.standardize && !c.cell {
		unit = short(spread)
		name = d.fresh("std_" + plain(c.name))
		own = name + " / " + unit
		spread, rule = 1, strings.TrimSuffix(rule, " / sd")
	}
	prior := d.slopePrior(spread)
	about := fmt.Sprintf("The slope of %s. Prior: Bambi, %s.", c.label, rule)
	if c.cell {
		prior, about = d.studentT(d.center)+d.start(),
			fmt.Sprintf("The predictor where %s. Prior: brms, as of an intercept.", c.label)
	}
	if unit != "" {
		about = strings.Replace(about, "The slope of "+c.label,
			fmt.Sprintf("The slope of %s for each standard deviation of %s", c.label, unit), 1)
		d.tracks = append(d.tracks,
			fmt.Sprintf("// The slope of %s on its own scale.\ntrack %s = %s", c.label,
				d.fresh("b_"+plain(c.name)), own))
	}
	d.param(about, fmt.Sprintf("%s%s : real ~ %s", name, d.vector(), prior))
	if !intercept {
		d.eta = append(d.eta, own+" * "+d.entry(c))
		return
	}
	array := c.at(2)
	if c.rank < 6 {
		array = d.named(c)
	}
	centred := d.fresh("c_" + plain(c.name))
	text := fmt.Sprintf("%s - mean(%s)", array, array)
	if unit != "" {
		text = "(" + text + ") / " + unit
	}
	d.lets = append(d.lets, fmt.Sprintf("let %s = %s", centred, text))
	d.eta = append(d.eta, fmt.Sprintf("%s * %s[\x05]", name, centred))
	d.means = append(d.means, fmt.Sprintf("%s * mean(%s)", own, array))
}

// slopePrior is the prior of the slope of a column that varies by spread. Chains start at a
// fifth of it: at random slopes of (-2, 2) a column in the thousands leaves the range of exp.
func (d *design) slopePrior(spread float64) string {
	scale := 2.5 * d.spread / spread
	if d.bounded() {
		return fmt.Sprintf("normal(0, %s) init 0", short(scale))
	}
	return fmt.Sprintf("normal(0, %s) init normal(0, %s)", short(scale), short(scale/5))
}

// bounded reports whether the predictor must be above 0, which nothing but the data ensures.
func (d *design) bounded() bool {
	return d.link == "inverse" || d.link == "sqrt" ||
		d.link == "identity" && d.family.typ != "real" && !d.family.logged
}

// start is the law that chains draw the intercept from, where the response says where it is.
// Means of links that need a positive predictor start at the response's middle.
func (d *design) start() string {
	switch {
	case d.bounded():
		return " init " + short(d.middle)
	case d.center != 0:
		return fmt.Sprintf(" init normal(%s, %s)", tenth(d.center), short(d.scale/5))
	}
	return ""
}

// vector is the size of a coefficient: one number, or one for each class but the reference.
func (d *design) vector() string {
	if d.family.classes == "categorical" {
		return "[" + d.fewer() + "]"
	}
	return ""
}

// fewer is how many classes there are except for one: a number, or by the dim of their levels.
func (d *design) fewer() string {
	if d.classDim != "" {
		return d.classDim + " - 1"
	}
	return fmt.Sprint(d.classes - 1)
}

// param declares a param, with a comment.
func (d *design) param(about, declaration string) {
	d.params = append(d.params, "/// "+about, "param "+declaration)
}

// studentT is the prior of brms of intercepts and, at 0, of standard deviations.
func (d *design) studentT(at float64) string {
	return fmt.Sprintf("student_t(3, %s, %s)", tenth(at), tenth(d.scale))
}

// monotonic writes mo(x): steps between neighbouring levels that all have the sign of the
// slope, as brms does (Bürkner and Charpentier 2020).
func (d *design) monotonic(n *Node) error {
	if len(n.Args) != 1 || n.Args[0].Kind != 'n' || len(n.Named) > 0 {
		return d.fail(n, "expected mo(x) of one column, found something else", "")
	}
	if d.family.classes == "categorical" {
		return d.fail(n, "expected columns and interactions in family categorical, found mo()",
			"write factor(x)")
	}
	x := n.Args[0]
	c, err := d.anyColumn(x)
	if err != nil {
		return err
	}
	all := levels(c.Values)
	if c.Levels != nil {
		if !c.Order {
			return d.unordered(x, "in mo()")
		}
		all = []float64{0, float64(len(c.Levels) - 1)}
	}
	steps := int(all[len(all)-1] - all[0])
	switch {
	case !whole(all):
		return d.bad(x, fmt.Sprintf("expected whole numbers in mo(), found %v", all[0]),
			"number the levels in the table")
	case steps < 1:
		return d.bad(x, "expected two levels or more in mo(), found one", "leave it out")
	case steps > mostLevels:
		return d.bad(x, fmt.Sprintf("expected at most %d steps in mo(), found %d",
			mostLevels, steps),
			"write s("+x.Text+")")
	}
	in, err := d.steps(x, c, steps+1, int(all[0]))
	if err != nil {
		return err
	}
	slope, simplex, mo := d.fresh("bsp_mo_"+plain(x.Text)), d.fresh("simo_"+plain(x.Text)),
		d.fresh("mo_"+plain(x.Text))
	d.param(fmt.Sprintf("The mean step between neighbouring levels of %s. Prior: Bambi's of a slope.",
		x.Text),
		fmt.Sprintf("%s : real ~ %s", slope, d.slopePrior(deviation(c.Values))))
	d.param(fmt.Sprintf("The shares of the steps of %s. Prior: brms.", x.Text),
		fmt.Sprintf("%s : simplex[%d] ~ dirichlet(1)", simplex, steps))
	d.shared = append(d.shared, fmt.Sprintf("let %s = %d * concat([0], cumsum(%s))", mo, steps,
		simplex))
	place := in.name + "[\x05]"
	if c.Levels != nil { // an index of a dim, which the array is not along
		place += " + 0"
	}
	d.eta = append(d.eta, fmt.Sprintf("%s * %s[%s]", slope, mo, place))
	return nil
}

// steps declares the column of mo() as an index.
func (d *design) steps(x *Node, c *Column, count, low int) (*input, error) {
	if c.Levels == nil {
		return d.input(x, "steps", fmt.Sprintf("index[%d]", count), low)
	}
	f, _, err := d.levels(x)
	if err != nil {
		return nil, err
	}
	f.input.levels = c.Levels
	return f.input, nil
}

// unordered refuses words where their order matters and nobody has said it.
func (d *design) unordered(n *Node, where string) error {
	return d.bad(n, fmt.Sprintf("expected the order of the levels of %s %s, found none",
		n.Text, where),
		fmt.Sprintf(
			"give it: --levels %s=low,middle,high with the words of the column, from the lowest",
			n.Text))
}

// offset writes offset(x): a summand without a slope.
func (d *design) offset(n *Node) error {
	if len(n.Args) != 1 || len(n.Named) > 0 {
		return d.fail(n, "expected one argument of offset(), found something else", "")
	}
	if d.family.classes == "categorical" {
		return d.fail(n, "expected columns and interactions in family categorical, found offset()",
			"edit the model")
	}
	v, err := d.eval(n.Args[0])
	if err != nil {
		return err
	}
	d.eta = append(d.eta, d.entry(covariate{name: "offset_" +
		d.formula.Text[n.Args[0].At.Start:n.Args[0].At.End], value: v}))
	return nil
}
