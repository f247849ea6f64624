package codegen

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// modelFile prints the package doc and what users call.
func (g *generator) modelFile() (string, error) {
	var b strings.Builder
	b.WriteString(g.packageDoc())
	b.WriteString(packageMark)
	fmt.Fprintf(&b, "// Data is what the model is conditioned on. New keeps the arrays and changes none.\ntype Data %s\n\n", structOf(append(append([]field{}, g.inputs...), g.sizes...)))
	b.WriteString("func (d *Data) inputs() *typed.Inputs {\nin := typed.NewInputs()\n")
	for _, f := range g.inputs {
		fmt.Fprintf(&b, "in.Put(%s, d.%s)\n", quoted(f.name), f.ident)
	}
	for _, f := range g.sizes {
		put := "Size"
		if d := g.Spec.Schema.Dim(f.name); d != nil && d.Default != nil {
			put = "SizeOr"
			fmt.Fprintf(&b, "in.%s(%s, d.%s, %d)\n", put, quoted(f.name), f.ident, *d.Default)
			continue
		}
		fmt.Fprintf(&b, "in.%s(%s, d.%s)\n", put, quoted(f.name), f.ident)
	}
	b.WriteString("return in\n}\n\n")
	fmt.Fprintf(&b, "// Params are values of the unknowns, on the model's own scale.\ntype Params %s\n\n", structOf(g.params))
	fmt.Fprintf(&b, "func (p *Params) fields() []any { return %s }\n\n", pointers("p", g.params))
	if len(g.tracks) > 0 {
		fmt.Fprintf(&b, "// Tracked holds the values that the model stores with every draw.\ntype Tracked %s\n\n", structOf(g.tracks))
		fmt.Fprintf(&b, "func (t *Tracked) fields() []any { return %s }\n\n", pointers("t", g.tracks))
	}
	text := apiText
	if g.Spec.RowDim == "" || g.Spec.Chain != nil {
		text = cut(text, "rows")
	}
	if !g.has(fn.Loglik) {
		text = cut(text, "loglik")
	}
	if g.Spec.Chain != nil { // only means over draws of the locals are known
		text = cut(text, "density")
	}
	text = strings.NewReplacer("{{row}}", clean(g.Spec.RowDim)).Replace(uncut(text))
	b.WriteString(text)
	return b.String(), nil
}

func (g *generator) has(kind fn.Kind) bool {
	for _, p := range g.Programs {
		if p.ID.Kind == kind {
			return true
		}
	}
	return false
}

// packageDoc is the model's doc and text.
func (g *generator) packageDoc() string {
	var b strings.Builder
	title := "Package " + g.Package + " is a compiled model."
	b.WriteString(wrapped(title))
	if g.Spec.Doc != "" {
		b.WriteString("//\n" + comment(" ", g.Spec.Doc))
	}
	if g.Spec.Single {
		b.WriteString("//\n" + wrapped("Densities, gradients and likelihoods are computed in single precision: arrays are, "+
			"single numbers and sums over rows to one number are double. States and draws are double."))
	}
	if g.Spec.Chain != nil {
		b.WriteString("//\n" + wrapped("Latent values of rows are drawn by chains, so there is no density of the parameters in closed form: "+
			"samplers on stochastic gradients take the mean over these draws."))
	}
	if g.Spec.Text != "" {
		b.WriteString("//\n// The model is\n//\n" + comment("\t", g.Spec.Text))
	}
	b.WriteString(g.usage())
	return b.String()
}

// usage is the example in the package doc.
func (g *generator) usage() string {
	if len(g.params) == 0 {
		return ""
	}
	options := "" // nuts finds its own
	if g.Spec.RowDim != "" {
		options = fmt.Sprintf(", %[1]s.Step(0.001), %[1]s.Batch(10)", g.Package)
	}
	text := fmt.Sprintf(`m, err := %[1]s.New(data)
if err != nil {
	return err
}
posterior, err := m.Sample(ctx%[2]s)
if err != nil {
	return err
}
fmt.Println(posterior.Mean().%[3]s)`, g.Package, options, g.params[0].ident)
	return "//\n// Draws of its posterior, given data of type Data:\n//\n//\t" + strings.ReplaceAll(text, "\n", "\n//\t") + "\n"
}

// cut takes the parts between //[name and //name] out of a text; uncut takes
// away the marks of those that stay.
func cut(text, name string) string {
	for {
		before, rest, ok := strings.Cut(text, "//["+name+"\n")
		if !ok {
			return text
		}
		_, after, _ := strings.Cut(rest, "//"+name+"]\n")
		text = before + after
	}
}

func uncut(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "//[") || strings.HasPrefix(line, "//") && strings.HasSuffix(line, "]") && !strings.Contains(line, " ") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// sampleFile prints what runs chains and gives typed draws.
func (g *generator) sampleFile() (string, error) {
	text := sampleText
	if len(g.tracks) == 0 {
		text = cut(text, "tracks")
	}
	if g.Spec.RowDim == "" {
		text = cut(text, "rows")
	}
	if g.Spec.RowDim == "" || g.Spec.Chain != nil {
		text = cut(text, "plan")
	}
	if g.Spec.Chain == nil {
		text = cut(text, "locals")
	}
	text = strings.NewReplacer("{{row}}", clean(g.Spec.RowDim)).Replace(uncut(text))
	return packageMark + text, nil
}

const apiText = `
// A Model is the model bound to data. It is immutable, and may be used by
// several goroutines at once.
type Model struct {
	bound *model.Model
	eval  typed.Evaluators
}

// New checks the data against the declarations of the model and binds them.
func New(d Data) (*Model, error) {
	s := spec()
	inputs, err := d.inputs().Bind(&s.Schema)
	if err != nil {
		return nil, err
	}
	bound, err := model.New(s, code{}, inputs, nil)
	if err != nil {
		return nil, err
	}
	return &Model{bound: bound, eval: typed.NewEvaluators(bound)}, nil
}

// Dim is the length of the state: the unknowns in the coordinates that
// samplers move in, without constraints.
func (m *Model) Dim() int { return m.bound.Dim() }

// Target is the model as the samplers of the runtime see it.
func (m *Model) Target() target.Target { return m.bound }

// Pack maps parameters to a state. It fails where one has another shape than
// the model's or lies outside its support.
func (m *Model) Pack(p Params) ([]float64, error) { return typed.Pack(m.bound, p.fields()) }

// Unpack maps a state to parameters.
func (m *Model) Unpack(x []float64) Params {
	var p Params
	out := make([]float64, m.bound.OutputLen())
	m.eval.Do(func(e target.Evaluator) { e.Constrain(x, out) })
	typed.Unpack(m.bound.Outputs(), out, p.fields())
	return p
}

//[density
// LogDensity returns the log of the joint density of data and parameters, on
// the model's own scale.
func (m *Model) LogDensity(p Params) (float64, error) {
	x, err := m.Pack(p)
	if err != nil {
		return 0, err
	}
	var f float64
	m.eval.Do(func(e target.Evaluator) { f = e.LogDensity(x, nil, 1, 0) })
	return f, nil
}

//density]
//[rows
// LogPrior is LogDensity without the rows of {{row}}: the prior, and the terms of
// the likelihood that belong to no row.
func (m *Model) LogPrior(p Params) (float64, error) {
	x, err := m.Pack(p)
	if err != nil {
		return 0, err
	}
	var f float64
	m.eval.Do(func(e target.Evaluator) { f = e.LogDensity(x, []int{}, 1, 0) })
	return f, nil
}

//rows]
//[loglik
// LogLik returns the log likelihood of each row.
func (m *Model) LogLik(p Params) ([]float64, error) {
	x, err := m.Pack(p)
	if err != nil {
		return nil, err
	}
	out := make([]float64, m.bound.Rows())
	m.eval.Do(func(e target.Evaluator) { e.LogLik(x, nil, out) })
	return out, nil
}

//loglik]
//[density
// Grad returns, at a state, the log density that samplers see (that of the
// state: with the log-Jacobian of the map to the model's own scale), and writes
// its gradient into grad, which has the state's length. To take a gradient
// over a minibatch, or many without allocation, use an evaluator of Target.
func (m *Model) Grad(x, grad []float64) float64 {
	var f float64
	m.eval.Do(func(e target.Evaluator) { f = e.LogDensityGradient(x, nil, 1, 1, grad) })
	return f
}

//density]
`

const sampleText = `
// A Draw is one draw of the posterior.
type Draw struct {
	Chain, Index int
	Params       Params
//[tracks
	Tracked      Tracked
//tracks]
}

func (m *Model) draw(d typed.Draw) Draw {
	out := Draw{Chain: d.Chain, Index: d.Index}
	fields := out.Params.fields()
//[tracks
	fields = append(fields, out.Tracked.fields()...)
//tracks]
	typed.Unpack(m.bound.Outputs(), d.Values, fields)
	return out
}

// An Option changes a setting of a run.
type Option func(*sampler.Config)

// Sampler chooses a row of the table of samplers, such as "sgld", "sghmc",
// "sgnht" or "msgnht".
func Sampler(name string) Option { return func(c *sampler.Config) { c.Sampler = name } }

// Scheme chooses the integrator, "split" or "euler".
func Scheme(name string) Option { return func(c *sampler.Config) { c.Scheme = name } }

// Step sets the step size, which depends on the scale of the model. Without one, samplers with a
// Metropolis test find theirs in warm-up; the others need it.
func Step(h float64) Option { return func(c *sampler.Config) { c.Step = h } }

// Friction sets the friction D.
func Friction(d float64) Option { return func(c *sampler.Config) { c.Friction = d } }

// Temperature sets T: the chains' law is the posterior to the power 1/T.
func Temperature(t float64) Option { return func(c *sampler.Config) { c.Temperature = t } }

// Blocks gives params their own settings, beside those of all others. Samplers that take
// stochastic gradients may be mixed; one step moves all blocks, with one gradient. So
//
//	Sampler("msgnht"), Step(1e-4), Blocks(sampler.BlockConfig{Params: []string{"phi"}, Sampler: "sgrld", Step: new(0.01)})
//
// moves phi, a simplex that the model declares by expanded_mean, by sgrld. Params are names, or
// globs with * and ?; of several that fit the last counts, setting by setting.
func Blocks(own ...sampler.BlockConfig) Option {
	return func(c *sampler.Config) { c.Blocks = append(c.Blocks, own...) }
}

//[rows
// Batch sets how many rows of {{row}} a step sees.
func Batch(rows int) Option {
	return func(c *sampler.Config) { c.Batch, c.FullBatch = rows, false }
}

// FullBatch makes every step see every row.
func FullBatch() Option { return func(c *sampler.Config) { c.Batch, c.FullBatch = 0, true } }

//rows]
//[locals
// Locals sets how the latent values of a row are drawn at each visit.
func Locals(o target.LocalOptions) Option {
	return func(c *sampler.Config) { c.LocalOptions = o }
}

//locals]
// Chains sets how many chains run.
func Chains(n int) Option { return func(c *sampler.Config) { c.Chains = n } }

// Warmup sets how many steps are taken before the first draw.
func Warmup(steps int) Option { return func(c *sampler.Config) { c.Warmup = int64(steps) } }

// Draws sets how many draws a chain gives.
func Draws(n int) Option {
	return func(c *sampler.Config) { c.Draws, c.TargetESS = int64(n), 0 }
}

//[plan
// TargetESS sets the least effective sample size of a number, 400 without it, that a run of many
// rows goes on to. With 2000 rows of {{row}} or more, and nothing but TargetESS, MaxBias, Chains, Draws, Seed and Start
// set, a run finds by itself how it samples: by minibatches with a control variate at an anchor,
// or by full passes where these cost less.
func TargetESS(n float64) Option { return func(c *sampler.Config) { c.TargetESS = n } }

// MaxBias sets the bias of a mean that such a run may have, in standard deviations; 0.1 without it.
func MaxBias(sd float64) Option { return func(c *sampler.Config) { c.MaxBias = sd } }

//plan]

// Thin sets how many steps lie between two draws.
func Thin(steps int) Option { return func(c *sampler.Config) { c.Thin = int64(steps) } }

// Seed chooses the random numbers. The same seed gives the same draws.
func Seed(seed uint64) Option { return func(c *sampler.Config) { c.Seed = seed } }

// Start puts every chain at a state, as Pack makes it, instead of a random one.
func Start(x []float64) Option { return func(c *sampler.Config) { c.Init = [][]float64{x} } }

func config(options []Option) sampler.Config {
	c := sampler.DefaultConfig()
//[plan
	c.Anchor, c.TargetESS, c.MaxBias = "auto", 400, 0.1
//plan]
	for _, set := range options {
		set(&c)
	}
	return c
}

// Draws runs the chains in turn, a draw of each at a time, and yields every
// draw as it is made; the last pair has the error, if there is one. Breaking
// off the loop ends the run. A run that finds by itself how it samples makes all draws first.
func (m *Model) Draws(ctx context.Context, options ...Option) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		for d, err := range typed.Each(ctx, m.bound, config(options)) {
			if err != nil {
				yield(Draw{}, err)
				return
			}
			if !yield(m.draw(d), nil) {
				return
			}
		}
	}
}

// Sample runs the chains side by side and returns their draws. They are those
// that Draws yields, whatever the number of processors.
func (m *Model) Sample(ctx context.Context, options ...Option) (*Posterior, error) {
	set, err := typed.Collect(ctx, m.bound, config(options))
	if err != nil {
		return nil, err
	}
	return &Posterior{m: m, set: set}, nil
}

// A Posterior holds the draws of all chains.
type Posterior struct {
	m   *Model
	set *typed.Set
}

// Chains is the number of chains.
func (p *Posterior) Chains() int { return p.set.Chains() }

// Len is the number of draws of each chain.
func (p *Posterior) Len() int { return p.set.Len() }

// Draw returns a draw of a chain.
func (p *Posterior) Draw(chain, index int) Draw { return p.m.draw(p.set.Draw(chain, index)) }

// All yields every draw, chain by chain.
func (p *Posterior) All() iter.Seq[Draw] {
	return func(yield func(Draw) bool) {
		for c := range p.Chains() {
			for i := range p.Len() {
				if !yield(p.Draw(c, i)) {
					return
				}
			}
		}
	}
}

// Mean returns the posterior mean of every parameter, entry by entry.
func (p *Posterior) Mean() Params {
	var mean Params
	typed.Unpack(p.m.bound.Outputs(), p.set.Mean(), mean.fields())
	return mean
}

// Summary describes every number of a draw: mean, standard deviation,
// quantiles, effective sample sizes and R-hat.
func (p *Posterior) Summary() []typed.Row { return p.set.Summary() }

// Health judges the chains: temperatures and frictions as they should be and
// as they were.
func (p *Posterior) Health() []sampler.HealthRow { return p.set.Health() }

// Summarize runs the chains as Sample does and keeps, instead of their draws, means, variances and quantiles of every
// number, and of each chain as many draws as keep.Reservoir says, evenly spread: for models whose draws do not fit in memory.
func (m *Model) Summarize(ctx context.Context, keep typed.Keep, options ...Option) (*Summaries, error) {
	s, err := typed.Summarize(ctx, m.bound, config(options), keep)
	if err != nil {
		return nil, err
	}
	return &Summaries{Summaries: s, m: m}, nil
}

// Summaries are what is known of the draws of all chains.
type Summaries struct {
	*typed.Summaries
	m *Model
}

// Draw returns draw i of those that were kept of a chain; its Index is its number among all.
func (s *Summaries) Draw(chain, i int) Draw { return s.m.draw(s.Summaries.Draw(chain, i)) }

// Mean returns the posterior mean of every parameter, entry by entry.
func (s *Summaries) Mean() Params {
	var mean Params
	typed.Unpack(s.m.bound.Outputs(), s.Summaries.Mean(), mean.fields())
	return mean
}
`
