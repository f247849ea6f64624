package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A counted is a table of columns y, a, b and w with sums over its rows.
type counted struct {
	csv string
	y   []float64
	a   []int
	b   []int
	w   []float64
}

// counts makes 600 rows: a has 4 levels, b has 2, w is a weight, and y is drawn.
func counts(y func(r *rand.Rand, a, b int) float64) counted {
	r := rand.New(rand.NewPCG(21, 1))
	var c counted
	var text strings.Builder
	text.WriteString("y,a,b,w\n")
	for i := range 600 {
		a, b := i%4, (i/4)%2
		c.a, c.b, c.w = append(c.a, a), append(c.b, b), append(c.w, 0.5+float64(i%3))
		c.y = append(c.y, y(r, a, b))
		fmt.Fprintf(&text, "%v,%d,%d,%v\n", c.y[i], a+2, b, c.w[i])
	}
	c.csv = text.String()
	return c
}

// mean is that of f of the rows that are kept, with their weights.
func (c counted) mean(
	f func(y float64) float64, keep func(i int) bool, weight func(i int) float64,
) float64 {
	sum, total := 0.0, 0.0
	for i, y := range c.y {
		if keep(i) {
			sum, total = sum+weight(i)*f(y), total+weight(i)
		}
	}
	return sum / total
}

func itself(y float64) float64 { return y }
func all(int) bool             { return true }
func alike(int) float64        { return 1 }

// share is the part of rows whose y is at most k.
func (c counted) share(k float64) float64 {
	return c.mean(func(y float64) float64 { return map[bool]float64{true: 1}[y <= k] }, all, alike)
}

// cell is the mean of y at levels of a and b; a level below 0 stands for all.
func (c counted) cell(a, b int) float64 {
	return c.mean(itself, func(i int) bool {
		return (a < 0 || c.a[i] == a) && (b < 0 ||
			c.b[i] == b)
	}, alike)
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

func poissonDraw(r *rand.Rand, rate float64) float64 {
	k := 0.0
	for p := r.Float64(); p > math.Exp(-rate); p *= r.Float64() {
		k++
	}
	return k
}

// closedForms are formulas whose maximum of the likelihood is known.
var closedForms = []struct {
	name, formula, family string
	y                     func(r *rand.Rand, a, b int) float64
	want                  func(c counted) map[string]float64
}{
	{"cumulative", "y ~ 1", "cumulative",
		func(r *rand.Rand, a, b int) float64 { return math.Floor(4 * math.Sqrt(r.Float64())) },
		func(c counted) map[string]float64 {
			return map[string]float64{"cut[0]": logOdds(c.share(0)), "cut[2]": logOdds(c.share(2))}
		}},
	{"categorical", "y ~ 1", "categorical",
		func(r *rand.Rand, a, b int) float64 { return math.Floor(3 * math.Sqrt(r.Float64())) },
		func(c counted) map[string]float64 {
			return map[string]float64{
				"b_Intercept[0]": math.Log((c.share(1) - c.share(0)) / c.share(0)),
				"b_Intercept[1]": math.Log((1 - c.share(1)) / c.share(0))}
		}},
	{"hurdle", "y ~ 1", "hurdle_poisson",
		func(r *rand.Rand, a, b int) float64 {
			for r.Float64() > 0.3 {
				if k := poissonDraw(r, 2); k > 0 {
					return k
				}
			}
			return 0
		},
		func(c counted) map[string]float64 {
			mean := c.mean(itself, func(i int) bool { return c.y[i] > 0 }, alike)
			rate := mean
			for range 200 { // the mean of a Poisson count that is not 0 is rate / (1 - exp(-rate))
				rate = mean * -math.Expm1(-rate)
			}
			return map[string]float64{"hu": c.share(0), "b_Intercept": math.Log(rate)}
		}},
	{"monotonic", "y ~ mo(a)", "gaussian",
		func(r *rand.Rand, a, b int) float64 { return float64(a*a) + r.NormFloat64() },
		func(c counted) map[string]float64 {
			rise := c.cell(3, -1) - c.cell(0, -1)
			return map[string]float64{"bsp_mo_a": rise / 3,
				"simo_a[0]": (c.cell(1, -1) - c.cell(0, -1)) / rise,
				"simo_a[2]": (c.cell(3, -1) - c.cell(2, -1)) / rise, "b_Intercept": c.cell(0, -1)}
		}},
	{"cells", "y ~ factor(a)*factor(b)", "gaussian",
		func(r *rand.Rand, a, b int) float64 { return float64(5+a-2*b+a*b) + r.NormFloat64() },
		func(c counted) map[string]float64 {
			return map[string]float64{"b_Intercept": c.cell(0, 0),
				"b_a_3":     c.cell(1, 0) - c.cell(0, 0),
				"b_b_1":     c.cell(0, 1) - c.cell(0, 0),
				"b_a_5_b_1": c.cell(3, 1) - c.cell(3, 0) - c.cell(0, 1) + c.cell(0, 0)}
		}},
	{"means", "y ~ 0 + factor(b)", "gaussian",
		func(r *rand.Rand, a, b int) float64 { return float64(100+7*b) + r.NormFloat64() },
		func(c counted) map[string]float64 {
			return map[string]float64{"b_b_0": c.cell(-1, 0), "b_b_1": c.cell(-1, 1)}
		}},
	{"trials", "y | trials(10) ~ 1", "binomial",
		func(r *rand.Rand, a, b int) float64 {
			k := 0.0
			for range 10 {
				k += map[bool]float64{true: 1}[r.Float64() < 0.2]
			}
			return k
		},
		func(c counted) map[string]float64 {
			return map[string]float64{"b_Intercept": logOdds(c.mean(itself, all, alike) / 10)}
		}},
	{"gamma", "y ~ factor(b)", "gamma",
		func(r *rand.Rand, a, b int) float64 {
			return (r.ExpFloat64() + r.ExpFloat64()) * float64(1+b)
		},
		func(c counted) map[string]float64 {
			return map[string]float64{"b_Intercept": math.Log(c.cell(-1, 0)),
				"b_b_1": math.Log(c.cell(-1, 1) / c.cell(-1, 0))}
		}},
	{"weights", "y | weights(w) ~ 1", "gaussian",
		func(r *rand.Rand, a, b int) float64 { return float64(a) + r.NormFloat64() },
		func(c counted) map[string]float64 {
			return map[string]float64{"b_Intercept": c.mean(itself, all,
				func(i int) float64 { return c.w[i] })}
		}},
	{"lognormal", "y ~ 1", "lognormal",
		func(r *rand.Rand, a, b int) float64 { return math.Exp(3 + 0.5*r.NormFloat64()) },
		func(c counted) map[string]float64 {
			return map[string]float64{"b_Intercept": c.mean(math.Log, all, alike)}
		}},
}

// TestFormulaClosedForms: where the maximum of the likelihood is a formula of the table, the
// posterior mean is a small part of a standard deviation away from it.
func TestFormulaClosedForms(t *testing.T) {
	for _, f := range closedForms {
		t.Run(f.name, func(t *testing.T) {
			c := counts(f.y)
			post, _ := fitFormula(t, c.csv, f.formula, f.family)
			for name, want := range f.want(c) {
				p, found := post[name]
				if !found || math.Abs(p.mean-want) > 0.25*p.sd {
					t.Errorf("%s: posterior %.4f ± %.4f, closed form %.4f", name, p.mean, p.sd, want)
				}
			}
		})
	}
}

// TestHurdleDraws: what is simulated from family hurdle_poisson has its probabilities.
func TestHurdleDraws(t *testing.T) {
	const hu, eta, rows = 0.3, -0.4, 20_000
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("d.csv"), "y\n0\n1\n2\n3\n")
	write(t, at("p.json"), fmt.Sprintf(`{"hu": %v, "b_Intercept": %v}`, hu, eta))
	for _, args := range [][]string{
		{"formula", "y ~ 1", "--family", "hurdle_poisson", "--data", at("d.csv"), "--out",
			at("m.sg")},
		{"simulate", at("m.sg"), "--set", fmt.Sprint("N=", rows), "--params", at("p.json"), "--out",
			at("s.json")},
	} {
		if status, _, stderr := inProcess(t, "", args...); status != 0 {
			t.Fatal(status, stderr)
		}
	}
	text, err := os.ReadFile(at("s.json"))
	if err != nil {
		t.Fatal(err)
	}
	var drawn struct{ Y []int }
	if err := json.Unmarshal(text, &drawn); err != nil || len(drawn.Y) != rows {
		t.Fatal(err, len(drawn.Y))
	}
	seen := map[int]float64{}
	for _, y := range drawn.Y {
		seen[y] += 1.0 / rows
	}
	rate := math.Exp(eta)
	law := distuv.Poisson{Lambda: rate}
	for k := range 6 {
		want := hu
		if k > 0 {
			want = (1 - hu) * law.Prob(float64(k)) / (1 - math.Exp(-rate))
		}
		if math.Abs(seen[k]-want) > 4*math.Sqrt(want*(1-want)/rows) {
			t.Errorf("%d: a share of %.4f, probability %.4f", k, seen[k], want)
		}
	}
}
