package health

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestConvergenceBounds: rows are by the plain bounds where there are few numbers,
// and name the worst.
func TestConvergenceBounds(t *testing.T) {
	nan := math.NaN()
	fine := Quantity{"a", 1.001, 3000, 2500, nan}
	for _, c := range []struct {
		rhat, bulk, tail float64
		want             string // verdicts of rhat, ess_bulk, ess_tail
	}{
		{1.25, 20, 60, "off unsure unsure"}, {1.051, 900, 900, "off ok ok"},
		{1.049, 900, 900, "unsure ok ok"}, {1.011, 450, 450, "unsure ok ok"},
		{1.009, 450, 450, "ok ok ok"}, {1.009, 399, 450, "ok unsure ok"},
		{1.003, 500, 103, "ok ok unsure"}, {math.Inf(1), 4, 4, "off unsure unsure"},
	} {
		rows := Convergence([]Quantity{fine, {"w[3]", c.rhat, c.bulk, c.tail, nan},
			{"constant", nan, nan, nan, nan}}, 4, 1000, nil)
		got := []string{}
		for i, r := range rows {
			got = append(got, r.Verdict)
			if r.Block != "w[3]" || r.Statistic != []string{"rhat", "ess_bulk", "ess_tail"}[i] {
				t.Errorf("%+v: row %d is %+v", c, i, r)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	// Of very many numbers the largest is larger by chance, and what is far off is seen.
	many := make([]Quantity, 10000)
	for i := range many {
		many[i] = fine
	}
	many[77] = Quantity{"w[77]", 1.017, 1000, 1000, nan}
	if rows := Convergence(many, 4, 1000, nil); rows[0].Verdict != "ok" ||
		rows[0].Block != "w[77]" {
		t.Errorf("1.017 of 10000 numbers: %+v", rows[0])
	}
	for _, c := range []struct{ rhat, ess float64 }{{1.03, 1000}, {1.1, 5}, {1.6, 7},
		{math.Inf(1), 4}} {
		many[77] = Quantity{"w[77]", c.rhat, c.ess, c.ess, nan}
		want := "off"
		if c.rhat < 1.05 {
			want = "unsure"
		}
		if rows := Convergence(many, 4, 1000, nil); rows[0].Verdict != want {
			t.Errorf("%g of 10000 numbers: %+v", c.rhat, rows[0])
		}
	}
	if rows := Convergence([]Quantity{{"a", nan, nan, nan, nan}}, 4, 3, nil); len(rows) != 1 ||
		rows[0].Verdict != "unsure" {
		t.Errorf("nothing to judge: %+v", rows)
	}
	if rows := Convergence([]Quantity{fine}, 4, 0, nil); rows != nil {
		t.Errorf("no draws: %+v", rows)
	}
	if rows := Convergence([]Quantity{{"a", 1.3, nan, nan, 50}}, 4, 100, nil); len(rows) != 2 ||
		rows[0].Verdict != "off" || rows[1].Statistic != "ess_mean" || rows[1].Verdict != "unsure" {
		t.Errorf("of moments: %+v", rows)
	}
}

// judged are the rows of numbers that generate makes.
func judged(numbers, chains, draws int, generate func(number, chain int, x []float64)) []Row {
	list := make([]Quantity, numbers)
	within := make([]float64, numbers)
	for i := range list {
		x := make([][]float64, chains)
		for k := range x {
			x[k] = make([]float64, draws)
			generate(i, k, x[k])
		}
		s := diagnose.Summarize(x)
		list[i] = Quantity{"x", s.Rhat, s.ESSBulk, s.ESSTail, math.NaN()}
		within[i] = new(diagnose.Workspace).ESSWithin(x)
	}
	return Convergence(list, chains, draws, func(i int) float64 { return within[i] })
}

// TestConvergenceByChance: independent draws are not called off, be they few, of one
// chain, or of very many numbers; hundreds of them are ok where no chain has fewer
// than 250 draws.
func TestConvergenceByChance(t *testing.T) {
	for _, c := range []struct{ repeats, numbers, chains, draws int }{
		{200, 5, 4, 10}, {60, 10, 4, 25}, {40, 10, 1, 50}, {20, 10, 4, 100}, {5, 10, 1, 1000},
		{1, 600, 4, 250},
	} {
		off, unsure := 0, 0
		for r := range c.repeats {
			rows := judged(c.numbers, c.chains, c.draws, func(number, chain int, x []float64) {
				rng.New(uint64(r), chain, rng.Noise).Normals(uint64(number), x)
			})
			switch rows[0].Verdict {
			case "off":
				off++
			case "unsure":
				unsure++
			}
		}
		if off*50 > c.repeats {
			t.Errorf("%+v: %d of independent draws are off", c, off)
		}
		if c.numbers == 600 && unsure > 0 {
			t.Errorf("%+v: %d of independent draws are not sure", c, unsure)
		}
	}
}

// TestConvergenceWords: chains in different modes are told from chains that move too
// slowly, by how they move themselves.
func TestConvergenceWords(t *testing.T) {
	normals := func(chain, number int, x []float64) {
		rng.New(7, chain, rng.Noise).Normals(uint64(number), x)
	}
	modes := func(number, chain int, x []float64) {
		normals(chain, number, x)
		for i := range x {
			x[i] += float64(3 * (chain % 2))
		}
	}
	walk := func(number, chain int, x []float64) {
		normals(chain, number, x)
		for i := 1; i < len(x); i++ {
			x[i] += 0.998 * x[i-1]
		}
	}
	stuck := func(number, chain int, x []float64) {
		for i := range x {
			x[i] = float64(chain % 2)
		}
	}
	for _, c := range []struct {
		name     string
		generate func(number, chain int, x []float64)
		chains   int
		says, no string
	}{
		{"modes", modes, 4, "in different modes", "--draws"},
		{"walk", walk, 4, "too short for how slowly they move|--draws", "modes"},
		{"walk", walk, 1, "halves of the only chain|--chains", "different modes"},
		{"stuck", stuck, 2, "rhat of x", "cannot be computed"},
	} {
		rows := judged(3, c.chains, 1000, c.generate)
		if rows[0].Verdict != "off" {
			t.Errorf("%s: %+v", c.name, rows[0])
		}
		got := strings.Join(Advice(rows,
			settings.Config{Dynamics: settings.Dynamics{Sampler: "nuts"}, Chains: c.chains}), "\n")
		for _, p := range strings.Split(c.says, "|") {
			if !strings.Contains(got, p) {
				t.Errorf("%s: %q does not say %q", c.name, got, p)
			}
		}
		if strings.Contains(got, c.no) {
			t.Errorf("%s: %q says %q", c.name, got, c.no)
		}
		// A plan with an anchor finds its warm-up and its thinning: these are no flags of it.
		planned := strings.Join(Advice(rows,
			settings.Config{Dynamics: settings.Dynamics{Sampler: "sghmc"},
				Goal: settings.Goal{Anchor: "auto"}, Draws: 1000, Chains: c.chains}), "\n")
		if strings.Contains(planned, "--warmup") || strings.Contains(planned, "--thin") ||
			c.name == "walk" && !strings.Contains(planned, "more --draws or more --time") &&
				!strings.Contains(planned, "more --draws, ") {
			t.Errorf("%s, under a plan: %q", c.name, planned)
		}
	}
}
