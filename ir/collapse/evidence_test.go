package collapse

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A pairCase is a file of testdata: an unknown, a distribution that reads it, and the
// arguments of both as the outputs of a function.
type pairCase struct {
	path, prior, child, site string
	archive                  *txtar.Archive
	b                        *ir.Builder
	terms                    *ir.Func
	unknown                  *Unknown
}

func pairCases(t *testing.T) []*pairCase {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) == 0 {
		t.Fatal("no cases")
	}
	var out []*pairCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := &pairCase{path: path, archive: archive, b: ir.NewBuilder()}
		if c.terms, err = ir.Parse(c.b, string(archive.Files[0].Data)); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, c)
	}
	return out
}

func (c *pairCase) output(name string) ir.Output {
	named := func(o ir.Output) bool { return o.Name == name }
	return c.terms.Outputs[slices.IndexFunc(c.terms.Outputs, named)]
}

// evidence integrates the unknown of the case out.
func (c *pairCase) evidence() *ir.Func {
	law := func(site string, words []string, own []*ir.Axis) *Law {
		l := &Law{Name: words[0], Params: words[1:], Own: own}
		for i := range l.Params {
			o := c.output(site + string(rune('0'+i)))
			arg := Arg{V: o.Value}
			for _, a := range o.Axes { // of a vector, its own axis
				if a.Name == "k" {
					arg.Axes = append(arg.Axes, a)
				}
			}
			l.Args = append(l.Args, arg)
		}
		return l
	}
	u := &Unknown{}
	var t Term
	for _, line := range strings.Split(string(c.archive.Comment), "\n") {
		switch words := strings.Fields(line); {
		case len(words) > 0 && words[0] == "unknown":
			for _, v := range c.terms.Values() {
				if v.Op == ir.OpState {
					u.Leaf = v
				}
			}
			for _, a := range u.Leaf.Axes {
				if a.Name == "k" {
					u.Own = append(u.Own, a)
				} else {
					u.Family = append(u.Family, a)
				}
			}
			c.prior, u.Name, u.Prior = words[2], words[1], law("prior", words[2:], u.Own)
		case len(words) > 0 && words[0] == "child":
			c.child, c.site = words[2], words[1]
			x := c.output(c.site)
			t = Term{V: x.Value, Over: x.Axes, Site: c.site, Reads: []*Unknown{u}}
			t.Law, t.X = law(c.site, words[2:], nil), x.Value
		}
	}
	c.unknown = u
	x := Context{B: c.b, Pad: func(v *ir.Value, _ float64, _ []*ir.Axis) *ir.Value { return v },
		Reads: func(v *ir.Value) bool { return slices.ContainsFunc(ir.Reach(v), u.Is) }}
	each, more := Children(x, u, []Term{t}).Evidence()
	return &ir.Func{ID: fn.ID{Kind: "evidence"}, Outputs: []ir.Output{
		{Name: "each", Value: each, Axes: u.Family}, {Name: "more", Value: more, Axes: nil}}}
}

// TestEvidence: testdata/NAME.txtar has a pair, and the logarithm of its marginal
// likelihood, for every member of the unknown's family and what is not by member.
func TestEvidence(t *testing.T) {
	for _, c := range pairCases(t) {
		f := c.evidence()
		if err := ir.Verify(f); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		if *update {
			c.archive.Files = []txtar.File{c.archive.Files[0],
				{Name: "evidence", Data: []byte(f.String())}}
			if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if len(c.archive.Files) < 2 || f.String() != string(c.archive.Files[1].Data) {
			t.Errorf("%s: got\n%s", c.path, f)
		}
	}
}

// TestNoClosedForm: what is of no pair, or reads the unknown by another function than
// its pair has it, is refused with the reason.
func TestNoClosedForm(t *testing.T) {
	for _, c := range pairCases(t) {
		var old, new, want string
		switch filepath.Base(c.path) {
		case "normal_normal.txtar":
			old, new = "child x normal mean deviation", "child x poisson rate"
			want = "poisson is not conjugate to the normal prior"
		case "gamma_poisson.txtar":
			old, new, want = "%6 = mul %4 %5 [n.1]", "%6 = add %4 %5 [n.1]",
				"must be a multiple of it"
		case "gamma_exponential.txtar":
			old, new, want = "%6 = mul %4 %5 [n.1]", "%6 = mul %5 %5 []",
				"must be linear in one entry"
		default:
			continue
		}
		c.archive.Comment = []byte(strings.Replace(string(c.archive.Comment), old, new, 1))
		text := strings.Replace(string(c.archive.Files[0].Data), old, new, 1)
		if c.b = ir.NewBuilder(); strings.Contains(new, "[]") {
			text = strings.ReplaceAll(text, "t0 %6 [n.1]", "t0 %6 []")
		}
		var err error
		if c.terms, err = ir.Parse(c.b, text); err != nil {
			t.Fatal(err)
		}
		if e := limits.Try(func() { c.evidence() }); e == nil ||
			!strings.Contains(e.Message, want) {
			t.Errorf("%s: %v, want an error that says %q", c.path, e, want)
		}
	}
}

// A support takes a number of (0, 1) to a value of an unknown; slope is the derivative.
type support func(t float64) (u []float64, slope float64)

// supports are those of the priors.
var supports = map[string]support{
	"gamma": func(t float64) ([]float64, float64) {
		return []float64{t / (1 - t)}, 1 / ((1 - t) * (1 - t))
	},
	"beta": func(t float64) ([]float64, float64) { return []float64{t}, 1 },
	"normal": func(t float64) ([]float64, float64) {
		return []float64{math.Log(t / (1 - t))}, 1 / (t * (1 - t))
	},
	"dirichlet": func(t float64) ([]float64, float64) { return []float64{t, 1 - t}, 1 },
}

// logLaw is the log density of a distribution by an independent library.
func logLaw(law string, x []float64, args func(i int) []float64) float64 {
	a := func(i int) float64 { return args(i)[0] }
	switch law {
	case "gamma":
		return distuv.Gamma{Alpha: a(0), Beta: a(1)}.LogProb(x[0])
	case "beta":
		return distuv.Beta{Alpha: a(0), Beta: a(1)}.LogProb(x[0])
	case "normal":
		return distuv.Normal{Mu: a(0), Sigma: a(1)}.LogProb(x[0])
	case "dirichlet":
		return distuv.Beta{Alpha: args(0)[0], Beta: args(0)[1]}.LogProb(x[0])
	case "poisson":
		return distuv.Poisson{Lambda: a(0)}.LogProb(x[0])
	case "exponential":
		return distuv.Exponential{Rate: a(0)}.LogProb(x[0])
	case "binomial":
		return distuv.Binomial{N: a(0), P: a(1)}.LogProb(x[0])
	case "categorical":
		return math.Log(args(0)[int(x[0])])
	}
	panic(law)
}

// TestEvidenceIsTheIntegral: the marginal likelihood is the integral of the prior
// times the likelihood over the unknown, each computed by an independent library.
func TestEvidenceIsTheIntegral(t *testing.T) {
	const rows = 4
	env := &ir.Env{Sizes: map[string]int{"N": rows}, Data: map[string][]float64{
		"y": {3, 0, 1, 2}, "t": {0.3, 1.2, 0.7, 2}, "x": {-0.4, 1.3, 0.2, 2.1}, "z": {0, 1, 1, 1},
		"e": {0.5, 1, 2, 1.5}, "trials": {4, 2, 1, 5}, "group": {0, 1, 1, 0}, "alpha": {2.6, 1.7}}}
	for _, c := range pairCases(t) {
		f := c.evidence()
		got := 0.0
		for _, o := range ir.Eval(f, env) {
			for _, x := range o.Data {
				got += x
			}
		}
		// joint is the prior times the likelihood at values of the unknown.
		joint := func(u []float64) float64 {
			env.State = map[string][]float64{"u": u}
			out := ir.Eval(c.terms, env)
			args := func(site string, n, vector int) func(i int) []float64 {
				return func(i int) []float64 {
					x := out[site+string(rune('0'+i))].Data
					if len(x) == rows && vector == 1 {
						return x[n : n+1]
					}
					return x
				}
			}
			vector := max(1, len(c.unknown.Own)*2)
			sum := 0.0
			for i := 0; i < len(u); i += vector {
				sum += logLaw(c.prior, u[i:], args("prior", 0, vector))
			}
			for n, x := range out[c.site].Data {
				sum += logLaw(c.child, []float64{x}, args(c.site, n, vector))
			}
			return math.Exp(sum)
		}
		// those of testdata have at most one axis, of two members
		members := 1 + len(c.unknown.Family)
		var integral func(u []float64, left int) float64
		integral = func(u []float64, left int) float64 {
			if left == 0 {
				return joint(u)
			}
			return quad.Fixed(func(s float64) float64 {
				v, slope := supports[c.prior](s)
				return slope * integral(append(slices.Clone(u), v...), left-1)
			}, 0, 1, 200, nil, 0)
		}
		if want := math.Log(integral(nil, members)); !(math.Abs(got-want) <=
			1e-7*(1+math.Abs(want))) {
			t.Errorf("%s: the evidence is %.9g, and the integral %.9g", c.path, got, want)
		}
	}
}
