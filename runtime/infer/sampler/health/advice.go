package health

import (
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// Advice returns sentences on the health rows of a run with settings c: one for each problem, with
// what to try, and one if the run is too short to judge; none if all is well.
func Advice(rows []Row, c settings.Config) []string { return AdviceAfter(rows, c, 0) }

// AdviceAfter is Advice for a run that took this many seconds; it can then say how long another run
// would take.
func AdviceAfter(rows []Row, c settings.Config, seconds float64) []string {
	var order []finding
	blocks := map[finding][]string{}
	disagree := slices.ContainsFunc(rows,
		func(r Row) bool { return r.Statistic == "rhat" && r.Verdict != "ok" })
	kinetic := map[string]string{} // the finding on the kinetic temperature, by block
	for _, r := range rows {
		if r.Statistic == "kinetic_temperature" {
			kinetic[r.Block] = find(r, true).kind
		}
	}
	for _, r := range rows {
		param, _, _ := strings.Cut(r.Block, "[") // rows of convergence are about single numbers
		of := c.Of(param)
		row, _ := table.Lookup(of.Sampler)
		f := find(r, row != nil && row.Thermostat())
		if f.statistic == "xi_minus_friction" && contrary(f.kind, kinetic[r.Block]) {
			f.kind = "unsettled"
		}
		if f.kind == "" || disagree && converges[r.Statistic] && r.Statistic != "rhat" {
			// the sentence on R-hat covers the effective sizes
			continue
		}
		switch {
		case biasLimit(r.Statistic, &c) > 0:
			f.kind, f.text = "bias", biasSentence(r, &c, seconds)
		case converges[r.Statistic]:
			f.text = converging(r, &of, row)
		case f.kind != "short":
			f.text = f.sentence(&of, row)
		}
		if blocks[f] == nil {
			order = append(order, f)
		}
		blocks[f] = append(blocks[f], r.Block)
	}
	var out, short []string
	for _, f := range order {
		what := f.statistic
		if b := blocks[f]; b[0] != "all" {
			what += " of " + spelling.List(b)
		}
		if f.kind == "short" {
			short = append(short, what)
			continue
		}
		out = append(out, what+" "+f.text)
	}
	if len(short) > 0 {
		other := setting.Text("{thin}")
		if c.Anchored() {
			other = setting.Text("{time}")
		}
		out = append(out, "The run is too short to judge "+spelling.List(short)+
			setting.Text(": more {draws} or ")+other+" will tell.")
	}
	return out
}

// contrary reports whether one of two findings is high and the other low.
func contrary(a, b string) bool { return a == "low" && b == "high" || a == "high" && b == "low" }

// A finding is a problem that rows of several blocks may have in common.
type finding struct {
	statistic string
	kind      string // "high", "low", "large", "notable", "unsettled", "short"; "" for none
	// thermostat distinguishes the two meanings of a kinetic temperature.
	thermostat bool
	text       string // the sentence, where it depends on the settings of the block
}

func find(r Row, thermostat bool) finding {
	f := finding{statistic: r.Statistic, thermostat: thermostat}
	known := !math.IsNaN(r.Expected)
	switch r.Verdict {
	case "unsure":
		f.kind = "short"
		if r.Statistic == "noise_share" || r.Statistic == "noise_growth" ||
			r.Statistic == "anchor_distance" {
			f.kind = "high" // kind is that of the value, not of its error
		}
		if converges[r.Statistic] {
			f.kind = "notable"
		}
		if r.Statistic == "max_tree_depth_hits" || exchanges[r.Statistic] ||
			r.Statistic == "xi_minus_friction" && !known && r.Value > 4*r.MCSE {
			f.kind = "notable" // kind is that of the value, not of its error
		}
	case "off":
		f.kind = "low"
		switch {
		case r.Statistic == "xi_minus_friction" && !known && r.Value > 0:
			f.kind = "large"
		case known && !(r.Value <= r.Expected):
			f.kind = "high"
		}
	}
	return f
}

// exchanges has the statistics of the ways to several modes that have a verdict.
var exchanges = map[string]bool{"round_trips": true, "swap_rate": true, "log_evidence": true,
	"cycles": true}

// sentence returns the rest of a sentence about a finding in a block with settings c and the
// sampler in row; row is nil if the sampler is not known.
func (f finding) sentence(c *settings.Config, row *table.Row) string {
	if row == nil {
		row = &table.Row{}
	}
	for _, a := range advice {
		if a.statistic == f.statistic && (a.kind == "" || a.kind == f.kind) &&
			(!a.thermostat || f.thermostat) {
			return setting.Text(a.says) + a.remedies(c, row) + "."
		}
	}
	return "is not as it should be: the draws may not be of the posterior."
}

// An advisory has the sentence for one kind of finding, and the remedies for it.
type advisory struct {
	statistic, kind string // kind "" matches any
	thermostat      bool   // matches only samplers with thermostats
	says            string
	try             []remedy
}

// remedies returns the remedies that apply to the settings, as text.
func (a *advisory) remedies(c *settings.Config, row *table.Row) string {
	var out []string
	for _, r := range a.try {
		if text := r(c, row); text != "" {
			out = append(out, text)
		}
	}
	switch n := len(out); n {
	case 0:
		return ""
	case 1:
		return "; try " + out[0]
	default:
		return "; try " + strings.Join(out[:n-1], ", ") + " or " + out[n-1]
	}
}

// advice lists the advisories; the first that matches is used.
var advice = []advisory{
	{"kinetic_temperature", "low", true,
		"is low: the thermostats were still coming down after the warm-up, and draws lie too " +
			"close together until then", []remedy{longerWarmup, smallerInit, smallerFriction}},
	{"kinetic_temperature", "high", true,
		"is high: the thermostats had not yet taken up the noise of the gradient",
		[]remedy{longerWarmup}},
	{"kinetic_temperature", "high", false,
		"is high: the step, or noise of minibatches, heats the chain",
		[]remedy{smallerStep, largerBatch, largerFriction, thermostats}},
	{"kinetic_temperature", "low", false, "is low", []remedy{smallerStep}},
	{"configurational_temperature", "", false, "is off: the draws may be too wide or too narrow",
		[]remedy{smallerStep, longerWarmup, always("more {draws} where R-hat is large")}},
	{"noise_temperature", "", true,
		"is off: the noise of minibatches is not the same in all directions of what one " +
			"thermostat covers, and draws are too wide along some directions and too narrow " +
			"along others", []remedy{noiseOut, largerFriction, largerBatch, smallerStep,
			allRowsInstead}},
	{"noise_temperature", "", false,
		"is off: the noise of minibatches makes draws too wide along some directions",
		[]remedy{noiseOut, largerFriction, largerBatch, smallerStep, allRowsInstead}},
	{"worst_temperature", "high", false, "is high: the draws are too wide along a direction",
		[]remedy{noiseOut, largerBatch, smallerStep, longerWarmup, allRowsInstead}},
	{"worst_temperature", "low", false, "is low: the draws are too narrow along a direction",
		[]remedy{noiseOut, largerBatch, smallerStep, longerWarmup, allRowsInstead}},
	{"worst_kinetic_temperature", "", false,
		"is off: velocities, and draws with them, have too much or too little energy along a direction",
		[]remedy{noiseOut, largerFriction, largerBatch, smallerStep, allRowsInstead}},
	{"reflection_bias", "", false,
		"is high: steps are reflected at 0, and entries near it come out too large, by so many " +
			"standard deviations; where concentrations are far below 1 hardly a step is small enough",
		[]remedy{smallerStep, always("another sampler, without `by expanded_mean`")}},
	{"xi_minus_friction", "unsettled", false,
		"is not that of a settled run: the kinetic temperature has not come to its value, and " +
			"the thermostats still move towards theirs", []remedy{longerWarmup}},
	{"xi_minus_friction", "low", false, "is low: the dynamics lose energy, or were not settled",
		[]remedy{smallerStep, longerWarmup}},
	{"xi_minus_friction", "high", false, "is high: the dynamics gain energy, or were not settled",
		[]remedy{smallerStep, longerWarmup}},
	{"xi_minus_friction", "large", false,
		"is large: the thermostats make up for noise that reshuffled passes take away again, and " +
			"the draws are probably too narrow",
		[]remedy{replaceOrder, smallerStep, largerBatch, largerFriction}},
	{"xi_minus_friction", "notable", false,
		"is not small: with reshuffled passes the draws may be 10 % too narrow or more",
		[]remedy{replaceOrder, smallerStep, largerBatch}},
	{"xi_variance", "high", false,
		"is high: the gradient's noise changes over the posterior, or the thermostats were not settled",
		[]remedy{smallerStep, largerBatch, longerWarmup}},
	{"xi_variance", "low", false, "is low: the thermostats hardly move",
		[]remedy{longerWarmup, moreThin, smallerFriction}},
	{"noise_share", "", false,
		"is large: the noise of minibatches is much of what moves the chains, and where it " +
			"varies draws are too wide", []remedy{largerBatch, smallerStep}},
	{"noise_growth", "", false,
		"is not 1: minibatches have other noise than what is taken out for it, which makes draws " +
			"too wide, or too narrow", []remedy{largerBatch, smallerStep}},
	{"anchor_distance", "", false,
		"is large: the draws are not where the set-up put the anchor, so minibatches have more " +
			"noise than was planned; compare with {sampler} nuts", nil},
	{"passes", "", false, "over the rows are fewer than the run needs to come to the posterior: " +
		"the warm-up took steps that go far in so few, and draws are hotter than the posterior",
		[]remedy{always("more {draws}"), always("more {thin}")}},
	{"acceptance_rate", "", false, "is low: the chain hardly moves",
		[]remedy{smallerStep, longerWarmup}},
	{"local_autocorrelation", "", false,
		"is longer than the sweeps before a draw: chains of these latent values still know where " +
			"they began, and gradients are biased towards it; try a larger {local-burn-in}, or " +
			"{local-leapfrog} for those by gmc", nil},
	{"local_acceptance", "", false,
		"is low: trajectories of these latent values hardly move, and their steps had not " +
			"settled; try more steps, or a smaller step of the params", nil},
	{"max_tree_depth_hits", "", false, "are no error, but the chain moves slowly",
		[]remedy{longerWarmup, noncentred}},
	{"divergences", "", false, "say that the draws may miss a part of the posterior",
		[]remedy{largerAccept, longerWarmup, noncentred,
			always("`sgppl test`, which names terms that are not finite")}},
	{"round_trips", "", false, "are few: modes may have wrong weights, or be missing",
		[]remedy{moreReplicas, longerWarmup, always("more {draws}")}},
	{"swap_rate", "", false, "is small: states hardly pass between two temperatures",
		[]remedy{moreReplicas, longerWarmup}},
	{"log_evidence", "", false, "is uncertain: chains give modes different weights, or there is one " +
		"chain alone", []remedy{moreReplicas, always("more {draws}"), always("more {chains}")}},
	{"cycles", "", false, "are ends of cycles, in whatever modes exploration came to: no statistic " +
		"checks that modes have the masses of the posterior", []remedy{
		always("{sampler} nuts with {replicas}, if full passes can be afforded")}},
	{"e_bfmi", "", false, "is low: heavy tails may be missed", []remedy{longerWarmup, noncentred}},
}
