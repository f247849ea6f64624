package derived

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/powerscale"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

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
		show.Count(len(s.Vars), "number"))
}
