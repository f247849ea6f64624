package derived

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Sensitivity is that of a posterior to its priors and its likelihood.
type Sensitivity struct {
	Dir     string   // of the run
	Prior   []string // globs of the params whose priors are scaled
	Vars    []string // globs of the numbers that are shown
	Draws   int      // how many are used; 0: all
	Threads int      // 0: as many as there are processors
	JSON    bool     // print one JSON object
}

// Run weighs the draws.
func (c *Sensitivity) Run(e *session.Session) error {
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
