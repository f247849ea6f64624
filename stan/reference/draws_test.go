package reference

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/stan/catalogue"
	"github.com/sgppl/sgppl/stan/syntax"
)

// uniforms are numbers between 0 and 1 that are uniform where f is drawn from a distribution: the
// distribution functions of its projections. For whole numbers half the probability of the number
// itself is taken off, which makes the mean 1/2.
var uniforms = map[string]string{
	"multi_normal":             "normal_cdf(f[2] | d[2], sqrt(S[2, 2]))",
	"multi_normal_cholesky":    "normal_cdf(f[3] | d[3], sqrt(S[3, 3]))",
	"multi_student_t":          "student_t_cdf(f[2] | 3.5, d[2], sqrt(S[2, 2]))",
	"multi_student_t_cholesky": "student_t_cdf(f[3] | 3.5, d[3], sqrt(S[3, 3]))",
	"dirichlet":                "beta_cdf(f[2] | exp(v[2]), exp(v[1]) + exp(v[3]))",
	"multinomial": "binomial_cdf(f[2] | 7, s[2]) - " +
		"0.5 * exp(binomial_lpmf(f[2] | 7, s[2]))",
	"multinomial_logit": "binomial_cdf(f[2] | 7, softmax(v)[2]) - " +
		"0.5 * exp(binomial_lpmf(f[2] | 7, softmax(v)[2]))",
	"dirichlet_multinomial": "beta_binomial_cdf(f[2] | 7, exp(v[2]), exp(v[1]) + exp(v[3])) - " +
		"0.5 * exp(beta_binomial_lpmf(f[2] | 7, exp(v[2]), exp(v[1]) + exp(v[3])))",
	"lkj_corr": "beta_cdf(0.5 + 0.5 * f[2, 3] | 1.5 + p, 1.5 + p)",
	"lkj_corr_cholesky": "beta_cdf(0.5 + 0.5 * multiply_lower_tri_self_transpose(f)[1, 3] | " +
		"1.5 + p, 1.5 + p)",
	"wishart": "chi_square_cdf(f[2, 2] / C[2, 2] | 4 + p)",
	"wishart_cholesky": "chi_square_cdf(multiply_lower_tri_self_transpose(f)[3, 3] / C[3, 3] | " +
		"4 + p)",
	"inv_wishart":          "inv_gamma_cdf(f[2, 2] | 1 + 0.5 * p, 0.5 * C[2, 2])",
	"inv_wishart_cholesky": "inv_gamma_cdf(f[1, 1] ^ 2 | 1 + 0.5 * p, 0.5 * C[1, 1])",
	"bernoulli_logit_glm": "f[1] == 1 ? 1 - 0.5 * inv_logit(dot_product(Z[1], v) + x) : 0.5 - 0.5 * " +
		"inv_logit(dot_product(Z[1], v) + x)",
}

// drawArgs are arguments of draws that are not those of the density.
var drawArgs = map[string]string{"multinomial": "s, 7", "multinomial_logit": "v, 7",
	"dirichlet_multinomial": "exp(v), 7", "lkj_corr": "3, 1 + p", "lkj_corr_cholesky": "3, 1 + p"}

// drawTypes are the types of draws that are not numbers.
var drawTypes = map[string]string{"multinomial": "array[3] int",
	"multinomial_logit":     "array[3] int",
	"dirichlet_multinomial": "array[3] int", "dirichlet": "vector[3]", "multi_normal": "vector[3]",
	"multi_normal_cholesky": "vector[3]", "multi_student_t": "vector[3]",
	"multi_student_t_cholesky": "vector[3]", "bernoulli_logit_glm": "array[2] int"}

// hmm are the arguments of the examples of hidden Markov models.
const hmm = "[[x, q, 1], [0, x, q]], [[p, 1 - p], [0.3, 0.7]], [0.4, 0.6]'"

// TestDrawTable: draws of every distribution of the table have its distribution function.
func TestDrawTable(t *testing.T) {
	for _, c := range catalogue.Distributions() {
		for _, d := range c.Distributions {
			if !d.RNG {
				continue
			}
			t.Run(d.Name, func(t *testing.T) { drawnRow(t, d) })
		}
	}
	t.Run("hmm_latent", func(t *testing.T) {
		f, _ := catalogue.Find("hmm_latent_rng")
		uniformDraws(t, f.Type, f.Example, "f[2] == 1 ? 0.5 * hmm_hidden_state_prob("+hmm+")[1, 2] : "+
			"0.5 + 0.5 * hmm_hidden_state_prob("+hmm+")[1, 2]")
	})
}

func drawnRow(t *testing.T, d catalogue.Distribution) {
	args, typ := d.Args, "real"
	if a := drawArgs[d.Name]; a != "" {
		args = a
	}
	switch {
	case drawTypes[d.Name] != "":
		typ = drawTypes[d.Name]
	case strings.Contains(d.Value, "cholesky_factor") || strings.Contains(d.Value, "matrix"):
		typ = "matrix[3, 3]"
	case d.Discrete:
		typ = "int"
	}
	uniform := uniforms[d.Name]
	bar := strings.TrimSuffix("f | "+d.Args, " | ")
	switch {
	case uniform != "":
	case d.Discrete:
		uniform = fmt.Sprintf("exp(%s_lpmf(%s))", d.Name, bar)
	default:
		uniform = fmt.Sprintf("%s_cdf(%s)", d.Name, bar)
	}
	uniformDraws(t, typ, d.Name+"_rng("+args+")", uniform)
}

// uniformDraws draws a value of a type at one state, and holds the mean of the number that it is
// made to against 1/2. For a whole number uniform is its probability.
func uniformDraws(t *testing.T, typ, draw, uniform string) {
	drawsOf(t, catalogue.Program("model { /* "+uniform+" */ }\ngenerated quantities {\n  "+typ+" f = "+
		draw+";\n}\n"), typ, draw, uniform)
}

// TestDrawsUntil: loops of generated quantities that draw until a number is accepted have the law
// of the accepted numbers; where none is accepted they have no number.
func TestDrawsUntil(t *testing.T) {
	const head = "functions {\n  real above_rng(real mu, real s) {\n    real y = -1;\n    while (y " +
		"< 0) y = normal_rng(mu, s);\n    return y;\n  }\n}\n"
	const uniform = "(normal_cdf(f | x, q) - normal_cdf(0 | x, q)) / (1 - normal_cdf(0 | x, q))"
	program := func(draw string) string {
		return head + catalogue.Program("model { /* "+uniform+" */ }\ngenerated quantities {\n  "+
			draw+"\n}\n")
	}
	drawsOf(t, program("real f = above_rng(x, q);"), "real", "", uniform)
	drawsOf(t, program("real f = -1;\n  while (f < 0) { f = normal_rng(x, q); }"), "real", "", uniform)
	_, _, out := modelOf(t, source.New("f.stan", program("real f = above_rng(-50 - q, 1);")),
		dataFile(t, catalogue.Data))
	p, _ := driver.Generate(out, driver.Options{})
	m, err := p.VM(&data.Bound{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := p.Generator(m)
	f := []float64{0}
	if g.Draw(make([]float64, m.Dim()), rng.New(7, 0, rng.Generate), 1, f); !math.IsNaN(f[0]) {
		t.Errorf("%v where no number is accepted", f[0])
	}
}

// drawsOf does so for the value f of a program; read has names that uniform does not.
func drawsOf(t *testing.T, text, typ, read, uniform string) {
	defer func() {
		if f, ok := recover().(fault); ok {
			t.Fatal("the interpreter: " + f.text)
		}
	}()
	src := source.New("f.stan", text)
	path := dataFile(t, catalogue.Data)
	m, e, out := modelOf(t, src, path)
	p, list := driver.Generate(out, driver.Options{})
	if p == nil {
		t.Fatalf("no draws:\n%s\n%s", shown(list), out.Text)
	}
	bound, _, errs := data.Bind(&p.Spec.Schema, []string{path}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	after, err := p.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := p.Generator(after)
	if len(g.Sites) != 1 {
		t.Fatalf("%d values are drawn\n%s\n%s", len(g.Sites), text, out.Text)
	}
	x := make([]float64, m.Dim())
	for k := range x {
		x[k] = 0.3 * math.Sin(float64(5*k+3))
	}
	at := func(model string) func(f any) float64 {
		prog, diags := syntax.Parse(source.New("u.stan", catalogue.Program("model { "+model+" /* "+read+
			uniform+" */ }\n")))
		if diags.Errors() {
			t.Fatal(shown(diags))
		}
		values := fileData(t, prog, path)
		return func(f any) float64 {
			values["f"] = f
			return densityAt(prog, values, m, e, x)
		}
	}
	base, whole := at("")(nil), strings.HasPrefix(typ, "int")
	u := at("target += " + uniform + ";")
	cumulated := map[int]float64{}
	share := func(f []float64) float64 {
		if !whole {
			return u(valueOf(typ, f)) - base
		}
		y := int(f[0])
		if _, ok := cumulated[y]; !ok {
			low := 0
			if strings.Contains(read, "categorical") || strings.Contains(read, "ordered") ||
				strings.Contains(read, "range") {
				low = 1
			}
			for k := low; k <= y; k++ {
				cumulated[y] += u(k) - base
			}
			cumulated[y] -= 0.5 * (u(y) - base)
		}
		return cumulated[y]
	}
	const draws = 1500
	sum, squares := 0.0, 0.0
	f := make([]float64, g.Len())
	for k := range draws {
		g.Draw(x, rng.New(7, 0, rng.Generate), uint64(k), f)
		u := share(f) - 0.5
		sum, squares = sum+u, squares+u*u
	}
	if mean := sum / draws; !(math.Abs(mean) < 5*math.Sqrt(1.0/12/draws)) {
		t.Errorf("the mean is %v above 1/2\n%s", mean, out.Text)
	}
	if v := squares/draws - 1.0/12; !strings.Contains(typ, "int") &&
		!(math.Abs(v) < 5*math.Sqrt(1.0/180/draws)) {
		t.Errorf("the variance is %v above 1/12\n%s", v, out.Text)
	}
}

// valueOf is a value of a type by its entries.
func valueOf(typ string, f []float64) any {
	switch {
	case typ == "real":
		return f[0]
	case strings.HasPrefix(typ, "vector"):
		return vec('v', f)
	case strings.HasPrefix(typ, "matrix"):
		n := int(math.Sqrt(float64(len(f))))
		var out [][]float64
		for i := range n {
			out = append(out, f[i*n:(i+1)*n])
		}
		return mat(out)
	}
	out := &list{kind: 'a'}
	for _, x := range f {
		out.elems = append(out.elems, int(x))
	}
	return out
}
