// Package table has the table of samplers. A sampler is a word over flows (packages flow and
// scheme); two samplers differ only in their rows.
package table

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
)

// A Row describes one sampler.
type Row struct {
	Name    string
	Aliases []string
	Doc     string
	// Schemes has the integrators, the default first.
	Schemes []scheme.Scheme
	// Velocity says that the state is (x, v) instead of x alone.
	Velocity bool
	// Grains has the possible thermostats, the default first. On curved blocks a thermostat per
	// coordinate is one per point.
	Grains []flow.Grain
	// Preconditioner says that the position has RMSprop's preconditioner, found in the warm-up.
	Preconditioner bool
	// Curved says that it runs on any product of manifolds instead of on R^n only.
	Curved bool
	// Space, if not empty, is the only kind of block it runs on.
	Space string
	// Metropolis says that a step draws v afresh, runs a trajectory of --leapfrog steps of its scheme
	// on all rows, and applies a Metropolis test.
	Metropolis bool
	// Tree, which implies Metropolis, says that a trajectory doubles until it turns back, and that the
	// draw is one of its points.
	Tree bool
	// Conditionals says that a step draws every unknown from its full conditional, on all rows. The
	// model must be compiled for it.
	Conditionals bool
	// Still says that a step moves nothing, as there is nothing to move: draws differ in what is
	// generated at random for each.
	Still bool
	// Stationary says which law the state has in the limit of small steps, with
	// V the variance of the gradient's noise, and under which condition on it.
	Stationary string
	// Source is the paper and equation.
	Source string
}

// The integrators. Drift and thermostat share a sub-equation, since drift keeps
// v·v: the letter A.
var (
	splitConstant = scheme.Scheme{Name: "split", Word: "A B O B A", Letters: map[string][]flow.Kind{
		"A": {flow.Drift}, "B": {flow.Friction}, "O": {flow.Kick},
	}}
	splitThermostat = scheme.Scheme{Name: "split", Word: "A B O B A",
		Letters: map[string][]flow.Kind{
			"A": {flow.Drift, flow.Thermostat}, "B": {flow.Friction}, "O": {flow.Kick},
		}}
	eulerConstant = scheme.Scheme{Name: "euler", Word: "X V", Letters: map[string][]flow.Kind{
		"X": {flow.Drift}, "V": {flow.DampedKick},
	}}
	eulerThermostat = scheme.Scheme{Name: "euler", Word: "X V T", Letters: map[string][]flow.Kind{
		"X": {flow.Drift}, "V": {flow.DampedKick}, "T": {flow.Thermostat},
	}}
	eulerLangevin = scheme.Scheme{Name: "euler", Word: "L", Letters: map[string][]flow.Kind{
		"L": {flow.Langevin},
	}}
	leapfrog = scheme.Scheme{Name: "leapfrog", Word: "K X K", Carried: true,
		Letters: map[string][]flow.Kind{
			"K": {flow.Impulse}, "X": {flow.Drift},
		}}
	eulerRiemann = scheme.Scheme{Name: "euler", Word: "L", Letters: map[string][]flow.Kind{
		"L": {flow.RiemannLangevin},
	}}
	eulerPreconditioned = scheme.Scheme{Name: "euler", Word: "L", Letters: map[string][]flow.Kind{
		"L": {flow.PreconditionedLangevin},
	}}
)

const (
	heated = "x ~ π^{1/(T + V h/(2D))}, v ~ N(0, (T + V h/(2D)) Λ), where the gradient's noise " +
		"has one variance V in all directions: it heats the draws; " +
		"where V differs by direction each is heated by its own"
	// cleaned is the law under thermostats, completed by what one ξ covers; missed is the condition.
	cleaned = "x ~ π^{1/T}, v ~ N(0, T Λ), ξ ~ N(D + V h/(2T), T/d), where the covariance of the " +
		"gradient's noise is V Λ on what one ξ covers, "
	missed = ": then the thermostat takes the noise up; else only the mean temperature is right, " +
		"directions of much noise are too wide and those of little too narrow, and the health of " +
		"the run looks along them"
)

// Table has every sampler.
var Table = []Row{
	{
		Name: "sgld", Doc: "stochastic-gradient Langevin dynamics",
		Schemes: []scheme.Scheme{eulerLangevin},
		Grains:  []flow.Grain{flow.Constant},
		Stationary: "x ~ π^{1/(T + V h/2)}, where the gradient's noise has one variance V in all " +
			"directions; where V differs each direction is heated by its own",
		Source: "Welling and Teh 2011, equation 4, with ε = 2h",
	},
	{
		Name:           "psgld",
		Doc:            "SGLD with the RMSprop preconditioner, which is found in the warm-up and kept",
		Schemes:        []scheme.Scheme{eulerPreconditioned},
		Grains:         []flow.Grain{flow.Constant},
		Preconditioner: true,
		Stationary: "x ~ π^{1/T} with exact gradients, with a bias of first order in h: the " +
			"preconditioner g is constant after the warm-up, so its own drift Γ is 0; " +
			"the gradient's noise heats coordinate i by V_i h g_i/2",
		Source: "Li, Chen, Carlson and Carin 2016, algorithm 1 in the warm-up, with ε = 2h; the " +
			"paper's g moves to the end, which widens the draws where Γ is left out",
	},
	{
		Name: "sgrld", Doc: "stochastic-gradient Riemannian Langevin dynamics on simplexes by " +
			"expanded_mean",
		Schemes: []scheme.Scheme{eulerRiemann},
		Grains:  []flow.Grain{flow.Constant},
		Space:   Mirrored,
		Stationary: "ρ ~ π^{1/T} with a bias of first order in h where every α_k ≥ 1, and of " +
			"order h^α below, which no step makes small at 0.1 (steps are reflected at 0; " +
			"reflection_bias in the health of a run measures it); " +
			"the gradient's noise heats coordinate k by V_k h ρ_k/2",
		Source: "Patterson and Teh 2013, equation 9, expanded mean, with ε = 2h",
	},
	{
		Name: "sghmc", Doc: "stochastic-gradient Hamiltonian Monte Carlo with constant friction",
		Schemes:  []scheme.Scheme{splitConstant, eulerConstant},
		Velocity: true, Grains: []flow.Grain{flow.Constant},
		Stationary: heated,
		Source:     "Chen, Fox and Guestrin 2014, equation 13; splitting by Chen, Ding and Carin 2015",
	},
	{
		Name: "sgnht", Doc: "stochastic-gradient Nosé–Hoover thermostat, one for the whole state",
		Schemes:  []scheme.Scheme{splitThermostat, eulerThermostat},
		Velocity: true, Grains: []flow.Grain{flow.All},
		Stationary: cleaned + "the whole state" + missed,
		Source:     "Ding et al. 2014, algorithm 2; splitting by Li et al. 2016",
	},
	{
		Name: "msgnht", Doc: "multivariate Nosé–Hoover thermostats, one per coordinate",
		Schemes:  []scheme.Scheme{splitThermostat, eulerThermostat},
		Velocity: true, Grains: []flow.Grain{flow.Coordinate},
		Stationary: cleaned + "a coordinate, and there is no correlation between coordinates" +
			missed,
		Source: "Li et al. 2016, equations 4 to 6, with their slips corrected: A is θ + p " +
			"h/2, ζ ~ N(0, h I)",
	},
	{
		Name: "geodesic_sghmc", Aliases: []string{"sggmc"},
		Doc:      "SGHMC along geodesics, on any product of manifolds; on R^n it is sghmc",
		Schemes:  []scheme.Scheme{splitConstant},
		Velocity: true, Grains: []flow.Grain{flow.Constant}, Curved: true,
		Stationary: heated,
		Source:     "Liu, Zhu and Song 2016, section 3",
	},
	{
		Name: "geodesic_sgnht", Aliases: []string{"gsgnht"},
		Doc: "Nosé–Hoover thermostats along geodesics: one per manifold point, per " +
			"coordinate on R^n; on R^n it is msgnht, with one thermostat for all sgnht",
		Schemes:  []scheme.Scheme{splitThermostat},
		Velocity: true, Grains: []flow.Grain{flow.Coordinate, flow.Point, flow.All}, Curved: true,
		Stationary: cleaned + "a manifold point, or a coordinate of R^n without correlations" +
			missed,
		Source: "Liu, Zhu and Song 2016, section 4, with d the intrinsic dimension",
	},
	{
		Name: "gmc", Aliases: []string{"hmc"},
		Doc: "geodesic Monte Carlo: Hamiltonian trajectories along geodesics on all rows, " +
			"each with a Metropolis test; on R^n it is Hamiltonian Monte Carlo",
		Schemes:  []scheme.Scheme{leapfrog},
		Velocity: true, Grains: []flow.Grain{flow.Constant}, Curved: true, Metropolis: true,
		Stationary: "x ~ π^{1/T}, v ~ N(0, T Λ), whatever the step",
		Source: "Byrne and Girolami 2013, algorithm 1; on R^n Duane, Kennedy, Pendleton and " +
			"Roweth 1987",
	},
	{
		Name: "nuts", Doc: "the no-U-turn sampler on all rows: Hamiltonian trajectories that " +
			"stop where they turn back; the step and the metric are found in warm-up; along " +
			"geodesics on curved spaces",
		Schemes:  []scheme.Scheme{leapfrog},
		Velocity: true, Grains: []flow.Grain{flow.Constant}, Curved: true, Metropolis: true,
		Tree:       true,
		Stationary: "x ~ π^{1/T}, whatever the step",
		Source: "Hoffman and Gelman 2014, algorithm 6; Betancourt 2017, appendix A: " +
			"multinomial sampling, the generalised criterion",
	},
	{
		Name: "gibbs", Doc: "Gibbs sampling: every param and every latent value is drawn from its " +
			"full conditional, which the compiler derives; a model in which one has none is refused",
		Schemes: []scheme.Scheme{{Name: "sweep"}},
		Grains:  []flow.Grain{flow.Constant}, Curved: true, Conditionals: true,
		Stationary: "x ~ π; there is no step",
		Source: "Geman and Geman 1984; Gelfand and Smith 1990, section 2; the laws: Gelman et al. " +
			"2013, chapters 2, 3 and 14",
	},
	{
		Name: "fixed", Aliases: []string{"fixed_param"},
		Doc: "nothing moves: for models without params, of which a draw is what they track and " +
			"generate",
		Schemes: []scheme.Scheme{{Name: "still"}},
		Grains:  []flow.Grain{flow.Constant}, Still: true,
		Stationary: "nothing; what is generated at random is drawn from its own law, each draw by " +
			"itself",
		Source: "there is nothing to derive: no unknown moves",
	},
}

// Lookup finds a sampler by its name or an alias.
func Lookup(name string) (*Row, bool) {
	for i := range Table {
		if Table[i].Name == name || slices.Contains(Table[i].Aliases, name) {
			return &Table[i], true
		}
	}
	return nil, false
}

// Names lists the samplers, in the order of the table.
func Names() []string {
	out := make([]string, len(Table))
	for i, r := range Table {
		out[i] = r.Name
	}
	return out
}

// Known returns the names and the aliases of all samplers.
func Known() []string {
	out := Names()
	for i := range Table {
		out = append(out, Table[i].Aliases...)
	}
	return out
}

// Scheme returns the integrator of the sampler with a name; "" is its default.
func (r *Row) Scheme(name string) (scheme.Scheme, bool) {
	for _, s := range r.Schemes {
		if name == "" || s.Name == name {
			return s, true
		}
	}
	return scheme.Scheme{}, false
}

// Mirrored is the space of simplexes by expanded_mean. The gradient of a density there has no bound
// where a coordinate is near 0, and near the origin: steps of a fixed size go astray, whatever the
// concentrations. Trajectories with a Metropolis test remain in such a corner for longer than any
// run.
const Mirrored = "mirrored"

// Runs reports whether the sampler can run on a block. On a mirrored block, only samplers made for
// it can.
func (r *Row) Runs(f *manifold.Factor) bool {
	if r.Conditionals {
		return true // the laws say which spaces there are
	}
	if kind := f.Space.Kind(); r.Space != "" || kind == Mirrored {
		return r.Space == kind
	}
	if f.Framed() { // no statistic sees the error of a step there
		return r.Curved && r.Metropolis
	}
	return f.Flat || r.Curved
}

// Usable returns the names of the samplers that can run on a block.
func Usable(f *manifold.Factor) []string {
	var out []string
	for i := range Table {
		r := &Table[i]
		if r.Runs(f) && !r.Conditionals && !r.Still { // these run on whole models alone
			out = append(out, r.Name)
		}
	}
	return out
}

// Exact reports whether the sampler has the posterior as its law whatever its settings: its steps
// take all rows, and leave no error of a step.
func (r *Row) Exact() bool { return r.Metropolis || r.Conditionals || r.Still }

// Thermostat reports whether the sampler has thermostats.
func (r *Row) Thermostat() bool { return r.Grains[0] != flow.Constant }

// Grain returns the thermostat with a name; "" is the sampler's default.
func (r *Row) Grain(name string) (flow.Grain, bool) {
	for _, g := range r.Grains {
		if name == "" || g.String() == name {
			return g, true
		}
	}
	return 0, false
}
