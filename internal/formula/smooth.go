package formula

import (
	"fmt"
	"math"
	"strings"
)

// integrated is the covariance of the integrated Wiener process, which makes the posterior
// mean of a smooth the natural cubic spline that penalises the square of the second
// derivative: Wahba (1978), J. R. Stat. Soc. B 40.
const integrated = `/// The covariance of an integrated Wiener process: the prior of a cubic smoothing spline.
fn spline_cov(s : real, t : real) -> real { min(s, t)^2 * (3 * max(s, t) - min(s, t)) / 6 }
`

// smooth writes s(x, k = 10): a line, and k - 2 values of an integrated Wiener process at
// knots, the quantiles of x. The line and the constant are taken out of the basis, which is
// rotated until its columns are orthogonal: the prior does not change, and nuts needs no
// correlations. Its mean square over the rows is 1, so that the standard deviation of the
// smooth is on the scale of the predictor.
func (d *design) smooth(n *Node) error {
	if len(n.Args) != 1 {
		return d.fail(n, fmt.Sprintf("expected s(x) of one column, found %d arguments",
			len(n.Args)),
			"write s(x1) + s(x2); smooths of several columns are not covered")
	}
	if d.family.classes == "categorical" {
		return d.fail(n, "expected columns and interactions in family categorical, found s()",
			"write powers: x + I(x^2)")
	}
	k := 10
	for name, v := range n.Named {
		switch {
		case name != "k":
			return d.fail(v, fmt.Sprintf("expected k = number in s(), found %s", name),
				"other options of s() are not covered; for a curve in each group, edit the model")
		case v.Kind != '0' || v.Value < 4 || v.Value > 100 || !whole([]float64{v.Value}):
			return d.fail(v, "expected a whole number from 4 to 100 as k, found something else",
				"s(x, k = 10)")
		}
		k = int(v.Value)
	}
	v, err := d.eval(n.Args[0])
	if err != nil {
		return err
	}
	different := levels(v.rows)
	if len(different) < k {
		return d.bad(n, fmt.Sprintf("expected at least k = %d different values in s(), found %d", k,
			len(different)), fmt.Sprintf("lower k to %d, or write the column as a line or a factor",
			max(4,
				len(different))))
	}
	d.spline(n, v, different, k-2)
	return nil
}

// spline writes the lets and params of a smooth with so many knots.
func (d *design) spline(n *Node, v value, different []float64, knots int) {
	base := plain(d.formula.Text[n.Args[0].At.Start:n.Args[0].At.End])
	low, high := different[0], different[len(different)-1]
	at := knotsOf(unit(different, low, high), knots)
	knots = len(at)
	label := d.formula.Text[n.At.Start:n.At.End]
	u, kn, l, w, m, c, b := d.fresh("u_"+base), d.fresh("knots_"+base), d.fresh("chol_"+base),
		d.fresh("w_"+base), d.fresh("mean_"+base), d.fresh("free_"+base), d.fresh("basis_"+base)
	v0, sl, g := d.fresh("c_"+u), d.fresh("line_"+base), d.fresh("gram_"+base)
	N, K := d.dimN, fmt.Sprint(knots)
	if d.covariance == "" {
		d.covariance = d.fresh("spline_cov")
	}
	cov := d.covariance
	d.lets = append(d.lets,
		fmt.Sprintf("// %s: the column from 0 to 1, the knots, and a basis of %d columns.",
			label, knots),
		fmt.Sprintf("let %s = (%s - %s) / %s", u, v.at(2), paren(low), number(high-low)),
		fmt.Sprintf("let %s = [%s]", kn, strings.Join(at, ", ")),
		fmt.Sprintf("let %s = cholesky([%s(%s[\x06], %s[\x07]) for \x06 in %s, \x07 in %s])",
			l, cov,
			kn, kn, K, K),
		fmt.Sprintf("let %s = [triangular_solve(%s, [%s(%s[\x06], max(0, %s[\x05])) for \x06 in "+
			"%s]) for \x05 in %s]", w, l, cov, kn, u, K, N),
		fmt.Sprintf("let %s = [mean(%s[\x05, \x06] for \x05 in %s) for \x06 in %s]", m, w, N, K),
		fmt.Sprintf("let %s = %s - mean(%s)", v0, u, u),
		fmt.Sprintf("let %s = [sum(%s[\x05] * %s[\x05, \x06] for \x05 in %s) / sum(%s^2) for "+
			"\x06 in %s]", sl, v0, w, N, v0, K),
		fmt.Sprintf("let %s = [%s[\x05] - %s - %s * %s[\x05] for \x05 in %s]", c, w, m, sl, v0, N),
		fmt.Sprintf("let %s = transpose(%s) @ %s / %s", g, c, c, N),
	)
	r := curvature(v.rows, d.scaled)
	if r == 0 {
		d.lets = append(d.lets,
			fmt.Sprintf("let %s = %s @ eigenvectors_sym(%s) / sqrt(trace(%s))", b,
				c, g, g))
	}
	scaled := unit(v.rows, low, high)
	slope, sds, z := d.fresh("bs_"+base), d.fresh("sds_"+base), d.fresh("zs_"+base)
	d.param(fmt.Sprintf("The rise of the line in %s over its range. Prior: Bambi, 2.5 / sd.",
		label),
		fmt.Sprintf("%s : real ~ %s", slope, d.slopePrior(deviation(scaled))))
	d.param(fmt.Sprintf("The standard deviation of %s about its line. Prior: brms.", label),
		fmt.Sprintf("%s : positive ~ %s", sds, d.studentT(0)))
	d.eta = append(d.eta, fmt.Sprintf("%s * %s[\x05]", slope, v0))
	if r == 0 {
		d.params = append(d.params, fmt.Sprintf("param %s[%s] : real ~ normal(0, 1)", z, K))
		d.eta = append(d.eta, fmt.Sprintf("%s * (%s[\x05] @ %s)", sds, b, z))
		return
	}
	e, vec, share := d.fresh("values_"+base), d.fresh("vectors_"+base), d.fresh("share_"+base)
	d.lets = append(d.lets,
		fmt.Sprintf("let (%s, %s) = eigen_sym(%s)", e, vec, g),
		fmt.Sprintf("let %s = %s @ %s / sqrt(sum(%s))", b, c, vec, e),
		"// How much the data say of each coefficient beside its prior, from 0 to 1, for "+
			"sampling alone.",
		fmt.Sprintf("let %s = %s * %s * %s / (%s * %s * %s + sum(%s))", share, short(r), N, e,
			short(r),
			N, e, e))
	d.params = append(d.params,
		"// The coefficients of the basis are these values times the standard deviation to the power",
		fmt.Sprintf("// of 1 - %s: they have the prior normal(0, %s).", share, sds),
		fmt.Sprintf("param %s[%s] : real ~ normal(0, %s^%s)", z, K, sds, share))
	d.eta = append(d.eta, fmt.Sprintf("%s[\x05] @ (%s * %s^(1 - %s))", b, z, sds, share))
}

// unit maps rows from [low, high] to [0, 1].
func unit(rows []float64, low, high float64) []float64 {
	out := make([]float64, len(rows))
	for i, v := range rows {
		out[i] = (v - low) / (high - low)
	}
	return out
}

// paren is a number, in parentheses where it has a sign.
func paren(v float64) string {
	if v < 0 {
		return "(" + number(v) + ")"
	}
	return number(v)
}

// closest is the least distance of knots: nearer ones make the matrix of their covariances
// singular to rounding, and add nothing to the curve.
const closest = 1e-3

// knotsOf are quantiles of the different values, the last of which is the highest.
func knotsOf(different []float64, knots int) []string {
	var out []string
	last := 0.0
	for i := range knots {
		q := math.Round(1e4*quantile(different, float64(i+1)/float64(knots))) / 1e4
		if q-last >= closest {
			out, last = append(out, number(q)), q
		}
	}
	return out
}
