package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/powerscale"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

type sensitivityCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Prior   []string `sep:"none" placeholder:"GLOB" help:"Scale the priors of these params (default: of all params whose priors depend on no other unknown). May be repeated."`
	Vars    []string `sep:"none" placeholder:"GLOB" help:"Only what is called so: w, w[0], sigma*. May be repeated."`
	Draws   int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

func (c *sensitivityCmd) Help() string {
	return `How much a posterior depends on its priors and on its likelihood: each is raised to powers from 0.8 to 1.25, by importance
weights of the draws with Pareto smoothing (Kallioinen et al. 2024). No model is fitted again. A sensitivity is by how much the
distribution of a number moves, as the cumulative Jensen-Shannon distance, for each doubling of the power, near 1. Above 0.05 a number depends on
that part: on both is a conflict between prior and data, on the prior alone says that the likelihood is weak.

The priors that are scaled are those that depend on no other unknown: of a hierarchical model those of the top. The prior of a
factor in units of its scale (z ~ normal(0, 1), with b = mu + tau * z) is better left out: --prior names those to be scaled.

  sgppl sensitivity runs/eight_schools-1 --prior mu --prior tau`
}

// Run weighs the draws.
func (c *sensitivityCmd) Run(e *session.Session) error {
	if c.Draws < 0 {
		return session.Usagef("--draws %d: at least 1", c.Draws)
	}
	s, err := openScaled(e, c.Dir, c.Prior, c.Draws)
	if err != nil {
		return err
	}
	stop, release := e.Stopper()
	defer release()
	s.draws.Stop = stop
	if err := s.compute(c.Threads); err != nil {
		return err
	}
	out, err := s.answer(e, c.Vars)
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(e.Stdout).Encode(out)
	} else {
		err = out.print(e)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// A scaled has the log prior and the log likelihood of every draw of a run.
type scaled struct {
	record *run.Record
	draws  *session.RunDraws
	terms  []*driver.Terms // of each worker
	parts  [2][]int        // the summands of the priors that are scaled, and of the likelihood
	priors []string        // whose they are

	breakdown *driver.Breakdown
	b         *session.Binding
	values    [2][]float64 // of the priors and the likelihood, by draw
	params    []float64    // [draw][entry of what is stored]
}

func openScaled(e *session.Session, dir string, globs []string, limit int) (*scaled, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, session.OwnStatus(err)
	}
	switch {
	case r.Optimize != nil:
		return nil, session.Usagef("%s is a run of optimize: it has a point, and sensitivity is of draws",
			dir)
	case r.Stream:
		return nil, session.Usagef("%s reads its rows from files as they are needed, and "+
			"sensitivity needs them in memory", dir)
	}
	r, b, err := e.Rebind(dir)
	if err != nil {
		return nil, err
	}
	parts, diags, err := driver.Break(b.Compiled.Check)
	e.Diagnose(diags)
	if err != nil {
		return nil, session.Failf(session.ExitModel, "%v", err)
	}
	if parts == nil {
		return nil, &session.ExitError{Code: session.ExitModel}
	}
	if b.Compiled.Spec.Chain != nil {
		return nil, session.Usagef("%s drew latent values of rows by chains, which are not in "+
			"the run: its likelihood is not known at the draws", dir)
	}
	s := &scaled{record: r, breakdown: parts, b: b}
	if err := s.choose(e, globs); err != nil {
		return nil, err
	}
	if s.draws, err = session.OpenDraws(dir, r, b.Target, session.Choice{Limit: limit},
		"sensitivity"); err != nil {
		return nil, err
	}
	s.draws.Note(e, r)
	return s, nil
}

// choose sorts the summands: into priors that are scaled, the likelihood, and what stays.
func (s *scaled) choose(e *session.Session, globs []string) error {
	used := map[string]bool{}
	var stay []string
	for i := range s.breakdown.Parts {
		p := &s.breakdown.Parts[i]
		prior := p.Kind == posterior.PriorPart
		others := slices.ContainsFunc(p.Reads, func(name string) bool { return name != p.Name })
		switch {
		case p.Kind == posterior.JacobianPart:
		case p.Kind == posterior.ObservedPart, p.Kind == posterior.FactorPart && p.Data:
			s.parts[1] = append(s.parts[1], i)
		case prior && len(globs) > 0 && !session.Matches(globs, p.Name), len(globs) == 0 && others,
			!prior && len(globs) > 0:
			stay = append(stay, p.String())
		default:
			s.parts[0], s.priors = append(s.parts[0], i), append(s.priors, p.String())
		}
		for _, g := range globs {
			used[g] = used[g] || prior && run.Match(g, p.Name)
		}
	}
	for _, g := range globs {
		if !used[g] {
			return session.Usagef("--prior %s: no param that is called so has a prior", g)
		}
	}
	switch {
	case len(s.parts[0]) == 0:
		return session.Failf(session.ExitModel,
			"no prior can be scaled: no param has one, or all depend on other unknowns; --prior "+
				"GLOB names those to be scaled")
	case len(s.parts[1]) == 0:
		return session.Failf(session.ExitModel,
			"no statement observes data, so there is no likelihood to be scaled")
	}
	if len(stay) > 0 {
		e.Note("as they are, since they depend on other unknowns or were not named: %s",
			strings.Join(stay, "; "))
	}
	return nil
}

// compute evaluates both parts at every draw.
func (s *scaled) compute(threads int) error {
	m := s.draws.Model
	n := m.OutputLen()
	type worker struct {
		terms *driver.Terms
		eval  interface{ Constrain(x, out []float64) }
	}
	workers := make([]worker, session.ThreadsOf(threads, s.draws.Total()))
	for i := range workers {
		terms, err := s.breakdown.Bind(s.b.Bound)
		if err != nil {
			return session.Failf(session.ExitData, "%v", err)
		}
		workers[i] = worker{terms, m.NewEvaluator(1)}
	}
	return s.draws.ForEach(threads, n+2, func(k int, p session.Drawn, out []float64) error {
		w := &workers[k]
		w.eval.Constrain(p.X, out[:n])
		for j, parts := range s.parts {
			sum := 0.0
			for _, i := range parts {
				sum += w.terms.LogDensity(i, p.X)
			}
			if out[n+j] = sum; sum-sum != 0 {
				return session.Failf(session.ExitRun,
					"the log %s is not finite at draw %d of chain %d",
					[]string{"prior", "likelihood"}[j], p.Draw, p.Chain)
			}
		}
		return nil
	}, func(_ session.Drawn, out []float64) error {
		s.params = append(s.params, out[:n]...)
		s.values[0], s.values[1] = append(s.values[0], out[n]), append(s.values[1], out[n+1])
		return nil
	})
}

// byChain cuts numbers of all draws into chains.
func (s *scaled) byChain(x []float64) [][]float64 {
	var out [][]float64
	for chunk := range slices.Chunk(x, s.draws.Each) {
		out = append(out, chunk)
	}
	return out
}

// answer computes the effects on every number that is asked for.
func (s *scaled) answer(e *session.Session, globs []string) (*sensitivityJSON, error) {
	out := &sensitivityJSON{Model: s.record.Model, Draws: s.draws.Total(), Priors: s.priors,
		Threshold: powerscale.Threshold, Powers: powerscale.Powers}
	prior, like := powerscale.Scale(s.byChain(s.values[0])),
		powerscale.Scale(s.byChain(s.values[1]))
	out.PriorK, out.LikelihoodK = floats(prior.K), floats(like.K)
	width, x := s.draws.Model.OutputLen(), make([]float64, s.draws.Total())
	for _, o := range s.draws.Model.Outputs() {
		for i, name := range (trace.Variable{Name: o.Name, Shape: o.Shape}).Elements() {
			if !session.Matches(globs, o.Name, name) {
				continue
			}
			for k := range x {
				x[k] = s.params[k*width+o.Offset+i]
			}
			p, l := prior.Effect(x), like.Effect(x)
			out.Vars = append(out.Vars,
				sensitivityVar{name, run.Float(p.Sensitivity), run.Float(l.Sensitivity),
					powerscale.Diagnose(p.Sensitivity, l.Sensitivity),
					scaledVar{floats(p.Distance), floats(p.Mean), floats(p.SD)},
					scaledVar{floats(l.Distance), floats(l.Mean), floats(l.SD)}})
		}
	}
	if len(out.Vars) == 0 {
		return nil, session.Usagef("--vars %s: nothing in the run is called so",
			strings.Join(globs, " --vars "))
	}
	for j, k := range [][]float64{prior.K, like.K} {
		if i := slices.IndexFunc(k, func(k float64) bool { return !(k <= 0.7) }); i >= 0 {
			e.Note("the Pareto k of the %s at the power %g is %.2f, above 0.7: what is shown "+
				"there is not to be trusted", []string{"prior", "likelihood"}[j],
				powerscale.Powers[i], k[i])
		}
	}
	return out, nil
}

func floats(x []float64) []run.Float {
	out := make([]run.Float, len(x))
	for i, v := range x {
		out[i] = run.Float(v)
	}
	return out
}

// A sensitivityJSON is the JSON of `sensitivity --json`. Lists are by power.
type sensitivityJSON struct {
	Model       string           `json:"model"`
	Draws       int              `json:"draws"`
	Priors      []string         `json:"priors"` // those that are scaled
	Threshold   float64          `json:"threshold"`
	Powers      []float64        `json:"powers"`
	PriorK      []run.Float      `json:"prior_pareto_k"`
	LikelihoodK []run.Float      `json:"likelihood_pareto_k"`
	Vars        []sensitivityVar `json:"vars"`
}

type sensitivityVar struct {
	Name       string    `json:"name"`
	Prior      run.Float `json:"prior"`
	Likelihood run.Float `json:"likelihood"`
	Diagnosis  string    `json:"diagnosis"`
	ByPrior    scaledVar `json:"by_prior"`
	ByLike     scaledVar `json:"by_likelihood"`
}

type scaledVar struct {
	Distance []run.Float `json:"distance"`
	Mean     []run.Float `json:"mean"`
	SD       []run.Float `json:"sd"`
}

// print writes the tables for people.
func (s *sensitivityJSON) print(e *session.Session) error {
	if err := e.Print("%s: %d draws, priors scaled: %s\n\n", s.Model, s.Draws,
		strings.Join(s.Priors, "; ")); err != nil {
		return err
	}
	last := len(s.Powers) - 1
	head := []string{"", "prior", "likelihood", "diagnosis"}
	for _, part := range []string{"prior", "likelihood"} {
		head = append(head, fmt.Sprintf("mean, %s^%g", part, s.Powers[0]),
			fmt.Sprintf("^%g", s.Powers[last]))
	}
	t := show.Table{Head: head, Left: map[string]bool{"diagnosis": true}}
	conflicts := 0
	for _, v := range s.Vars {
		if v.Diagnosis != "-" {
			conflicts++
		}
		cells := []string{v.Name, show.Format("%.3f", v.Prior), show.Format("%.3f", v.Likelihood),
			v.Diagnosis}
		for _, x := range []scaledVar{v.ByPrior, v.ByLike} {
			cells = append(cells, show.Format("%.4g", x.Mean[0]), show.Format("%.4g", x.Mean[last]))
		}
		t.Add(cells...)
	}
	if err := t.Write(e.Stdout); err != nil {
		return err
	}
	return e.Print("\ndepend on the prior by more than %g: %d of %s\n", s.Threshold, conflicts,
		countOf(len(s.Vars), "number"))
}
