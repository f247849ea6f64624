package latent_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A joint is the joint-distribution test of Geweke (2004), Getting it right:
// joint distribution tests of posterior simulators, Journal of the American
// Statistical Association 99, of a sampler for deepFactors. The marginal-
// conditional simulator draws params and data from the model, each time anew. The
// successive-conditional one draws data given the params as they are, has the
// sampler take some steps given these data, and so on; where a transition of
// the sampler leaves the posterior as it is, so that of the chains of rows theirs
// and the gradient is right, both have one law. Functions of params and data
// have the same means then, within their errors.
type joint struct {
	text       string // of the sampler's model, which is deepFactors where both are to agree
	iterations int    // of the successive-conditional simulator
	step, phi  float64
}

const (
	gewekeRows  = 3
	gewekeSteps = 10 // of the sampler for the same data
	gewekePrior = 600
	gewekeParts = 20 // batches of the means along the chain
)

// config are samplers by block as for large corpora, in small steps.
func (j *joint) config() sampler.Config {
	c := sampler.DefaultConfig()
	c.Sampler, c.Scheme, c.Step, c.Friction, c.Seed = "msgnht", "split", j.step, 1, 41
	phi := c.For("phi")
	phi.Sampler, phi.Step = "sgrld", &j.phi
	c.Batch, c.Chains, c.Warmup, c.Draws = gewekeRows, 1, 0, math.MaxInt32
	c.LocalOptions = target.LocalOptions{BurnIn: 6, Kept: 6}
	return c
}

// gewekeFunctions are functions of params, by name, and of the counts.
func gewekeFunctions(params []driver.Named, counts []float64) (names []string, values []float64) {
	add := func(name string, v float64) { names, values = append(names, name), append(values, v) }
	total, empty, first := 0.0, 0.0, 0.0
	for d := range gewekeRows {
		sum := 0.0
		for _, n := range counts[3*d : 3*d+3] {
			sum += n
		}
		if total += sum; sum == 0 {
			empty++
		}
		first += counts[3*d]
	}
	add("log counts", math.Log1p(total))
	add("empty rows", empty)
	for _, p := range params {
		for i, v := range p.Value.F64 {
			if p.Name == "r" {
				v = math.Log(v)
			}
			add(fmt.Sprintf("%s %d", p.Name, i), v)
			add(fmt.Sprintf("%s %d squared", p.Name, i), v*v)
		}
		switch v := p.Value.F64[0]; p.Name {
		case "phi":
			add("phi and its word", v*first/(1+total))
		case "r", "c1":
			add(p.Name+" and the counts", v*math.Log1p(total))
		}
	}
	return names, values
}

// run makes both simulators and returns how many standard errors their means
// are apart.
func (j *joint) run(t *testing.T) map[string]float64 {
	t.Helper()
	src := source.New("deep.sg", deepFactors)
	sizes := []string{fmt.Sprintf("D=%d", gewekeRows), "V=3"}
	fromPrior, diags, errs, err := driver.NewSimulator(src, driver.SimulateOptions{Sets: sizes})
	if fromPrior == nil {
		t.Fatal(diags, errs, err)
	}
	draw := func(s *driver.Simulator, seed int) *driver.Simulated {
		out, errs, err := s.Draw(uint64(seed))
		if out == nil {
			t.Fatal(errs, err)
		}
		return out
	}
	var names []string
	var prior [][]float64
	for i := range gewekePrior {
		s := draw(fromPrior, 1000+i)
		var f []float64
		names, f = gewekeFunctions(s.Params, s.Bound.Values["x"].Floats())
		prior = append(prior, f)
	}
	// The successive-conditional simulator starts from a draw of the first.
	start := draw(fromPrior, 1)
	given := map[string]*data.Value{}
	for _, p := range start.Params {
		given[p.Name] = p.Value
	}
	fromParams, diags, errs, err := driver.NewSimulator(src,
		driver.SimulateOptions{Sets: sizes, Params: given})
	if fromParams == nil {
		t.Fatal(diags, errs, err)
	}
	c, diags := driver.Compile(source.New("deep.sg", j.text),
		driver.Options{Sampled: true, Charts: map[string]string{"phi": "expanded_mean"}})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	cfg := j.config()
	var chain *sampler.Chain
	var state []byte
	var path [][]float64
	for i := range j.iterations {
		for _, p := range start.Params {
			*given[p.Name] = *p.Value
		}
		x := draw(fromParams, 100000+i).Bound.Values["x"]
		bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{"x": x}, nil,
			data.Options{})
		if errs != nil {
			t.Fatal(errs[0])
		}
		var m *model.Model
		if m, err = c.VM(bound, nil); err != nil {
			t.Fatal(err)
		}
		if chain == nil {
			var flat []float64
			for _, p := range start.Params {
				flat = append(flat, p.Value.F64...)
			}
			at := make([]float64, m.Dim())
			if err := m.Evaluator(1).Unconstrain(flat, at); err != nil {
				t.Fatal(err)
			}
			cfg.Init = [][]float64{at}
			chain, err = sampler.NewChain(m, cfg, 0)
		} else {
			chain, err = sampler.ResumeChain(m, cfg, 0, state)
		}
		if err == nil {
			err = chain.Advance(gewekeSteps)
		}
		if err == nil {
			state, err = chain.MarshalBinary()
		}
		if err != nil {
			t.Fatal(err)
		}
		flat := make([]float64, m.OutputLen())
		chain.Constrain(flat)
		for k := range start.Params {
			p := &start.Params[k]
			n := len(p.Value.F64)
			p.Value = data.Dense(append([]float64{}, flat[:n]...), p.Value.Shape...)
			flat = flat[n:]
		}
		_, f := gewekeFunctions(start.Params, x.Floats())
		path = append(path, f)
	}
	path = path[len(path)/20:]
	out := map[string]float64{}
	for k, name := range names {
		a, va := meanOf(prior, k, len(prior))
		b, vb := meanOf(path, k, gewekeParts)
		out[name] = (b - a) / math.Sqrt(va+vb)
		if testing.Verbose() {
			_, sd := meanOf(prior, k, len(prior))
			sd = math.Sqrt(sd * float64(len(prior)))
			t.Logf("%-20s %8.4f, from data of params %8.4f ± %.4f (%.3f standard deviations), z = %.2f",
				name, a, b, math.Sqrt(vb), math.Sqrt(vb)/sd, out[name])
		}
	}
	return out
}

// meanOf is the mean of a column and the square of its error, by means of parts
// one after another.
func meanOf(rows [][]float64, k, parts int) (mean, variance float64) {
	n := len(rows) / parts
	means := make([]float64, parts)
	for p := range means {
		for _, r := range rows[p*n : (p+1)*n] {
			means[p] += r[k] / float64(n)
		}
		mean += means[p] / float64(parts)
	}
	for _, m := range means {
		variance += (m - mean) * (m - mean) / float64(parts*(parts-1))
	}
	return mean, variance
}

// worst is the function whose means are the furthest apart.
func worst(z map[string]float64) (name string, most float64) {
	for n, v := range z {
		if !(math.Abs(v) <= most) {
			name, most = n, math.Abs(v)
		}
	}
	return name, most
}

func TestGeweke(t *testing.T) {
	j := joint{text: deepFactors, iterations: gewekeIterations, step: gewekeStep, phi: gewekePhi}
	if name, z := worst(j.run(t)); !(z <= 4) {
		t.Errorf("the means of %s are %.1f standard errors apart", name, z)
	}
}

// TestGewekeSees: a sampler whose factors are a third as large as those that the
// data come from is found.
func TestGewekeSees(t *testing.T) {
	wrong := strings.Replace(deepFactors, "gamma(r, 1)", "gamma(r, 3)", 1)
	j := joint{text: wrong, iterations: 160, step: 0.3, phi: 0.08}
	if name, z := worst(j.run(t)); !(z > 5) {
		t.Errorf("factors of a third of the size were not found: %s is %.1f standard errors off", name, z)
	}
}
