package health

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// TestVerdict: off takes both a miss that matters and one beyond four errors.
func TestVerdict(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		value, mcse float64
		want        string
	}{
		{1.05, 0.001, "ok"}, {1.05, 0.09, "ok"}, {1.05, 0.11, "unsure"}, {0.8, 0.06, "unsure"},
		{0.8, 0.04, "off"},
		{1.2, 0.04, "off"}, {5, inf, "unsure"}, {1, inf, "unsure"}, {nan, 0.1, "off"},
		{1, nan, "unsure"},
	} {
		if got := Judge(c.value, 1, c.mcse, 0.1); got != c.want {
			t.Errorf("%g ± %g is called %s, want %s", c.value, c.mcse, got, c.want)
		}
	}
	if got := Judge(3, nan, 0.1, 0.1); got != "" {
		t.Errorf("without an expectation: %q", got)
	}
}

// Of exact samplers a miss within three errors is none, unless the errors are large. Errors are
// taken as those of a value that is as expected.
func TestVerdictExact(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		value, mcse float64
		want        string
	}{
		{1.05, 0.001, "ok"}, {1.05, 0.15, "ok"}, {1.05, 0.16, "unsure"}, {1.2, 0.09, "ok"},
		{1.2, 0.07, "unsure"}, {1.2, 0.05, "off"}, {0.8, 0.06, "ok"}, {0.8, 0.045, "unsure"},
		{0.8, 0.039, "off"}, {0, 0.1, "off"}, {-1, 0.1, "off"}, {5, inf, "unsure"}, {1, inf, "unsure"},
		{nan, 0.1, "off"}, {1, nan, "unsure"}, {3, 2, "unsure"}, {1.4, 0.145, "unsure"},
	} {
		if got := JudgeExact(c.value, 1, c.mcse, 0.1); got != c.want {
			t.Errorf("%g ± %g is called %s, want %s", c.value, c.mcse, got, c.want)
		}
	}
	if got := JudgeExact(3, nan, 0.1, 0.1); got != "" {
		t.Errorf("without an expectation: %q", got)
	}
}

// TestAdvice: each thing that was found is said once, with what to try; what is
// too short to judge comes once, at the end.
func TestAdvice(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		sampler string
		rows    []Row
		want    []string // parts of each sentence, apart by |
	}{
		{"msgnht", []Row{{"w", "xi_variance", 1, 1, 0.1, "ok"},
			{"w", "gradient_noise", 8, nan, 1, ""}}, nil},
		{"msgnht", []Row{
			{"a", "xi_minus_friction", 9, nan, 0.1, "off"},
			{"a", "xi_variance", 2, 1, 0.5, "unsure"},
			{"b", "xi_minus_friction", 8, nan, 0.1, "off"},
			{"b", "xi_variance", 2, 1, 0.5, "unsure"},
		}, []string{"xi_minus_friction of a and b is large|too narrow|--batch-order replace",
			"too short to judge xi_variance of a and b|--thin"}},
		{"msgnht", []Row{{"a", "xi_minus_friction", 1, nan, 0.1, "unsure"},
			{"b", "xi_minus_friction", 1, nan, 0.5, "unsure"}},
			[]string{"xi_minus_friction of a is not small",
				"too short to judge xi_minus_friction of b"}},
		{"msgnht", []Row{{"a", "xi_minus_friction", -1, nan, 0.1, "off"}},
			[]string{"is low|smaller --step"}},
		{"msgnht", []Row{{"a", "xi_minus_friction", -1, 0, 0.1, "off"}},
			[]string{"is low|smaller --step"}},
		{"msgnht", []Row{{"a", "kinetic_temperature", 0.5, 1, 0.1, "off"}},
			[]string{"is low|coming down|--warmup"}},
		{"sghmc", []Row{{"a", "kinetic_temperature", 1.5, 1, 0.1, "off"}},
			[]string{"is high|heats|msgnht"}},
		{"sghmc", []Row{{"a", "kinetic_temperature", 0.5, 1, 0.1, "off"}},
			[]string{"is low|smaller --step"}},
		{"nuts", []Row{{"all", "divergences", 4, 0, nan, "off"},
			{"all", "max_tree_depth_hits", 4, 0, nan, "unsure"}},
			[]string{"divergences say|--target-accept 0.95", "max_tree_depth_hits are no error"}},
		{"hmc", []Row{{"all", "acceptance_rate", 0.1, nan, 0.1, "off"}},
			[]string{"acceptance_rate is low|--target-accept 0.95"}},
		{"hmc", []Row{{"all", "something_new", 0.1, nan, 0.1, "off"}},
			[]string{"something_new is not as it should be"}},
		{"sgld", []Row{{"a", "xi_variance", nan, 1, nan, "unsure"},
			{"b", "xi_variance", 1, 1, nan, "unsure"}, {"c", "xi_variance", 1, 1, 1, "unsure"},
			{"d", "xi_variance", 1, 1, 1, "unsure"}, {"e", "xi_variance", 1, 1, 1, "unsure"},
			{"f", "xi_variance", 1, 1, 1, "unsure"}}, []string{"a, b, c, d and 2 more"}},
	} {
		got := Advice(c.rows, settings.Config{Dynamics: settings.Dynamics{Sampler: c.sampler,
			Friction: 1}, Batching: settings.Batching{Batch: 100, BatchOrder: "shuffle"},
			Origin: settings.Origin{InitRadius: 2}})
		if len(got) != len(c.want) {
			t.Errorf("%v: %q, want %q", c.rows, got, c.want)
			continue
		}
		for i, parts := range c.want {
			for _, p := range strings.Split(parts, "|") {
				if !strings.Contains(got[i], p) {
					t.Errorf("%q does not say %q", got[i], p)
				}
			}
		}
	}
}

// TestAdviceFits: advice names no flag that the sampler does not have, and none
// that is set already.
func TestAdviceFits(t *testing.T) {
	nan := math.NaN()
	off := func(statistic string, value float64) []Row {
		return []Row{{"a", statistic, value, 1, 0.01, "off"}}
	}
	large := []Row{{"a", "xi_minus_friction", 9, nan, 0.1, "off"}}
	for _, c := range []struct {
		rows []Row
		c    settings.Config
		has  string // parts, apart by |
		not  string
	}{
		{off("configurational_temperature", 0.5),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts"}},
			"--target-accept 0.95|--warmup|--draws", "--step|--friction|--batch"},
		{off("configurational_temperature", 0.5),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts"},
				WarmupGoal: settings.WarmupGoal{TargetAccept: 0.95}}, "--target-accept 0.99",
			"0.95|--step"},
		{off("configurational_temperature", 0.5),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts"},
				WarmupGoal: settings.WarmupGoal{TargetAccept: 0.99}}, "--warmup",
			"--target-accept|--step"},
		{off("configurational_temperature", 0.5),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts", Step: 0.1}},
			"smaller --step", "--target-accept"},
		{off("divergences", 4),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts", Step: 0.1}},
			"smaller --step", "--target-accept"},
		{off("divergences", 4),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts"},
				WarmupGoal: settings.WarmupGoal{TargetAccept: 0.95}},
			"--target-accept 0.99|sgppl test", "0.95"},
		{off("acceptance_rate", 0.1), settings.Config{Dynamics: settings.Dynamics{Sampler: "hmc"}},
			"--target-accept", "--step"},
		{large, settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht"},
			Batching: settings.Batching{Batch: 10, BatchOrder: "shuffle"}},
			"--batch-order replace|larger --batch", ""},
		{large, settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht"},
			Batching: settings.Batching{Batch: 10, BatchOrder: "replace"}}, "larger --batch",
			"--batch-order"},
		{large, settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht"},
			Batching: settings.Batching{Batch: 10, BatchOrder: "blocks"}}, "larger --batch",
			"--batch-order"},
		{off("kinetic_temperature", 2),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "sghmc"},
				Batching: settings.Batching{FullBatch: true}},
			"smaller --step|thermostats (--sampler msgnht)", "--batch"},
		{off("kinetic_temperature", 2),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "geodesic_sghmc"},
				Batching: settings.Batching{Batch: 3}}, "--sampler geodesic_sgnht|--batch",
			"msgnht"},
		{off("reflection_bias", 2),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "sgrld"},
				Batching: settings.Batching{Batch: 3}},
			"reflected at 0|smaller --step|without `by expanded_mean`", "--friction|--batch"},
		{off("kinetic_temperature", 0.2),
			settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht"}}, "longer --warmup",
			"--init|--friction"},
	} {
		got := strings.Join(Advice(c.rows, c.c), "\n")
		for _, p := range strings.Split(c.has, "|") {
			if !strings.Contains(got, p) {
				t.Errorf("%+v: %q does not say %q", c.c, got, p)
			}
		}
		for _, p := range strings.Split(c.not, "|") {
			if p != "" && strings.Contains(got, p) {
				t.Errorf("%+v: %q says %q", c.c, got, p)
			}
		}
	}
}

// TestAdviceOfBoth: what is said of thermostats does not contradict what is said of the
// temperature of the same block.
func TestAdviceOfBoth(t *testing.T) {
	rows := func(temperature, xi float64, block string) []Row {
		return []Row{{"a", "kinetic_temperature", temperature, 1, 0.01, "off"},
			{block, "xi_minus_friction", xi, 0, 0.01, "off"}}
	}
	for _, c := range []struct {
		rows     []Row
		says, no string
	}{
		{rows(2, -1, "a"),
			"had not yet taken up|xi_minus_friction of a is not that of a settled run",
			"lose energy"},
		{rows(0.5, 1, "a"), "still coming down|xi_minus_friction of a is not that of a settled run",
			"gain energy"},
		{rows(2, 1, "a"), "gain energy", "settled run"},
		{rows(0.5, -1, "a"), "lose energy", "settled run"},
		{rows(2, -1, "b"), "xi_minus_friction of b is low: the dynamics lose energy",
			"settled run"},
	} {
		got := strings.Join(Advice(c.rows,
			settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht"}}), "\n")
		for _, p := range strings.Split(c.says, "|") {
			if !strings.Contains(got, p) {
				t.Errorf("%v: %q does not say %q", c.rows, got, p)
			}
		}
		if strings.Contains(got, c.no) {
			t.Errorf("%v: %q says %q", c.rows, got, c.no)
		}
	}
}

// TestAdviceOfFisher: a kick that makes room for noise needs its friction.
func TestAdviceOfFisher(t *testing.T) {
	rows := []Row{{"a", "kinetic_temperature", 0.5, 1, 0.01, "off"},
		{"a", "xi_variance", 0.1, 1, 0.01, "off"}}
	for _, c := range []struct {
		c    settings.Config
		want bool
	}{{settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht", Friction: 5}}, true},
		{settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht", Friction: 5},
			NoiseModel: settings.NoiseModel{Fisher: true}}, false},
		{settings.Config{Dynamics: settings.Dynamics{Sampler: "msgnht", Friction: 5},
			NoiseModel: settings.NoiseModel{GradNoise: 2}}, false}} {
		if got := strings.Join(Advice(rows, c.c), "\n"); strings.Contains(got,
			"a smaller --friction") != c.want {
			t.Errorf("fisher %v, noise %v: %q", c.c.Fisher, c.c.GradNoise, got)
		}
	}
}

// TestAdviceOfLength: a run that is as long as the advice says has the effective size.
func TestAdviceOfLength(t *testing.T) {
	for _, c := range []struct {
		ess        float64
		draws      int64
		thin       int64
		says, lack string
	}{
		{100, 1000, 1, "--draws 4400 (4.4 times as many) or --thin 5.", "more --draws"},
		{399, 1000, 10, "--draws 1200 (1.2 times as many) or --thin 12.", "more --draws"},
		{100, 50, 1, "--draws 300 (4.4 times as many).", "--thin"},
		{0, 1000, 1, "more --draws or more --thin", "times"},
		{math.NaN(), 1000, 1, "more --draws or more --thin", "times"},
		{100, 0, 1, "more --draws or more --thin", "times"},
	} {
		got := strings.Join(Advice([]Row{{"a[3]", "ess_bulk", c.ess, math.NaN(), math.NaN(),
			"unsure"}}, settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts"}, Chains: 4,
			Draws: c.draws, Thin: c.thin}), "\n")
		if !strings.Contains(got, c.says) || strings.Contains(got, c.lack) {
			t.Errorf("%v of %d draws: %q, want %q", c.ess, c.draws, got, c.says)
		}
	}
}
