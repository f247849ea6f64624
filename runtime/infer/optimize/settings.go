package optimize

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Setting belongs to some of the algorithms: those whose Uses have it.
type Setting struct {
	Name string // of its flag
	Doc  string
	// of is where a configuration has it; nil there: not given.
	of func(c *Config) **float64
	// bad says what is wrong with a value; "" where nothing is.
	bad func(x float64) string
	// rest is the default where it depends on other settings and the number of rows.
	rest func(c *Config, rows float64) float64
}

// later is a default that depends on other settings.
var later = math.NaN()

// Settings has every setting that not all algorithms have.
var Settings = []Setting{
	{"burnin", "steps of exploration, before the temperature is 0 (default: half of the steps)",
		func(c *Config) **float64 { return &c.Burnin },
		func(x float64) string {
			return unless(x >= 0 && x == math.Trunc(x) && x < 1<<53, "it is a number of steps")
		},
		func(c *Config, _ float64) float64 { return float64(c.Steps / 2) }},
	{"anneal-a", "A of β_t = A t^γ = 1/T, t = 1, 2, …",
		func(c *Config) **float64 { return &c.AnnealA },
		func(x float64) string { return unless(x > 0, "it must be above 0") }, nil},
	{"anneal-gamma", "γ of β_t = A t^γ",
		func(c *Config) **float64 { return &c.AnnealGamma },
		func(x float64) string { return unless(x >= 0, "the system is to cool: at least 0") }, nil},
	{"friction", "D, of the noise 2DTh of a step (default √N for N rows: in the metric g the " +
		"mode's frequencies grow like it)",
		func(c *Config) **float64 { return &c.Friction },
		func(x float64) string { return unless(x >= 0, "it must be at least 0") },
		func(_ *Config, rows float64) float64 { return math.Sqrt(rows) }},
	{"xi0", "where thermostats start (default D)",
		func(c *Config) **float64 { return &c.Xi0 },
		func(float64) string { return "" },
		func(c *Config, _ float64) float64 { return *c.Friction }},
	{"xi-floor", "the least friction of the refinement: what thermostats below it are raised to, " +
		"so that nothing stays undamped (default D/10)",
		func(c *Config) **float64 { return &c.XiFloor },
		func(x float64) string { return unless(x >= 0, "it must be at least 0") },
		func(c *Config, _ float64) float64 { return *c.Friction / 10 }},
	{"momentum", "μ: what a step keeps of the momentum, of adam the decay of its average",
		func(c *Config) **float64 { return &c.Momentum },
		func(x float64) string { return unless(x >= 0 && x < 1, "0 ≤ μ < 1") }, nil},
	{"decay", "σ: what a step keeps of the average of squares",
		func(c *Config) **float64 { return &c.Decay },
		func(x float64) string { return unless(x >= 0 && x < 1, "0 ≤ σ < 1") }, nil},
	{"v0", "where the average of squares starts, in squares of the first gradient: 1, or the " +
		"paper's 0, whose first steps are longer",
		func(c *Config) **float64 { return &c.V0 },
		func(x float64) string { return unless(x >= 0, "it must be at least 0") }, nil},
	{"lambda", "λ: what is added to the root of the squares",
		func(c *Config) **float64 { return &c.Lambda },
		func(x float64) string { return unless(x > 0, "it must be above 0") }, nil},
}

func unless(ok bool, problem string) string {
	if ok {
		return ""
	}
	return problem
}

// resolveSettings fills in defaults, and refuses what the algorithm has not.
func (c *Config) resolveSettings(row *Row, rows float64) error {
	for _, s := range Settings {
		p := s.of(c)
		fallback, used := row.Uses[s.Name]
		switch {
		case !used && *p != nil:
			var have []string
			for i := range Table {
				if _, ok := Table[i].Uses[s.Name]; ok {
					have = append(have, Table[i].Name)
				}
			}
			return &sampler.ConfigError{Setting: s.Name,
				Problem: fmt.Sprintf("algorithm %s has no such setting", row.Name),
				Try:     setting.Text("{algorithm} ") + strings.Join(have, ", ")}
		case !used:
			continue
		case *p == nil:
			x := fallback
			if math.IsNaN(x) {
				x = s.rest(c, rows)
			}
			*p = &x
		}
		x := **p
		problem := s.bad(x)
		if !special.Finite(x) {
			problem = "it must be a number"
		}
		if problem != "" {
			return &sampler.ConfigError{Setting: s.Name, Problem: fmt.Sprintf("%g: %s", x, problem)}
		}
	}
	return nil
}
