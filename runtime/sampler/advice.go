package sampler

import (
	"fmt"
	"math"
	"strings"
)

// Advice says in sentences what the rows of Health of a run with settings c have
// found and what to try: one for each thing that is wrong, one for all that the
// run is too short to judge, none where all is well.
func Advice(rows []HealthRow, c Config) []string {
	var order []finding
	blocks := map[finding][]string{}
	for _, r := range rows {
		row, _ := Lookup(c.Of(r.Block).Sampler)
		f := find(r, row != nil && row.Thermostat())
		if f.kind == "" {
			continue
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
			what += " of " + list(b)
		}
		if f.kind == "short" {
			short = append(short, what)
			continue
		}
		out = append(out, what+" "+f.says())
	}
	if len(short) > 0 {
		out = append(out, "The run is too short to judge "+list(short)+": more --draws or --thin will tell.")
	}
	return out
}

// A finding is what rows of several blocks may have in common.
type finding struct {
	statistic string
	kind      string // "high", "low", "large", "notable", "short"; "": nothing to say
	// thermostat tells the two meanings of a kinetic temperature apart.
	thermostat bool
}

func find(r HealthRow, thermostat bool) finding {
	f := finding{statistic: r.Statistic, thermostat: thermostat}
	known := !math.IsNaN(r.Expected)
	switch r.Verdict {
	case "unsure":
		f.kind = "short"
		if r.Statistic == "max_tree_depth_hits" || r.Statistic == "xi_minus_friction" && !known && r.Value > 4*r.MCSE {
			f.kind = "notable" // for what was found, not for its error
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

// says is the rest of a sentence about a finding.
func (f finding) says() string {
	for _, a := range advice {
		if a.statistic == f.statistic && (a.kind == "" || a.kind == f.kind) && (!a.thermostat || f.thermostat) {
			return a.says
		}
	}
	return "is not as it should be: the draws may not be of the posterior."
}

// advice has what to say, the first that fits.
var advice = []struct {
	statistic, kind string // "": of any kind
	thermostat      bool   // of samplers with thermostats only
	says            string
}{
	{"kinetic_temperature", "low", true, "is low: the thermostats were still coming down after the warm-up, and draws lie too close together until then; try a longer --warmup, a smaller --init or a smaller --friction."},
	{"kinetic_temperature", "high", true, "is high: the thermostats had not yet taken up the noise of the gradient; try a longer --warmup."},
	{"kinetic_temperature", "high", false, "is high: the step, or noise of minibatches, heats the chain; try a smaller --step, a larger --batch, a larger --friction, or thermostats (--sampler msgnht)."},
	{"kinetic_temperature", "low", false, "is low: try a smaller --step."},
	{"configurational_temperature", "", false, "is off: the draws may be too wide or too narrow; try a smaller --step, a longer --warmup, or more --draws where R-hat is large."},
	{"xi_minus_friction", "low", false, "is low: the dynamics lose energy, or were not settled; try a smaller --step or a longer --warmup."},
	{"xi_minus_friction", "high", false, "is high: the dynamics gain energy, or were not settled; try a smaller --step or a longer --warmup."},
	{"xi_minus_friction", "large", false, "is large: the thermostats make up for noise that reshuffled passes take away again, and the draws are probably too narrow; try --batch-order replace, a smaller --step, a larger --batch or a larger --friction."},
	{"xi_minus_friction", "notable", false, "is not small: with reshuffled passes the draws may be 10 % too narrow or more; --batch-order replace, a smaller --step or a larger --batch mends that."},
	{"xi_variance", "high", false, "is high: the gradient's noise changes over the posterior, or the thermostats were not settled; try a smaller --step, a larger --batch or a longer --warmup."},
	{"xi_variance", "low", false, "is low: the thermostats hardly move; try a longer --warmup and more --thin, or a smaller --friction."},
	{"acceptance_rate", "", false, "is low: the chain hardly moves; try a smaller --step."},
	{"local_autocorrelation", "", false, "is longer than the sweeps before a draw: chains of these latent values still know where they began, and gradients are biased towards it; try a larger --local-burn-in, or --local-leapfrog for those by gmc."},
	{"local_acceptance", "", false, "is low: trajectories of these latent values hardly move, and their steps had not settled; try more steps, or a smaller step of the params."},
	{"max_tree_depth_hits", "", false, "are no error, but the chain moves slowly: try a longer --warmup, or scales apart from what they scale (mu + tau * eta)."},
	{"divergences", "", false, "say that the draws may miss a part of the posterior: try --target-accept 0.95, a longer --warmup, or scales apart from what they scale (mu + tau * eta)."},
	{"e_bfmi", "", false, "is low: heavy tails may be missed; try a longer --warmup, or scales apart from what they scale (mu + tau * eta)."},
}

// list is "a, b and c", of many the first few and their number.
func list(x []string) string {
	const most = 4
	if len(x) > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(x[:most], ", "), len(x)-most)
	}
	if len(x) < 2 {
		return strings.Join(x, "")
	}
	return strings.Join(x[:len(x)-1], ", ") + " and " + x[len(x)-1]
}
