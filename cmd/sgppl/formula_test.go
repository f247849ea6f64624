package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestFormulaPage: the model that docs/formula.md shows is what its first command writes, and
// data can be drawn from its priors, as the page says.
func TestFormulaPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "formula.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, f := range fences(string(text)) {
		switch {
		case f.file != "":
			write(t, f.file, f.text)
		case f.kind == "sg":
			written, err := os.ReadFile("m.sg")
			if err != nil {
				t.Fatal(err)
			}
			if string(written) != f.text {
				t.Errorf("docs/formula.md:%d shows another model than the command writes:\n%s",
					f.line, written)
			}
		case strings.Contains(f.text, "sgppl formula"):
			first, _, _ := strings.Cut(f.text, "\n")
			if status, _, stderr := inProcess(t, "", shellWords(first)[1:]...); status != 0 {
				t.Fatal(status, stderr)
			}
		}
	}
	if status, _, stderr := inProcess(t, "", "simulate", "m.sg", "--data", "scores.csv", "--out",
		"prior.json"); status != 0 {
		t.Errorf("simulate: status %d\n%s", status, stderr)
	}
}

// A fitted has the posterior mean and standard deviation of each number.
type fitted map[string]struct{ mean, sd float64 }

// fitFormula makes the model of a formula and samples from its posterior.
func fitFormula(t *testing.T, csv, formula, family string, more ...string) (fitted, string) {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("d.csv"), csv)
	for _, args := range [][]string{
		append([]string{"formula", formula, "--family", family, "--data", at("d.csv"), "--out",
			at("m.sg")}, more...),
		{"sample", at("m.sg"), "--data", at("d.csv"), "--out", at("run"), "--engine", "vm",
			"--sampler", "nuts", "--chains", "2", "--warmup", "300", "--draws", "500", "--seed",
			"11"},
	} {
		if status, _, stderr := inProcess(t, "", args...); status != 0 {
			t.Fatal(status, stderr)
		}
	}
	status, stdout, stderr := inProcess(t, "", "summary", at("run"), "--json")
	if status != 0 {
		t.Fatal(status, stderr)
	}
	var summary struct {
		Vars []struct {
			Name     string
			Mean, SD float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &summary); err != nil {
		t.Fatal(err)
	}
	out := fitted{}
	for _, v := range summary.Vars {
		out[v.Name] = struct{ mean, sd float64 }{v.Mean, v.SD}
	}
	return out, dir
}

// rowsOf makes a table of a response and two columns.
func rowsOf(
	n int, seed uint64, y func(r *rand.Rand, a, b float64) float64,
) (csv string, x *mat.Dense, z []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("y,a,b\n")
	x = mat.NewDense(n, 3, nil)
	for i := range n {
		row := []float64{1, 3 + r.NormFloat64(), 2 * r.Float64()}
		x.SetRow(i, row)
		z = append(z, y(r, row[1], row[2]))
		fmt.Fprintf(&b, "%v,%v,%v\n", z[i], row[1], row[2])
	}
	return b.String(), x, z
}

// TestFormulaIsLeastSquares: the posterior of a line is that of least squares, with its standard
// errors, where the priors are wide compared with the data.
func TestFormulaIsLeastSquares(t *testing.T) {
	const n = 200
	csv, x, y := rowsOf(n, 5, func(r *rand.Rand, a, b float64) float64 {
		return 7 + 2*a - 3*b + 1.5*r.NormFloat64()
	})
	post, _ := fitFormula(t, csv, "y ~ a + b", "gaussian")
	var beta mat.VecDense
	if err := beta.SolveVec(x, mat.NewVecDense(n, y)); err != nil {
		t.Fatal(err)
	}
	var rest mat.VecDense
	rest.MulVec(x, &beta)
	rest.SubVec(mat.NewVecDense(n, y), &rest)
	sigma := math.Sqrt(mat.Dot(&rest, &rest) / (n - 3))
	var gram, inverse mat.Dense
	gram.Mul(x.T(), x)
	if err := inverse.Inverse(&gram); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"b_Intercept", "b_a", "b_b"} {
		se := sigma * math.Sqrt(inverse.At(i, i))
		if math.Abs(post[name].mean-beta.AtVec(i)) > 0.2*se || math.Abs(post[name].sd/se-1) > 0.12 {
			t.Errorf("%s: posterior %.4f ± %.4f, least squares %.4f ± %.4f", name, post[name].mean,
				post[name].sd, beta.AtVec(i), se)
		}
	}
	if math.Abs(post["sigma"].mean/sigma-1) > 0.03 {
		t.Errorf("sigma: posterior %.4f, least squares %.4f", post["sigma"].mean, sigma)
	}
}

// TestFormulaIsMaximumLikelihood: the posterior of a Poisson regression with an offset is
// near the maximum of the likelihood, found by Newton's method, with its standard errors.
func TestFormulaIsMaximumLikelihood(t *testing.T) {
	const n = 400
	csv, x, y := rowsOf(n, 6, func(r *rand.Rand, a, b float64) float64 {
		rate, k, p := math.Exp(0.2+0.3*a-0.5*b+math.Log(1+b)), 0, 1.0
		for p *= r.Float64(); p > math.Exp(-rate); p *= r.Float64() {
			k++
		}
		return float64(k)
	})
	post, _ := fitFormula(t, csv, "y ~ a + b + offset(log1p(b))", "poisson")
	beta := mat.NewVecDense(3, nil)
	var inverse mat.Dense
	for range 30 {
		gradient, fisher := mat.NewVecDense(3, nil), mat.NewDense(3, 3, nil)
		for i := range n {
			row := x.RowView(i)
			mu := math.Exp(mat.Dot(row, beta) + math.Log1p(x.At(i, 2)))
			gradient.AddScaledVec(gradient, y[i]-mu, row)
			var outer mat.Dense
			outer.Outer(mu, row, row)
			fisher.Add(fisher, &outer)
		}
		if err := inverse.Inverse(fisher); err != nil {
			t.Fatal(err)
		}
		var step mat.VecDense
		step.MulVec(&inverse, gradient)
		beta.AddVec(beta, &step)
	}
	for i, name := range []string{"b_Intercept", "b_a", "b_b"} {
		se := math.Sqrt(inverse.At(i, i))
		if math.Abs(post[name].mean-beta.AtVec(i)) > 0.2*se || math.Abs(post[name].sd/se-1) > 0.12 {
			t.Errorf("%s: posterior %.4f ± %.4f, maximum %.4f ± %.4f", name, post[name].mean,
				post[name].sd, beta.AtVec(i), se)
		}
	}
}

// TestFormulaOfGroups: in a balanced design of one way the standard deviations are those of
// the analysis of variance, and nested groups have the same effects as their combinations.
func TestFormulaOfGroups(t *testing.T) {
	const groups, each = 40, 8
	r := rand.New(rand.NewPCG(8, 1))
	var b strings.Builder
	b.WriteString("y,g\n")
	total, within, means := 0.0, 0.0, make([]float64, groups)
	for g := range groups {
		effect, ys := 2*r.NormFloat64(), make([]float64, each)
		for i := range ys {
			ys[i] = 50 + effect + r.NormFloat64()
			means[g] += ys[i] / each
			fmt.Fprintf(&b, "%v,%d\n", ys[i], g+1)
		}
		for _, y := range ys {
			within += (y - means[g]) * (y - means[g]) / (groups * (each - 1))
		}
		total += means[g] / groups
	}
	between := 0.0
	for _, m := range means {
		between += (m - total) * (m - total) / (groups - 1)
	}
	post, _ := fitFormula(t, b.String(), "y ~ 1 + (1 | g)", "gaussian")
	for name, want := range map[string]float64{
		"sigma": math.Sqrt(within), "sd_g": math.Sqrt(between - within/each), "b_Intercept": total,
	} {
		if math.Abs(post[name].mean/want-1) > 0.06 {
			t.Errorf("%s: posterior %.4f, analysis of variance %.4f", name, post[name].mean, want)
		}
	}
}

// TestFormulaStarts: links that need a predictor above 0 have a start, though most counts
// are 0 and slopes are far from (-2, 2).
func TestFormulaStarts(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	var b strings.Builder
	b.WriteString("y,x\n")
	for range 300 {
		x := 1000 * r.Float64()
		fmt.Fprintf(&b, "%v,%v\n", poissonDraw(r, 0.1+x/4000), x)
	}
	post, _ := fitFormula(t, b.String(), "y ~ x", "poisson", "--link", "identity")
	if got := post["b_x"]; math.Abs(got.mean-1.0/4000) > 4*got.sd || got.sd > 1e-3 {
		t.Errorf("slope %v ± %v, the truth is %v", got.mean, got.sd, 1.0/4000)
	}
}

// TestFormulaSmooth: a smooth finds a curve, in rows that were not fitted too, one or many.
func TestFormulaSmooth(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	var b strings.Builder
	b.WriteString("y,x\n")
	curve := func(x float64) float64 { return 20 + 3*math.Sin(x) }
	for range 150 {
		x := 7 * r.Float64()
		fmt.Fprintf(&b, "%v,%v\n", curve(x)+0.3*r.NormFloat64(), x)
	}
	_, dir := fitFormula(t, b.String(), "y ~ s(x)", "gaussian")
	for _, xs := range [][]float64{{1.5, 3, 4.7, 6}, {4.7}} {
		rows := "x\n"
		for _, x := range xs {
			rows += fmt.Sprintln(x)
		}
		file := filepath.Join(dir, "new.csv")
		write(t, file, rows)
		status, stdout, stderr := inProcess(t, "", "predict", filepath.Join(dir, "run"), "--data", file,
			"--out", "-", "--mean")
		if status != 0 {
			t.Fatal(status, stderr)
		}
		var predicted struct{ Y struct{ Mean []float64 } }
		if err := json.Unmarshal([]byte(stdout), &predicted); err != nil {
			t.Fatal(err)
		}
		for i, x := range xs {
			if got := predicted.Y.Mean[i]; math.Abs(got-curve(x)) > 0.3 {
				t.Errorf("at %v of %v: predicted %.3f, the curve is %.3f", x, xs, got, curve(x))
			}
		}
	}
}
