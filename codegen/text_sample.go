package codegen

// sampleText is sample.go of a package.
const sampleText = `
// A Draw is one draw of the posterior.
type Draw struct {
	Chain, Index int
	Params       Params
//[tracks
	Tracked      Tracked
//tracks]
}

func (m *Model) draw(d typed.Draw, err error) (Draw, error) {
	if err != nil {
		return Draw{}, err
	}
	out := Draw{Chain: d.Chain, Index: d.Index}
	fields := out.Params.fields()
//[tracks
	fields = append(fields, out.Tracked.fields()...)
//tracks]
	typed.Unpack(m.bound.Outputs(), d.Values, fields)
	return out, nil
}

// Draws runs the chains in turn, a draw of each at a time, and yields every
// draw as it is made; the last pair has the error, if there is one. Breaking
// off the loop ends the run. A run that finds by itself how it samples makes all draws first.
func (m *Model) Draws(ctx context.Context, options ...Option) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		for d, err := range typed.Each(ctx, m.bound, settings(options)) {
			if !yield(m.draw(d, err)) || err != nil {
				return
			}
		}
	}
}

// Sample runs the chains side by side and returns their draws. They are those
// that Draws yields, whatever the number of processors.
func (m *Model) Sample(ctx context.Context, options ...Option) (*Posterior, error) {
	set, err := typed.Collect(ctx, m.bound, settings(options))
	if err != nil {
		return nil, err
	}
	return &Posterior{m: m, set: set}, nil
}

// LoadRun reads the draws of a run directory that SaveRun or the command sgppl has written for
// the same model and data of the same sizes.
func (m *Model) LoadRun(dir string) (*Posterior, error) {
	set, err := typed.Load(dir, m.bound)
	if err != nil {
		return nil, err
	}
	return &Posterior{m: m, set: set}, nil
}

// A Posterior holds the draws of all chains. It may be used by several goroutines at once.
type Posterior struct {
	m   *Model
	set *typed.Set
}

// Chains is the number of chains.
func (p *Posterior) Chains() int { return p.set.Chains() }

// Len is the number of draws of each chain.
func (p *Posterior) Len() int { return p.set.Len() }

// Draw returns a draw of a chain, both counted from 0. The error is that there is none.
func (p *Posterior) Draw(chain, index int) (Draw, error) { return p.m.draw(p.set.Draw(chain, index)) }

// All yields every draw, chain by chain.
func (p *Posterior) All() iter.Seq[Draw] {
	return func(yield func(Draw) bool) {
		for c := range p.Chains() {
			for i := range p.Len() {
				if d, err := p.Draw(c, i); err != nil || !yield(d) {
					return
				}
			}
		}
	}
}

// SaveRun writes the draws into a new run directory, which the commands of sgppl read:
// summary, report and export, and with data score and predict.
func (p *Posterior) SaveRun(dir string) error { return p.set.Save(dir, p.m.bound) }

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

// Exactness says how near to the posterior draws of Approximate are; nil of draws of Sample.
func (p *Posterior) Exactness() *typed.Exactness { return p.set.Exactness() }

// Approximate draws from a distribution near to the posterior, by Laplace's method, Pathfinder or
// ADVI, and holds the draws against the density: Exactness and the row pareto_k of Health say
// whether they can stand for the posterior. Those that cannot are an error, unless a.Accept is set.
// It gives the draws of sgppl approximate with the same settings. Of the options it reads
// WithChains, WithDraws, WithSeed, WithStart, WithThreads, WithProgress and the rows of a step.
func (m *Model) Approximate(ctx context.Context, a typed.Approximation, options ...Option) (*Posterior, error) {
	set, err := typed.Approximate(ctx, m.bound, a, settings(options))
	if err != nil {
		return nil, err
	}
	return &Posterior{m: m, set: set}, nil
}

// Summarize runs the chains as Sample does and keeps, instead of their draws, means, variances and quantiles of every
// number, and of each chain as many draws as keep.Reservoir says, evenly spread: for models whose draws do not fit in memory.
func (m *Model) Summarize(ctx context.Context, keep typed.Keep, options ...Option) (*Summaries, error) {
	s, err := typed.Summarize(ctx, m.bound, settings(options), keep)
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
// The error is that there is none.
func (s *Summaries) Draw(chain, i int) (Draw, error) { return s.m.draw(s.Summaries.Draw(chain, i)) }

// Mean returns the posterior mean of every parameter, entry by entry.
func (s *Summaries) Mean() Params {
	var mean Params
	typed.Unpack(s.m.bound.Outputs(), s.Summaries.Mean(), mean.fields())
	return mean
}
`
