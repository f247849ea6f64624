package sampler

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/special"
)

func TestConfigErrors(t *testing.T) {
	rows := newGaussian(variances(3)).withRows(40, 1)
	none := newGaussian(variances(3))
	for _, c := range []struct {
		flag, want string
		g          *gaussian
		change     func(*settings.Config)
	}{
		{"sampler", "msgnht", none, func(c *settings.Config) { c.Sampler = "nope" }},
		{"scheme", "split", none, func(c *settings.Config) { c.Scheme = "leapfrog" }},
		{"scheme", "euler", none,
			func(c *settings.Config) { c.Sampler, c.Scheme = "sgld", "split" }},
		{"scheme", "split", none,
			func(c *settings.Config) { c.Sampler, c.Scheme = "gsgnht", "euler" }},
		{"thermostat", "has none", none,
			func(c *settings.Config) { c.Sampler, c.Thermostat = "sghmc", "all" }},
		{"thermostat", "geodesic_sgnht", none,
			func(c *settings.Config) { c.Sampler, c.Thermostat = "msgnht", "all" }},
		{"xi0", "constant", none,
			func(c *settings.Config) { x := 1.0; c.Sampler, c.Xi0 = "sghmc", &x }},
		{"xi0", "NaN", none, func(c *settings.Config) { x := math.NaN(); c.Xi0 = &x }},
		{"step", "above 0", none, func(c *settings.Config) { c.Step = -1 }},
		{"step", "above 0", none, func(c *settings.Config) { c.Step = math.NaN() }},
		{"step", "above 0", none, func(c *settings.Config) { c.Step = math.Inf(1) }},
		{"step-schedule", "poly:a,b,gamma", none,
			func(c *settings.Config) { c.Schedule = "linear" }},
		{"temperature", "optimiser", none, func(c *settings.Config) { c.Temperature = 0 }},
		{"friction", "at least 0", none, func(c *settings.Config) { c.Friction = -1 }},
		{"friction", "forgets", none,
			func(c *settings.Config) { c.Sampler, c.Friction = "sghmc", 0 }},
		{"local-draws", "below 1", none, func(c *settings.Config) { c.Kept = -1 }},
		{"local-thin", "below 1", none, func(c *settings.Config) { c.LocalOptions.Thin = -2 }},
		{"local-leapfrog", "below 1", none,
			func(c *settings.Config) { c.LocalOptions.Leapfrog = -1 }},
		{"chains", "below 1", none, func(c *settings.Config) { c.Chains = 0 }},
		{"warmup", "below 0", none, func(c *settings.Config) { c.Warmup = -1 }},
		{"thin", "below 1", none, func(c *settings.Config) { c.Thin = 0 }},
		{"draws", "counted", none,
			func(c *settings.Config) { c.Draws, c.Thin = math.MaxInt64/2, 3 }},
		{"inner-steps", "below 1", none, func(c *settings.Config) { c.InnerSteps = 0 }},
		{"batch", "exclude", rows, func(c *settings.Config) { c.Batch = 3 }},
		{"batch", "has 40", rows, func(c *settings.Config) { c.FullBatch, c.Batch = false, 41 }},
		{"batch", "no axis", none, func(c *settings.Config) { c.FullBatch, c.Batch = false, 4 }},
		{"batch-order", "replace", rows, func(c *settings.Config) { c.BatchOrder = "random" }},
		{"grad-noise", "2DT", none, func(c *settings.Config) { c.GradNoise = 21 }},
		{"grad-noise", "no kick", none,
			func(c *settings.Config) { c.Sampler, c.GradNoise = "sgld", 1 }},
		{"grad-noise", "at least 0", none, func(c *settings.Config) { c.GradNoise = -1 }},
		{"synthetic-noise", "diffusion:B", none,
			func(c *settings.Config) { c.SyntheticNoise = "white" }},
		{"synthetic-noise", "diffusion:B", none,
			func(c *settings.Config) { c.SyntheticNoise = "gradient:-1" }},
		{"init", "radius", none, func(c *settings.Config) { c.InitRadius = -1 }},
		{"init", "2 starting points for 1", none,
			func(c *settings.Config) { c.Init = make([][]float64, 2) }},
		{"init", "2 coordinates, the model 3", none,
			func(c *settings.Config) { c.Init = [][]float64{{1, 2}} }},
	} {
		cfg := config("msgnht", "", 0.1)
		c.change(&cfg)
		err := cfg.Validate(c.g)
		var ce *settings.ConfigError
		if !errors.As(err, &ce) || ce.Setting != c.flag || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %s with %q, got %v", c.flag, c.want, err)
		}
	}
}

func TestResolve(t *testing.T) {
	c := settings.DefaultConfig()
	c.Step, c.Sampler, c.FullBatch = 0.1, "geodesic_sgnht", true
	r, err := c.Resolve(newGaussian(variances(3)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Sampler != "geodesic_sgnht" || r.Scheme != "split" || r.Thermostat != "coordinate" ||
		!r.FullBatch {
		t.Errorf("resolved to %+v", r)
	}
	again, err := r.Resolve(newGaussian(variances(3)))
	if err != nil || !reflect.DeepEqual(r, again) {
		t.Errorf("resolving twice: %+v, %v", again, err)
	}
	xi := 3.0
	r.Xi0 = &xi
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back settings.Config
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(r, back) {
		t.Errorf("JSON gave %+v, %v", back, err)
	}
	r.Sampler = "sggmc"
	r.Xi0, r.Thermostat = nil, ""
	if r, err = r.Resolve(newGaussian(variances(3))); err != nil || r.Sampler != "geodesic_sghmc" ||
		r.Thermostat != "" {
		t.Errorf("the alias resolved to %+v, %v", r, err)
	}
}

// TestUnknownSpace and TestCurvedBlock: a block on a space that is not there,
// and one on a curved space.
func TestUnknownSpace(t *testing.T) {
	g := newGaussian(variances(3))
	g.blocks[0].Geometry.Kind = "torus"
	var ue *manifold.UnknownError
	if err := config("msgnht", "", 0.1).Validate(g); !errors.As(err, &ue) || ue.Kind != "torus" {
		t.Errorf("got %v", err)
	}
}

func TestCurvedBlock(t *testing.T) {
	saved := manifold.Table
	defer func() { manifold.Table = saved }()
	manifold.Table = append([]manifold.Row{{Kind: "bent",
		New: func(g target.Geometry) (manifold.Manifold, error) {
			return manifold.NewEuclidean(g.Dim), nil
		}}}, saved...)
	g := newGaussian(variances(5), 2, 3)
	g.blocks[1].Geometry.Kind = "bent"
	for _, r := range table.Table {
		if r.Conditionals || r.Still { // they depend on the model
			continue
		}
		err := config(r.Name, "", 0.1).Validate(g)
		var be *settings.BlockError
		switch {
		case r.Space != "":
			if !errors.As(err, &be) || be.Block != "a" || !slices.Contains(be.Usable, "sgld") ||
				!strings.Contains(err.Error(), "expanded_mean") {
				t.Errorf("%s: %v", r.Name, err)
			}
		case r.Curved && err != nil:
			t.Errorf("%s: %v", r.Name, err)
		case !r.Curved && (!errors.As(err, &be) || be.Block != "b" || len(be.Usable) != 4 ||
			!strings.Contains(err.Error(), "geodesic_sgnht")):
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	// One thermostat a coordinate on the flat block, one a point on the bent one.
	ch := mustChain(t, g, config("gsgnht", "", 0.1), 0)
	if n := len(ch.Xi()); n != 3 {
		t.Errorf("%d thermostats, want 2 + 1", n)
	}
	mustSteps(t, ch, 10)
}

func TestInit(t *testing.T) {
	g := newGaussian(variances(3))
	c := config("sghmc", "", 0.1)
	c.Chains = 2
	c.Init = [][]float64{{1, 2, 3}, {4, 5, 6}}
	if x := mustChain(t, g, c, 1).Position(); x[0] != 4 {
		t.Errorf("chain 1 starts at %v", x)
	}
	c.Init = c.Init[:1]
	if x := mustChain(t, g, c, 1).Position(); x[2] != 3 {
		t.Errorf("chain 1 starts at %v", x)
	}
	c.Init, c.InitRadius = nil, 0
	if x := mustChain(t, g, c, 1).Position(); x[0] != 0 || x[1] != 0 {
		t.Errorf("the origin is %v", x)
	}
	c.InitRadius = 0.5
	a, b := mustChain(t, g, c, 0).Position(), mustChain(t, g, c, 1).Position()
	if a[0] == b[0] || math.Abs(a[0]) > 0.5 || a[0] == a[1] {
		t.Errorf("chains start at %v and %v", a, b)
	}
	// v ~ N(0, T), ξ = D.
	c.Temperature, c.Sampler, c.Friction = 9, "msgnht", 2.5
	ch := mustChain(t, newGaussian(variances(4000)), c, 0)
	if k := ch.Stats().Kinetic[0]; math.Abs(k-9) > 1 {
		t.Errorf("the kinetic temperature starts at %g, want 9", k)
	}
	if ch.Xi()[17] != 2.5 {
		t.Errorf("ξ starts at %g", ch.Xi()[17])
	}
	xi := -1.0
	c.Xi0 = &xi
	if got := mustChain(t, g, c, 0).Xi()[0]; got != -1 {
		t.Errorf("ξ starts at %g, want --xi0", got)
	}
	// No density, no start; a density in part of the space is found.
	bad := newWell(func(float64) float64 { return math.Inf(1) }, func(float64) float64 { return 0 })
	var ie *start.Error
	if _, err := NewChain(bad, config("sghmc", "", 0.1), 3); !errors.As(err, &ie) ||
		ie.Chain != 3 || !strings.Contains(err.Error(), "-Inf") {
		t.Errorf("got %v", err)
	}
	half := newWell(func(x float64) float64 { return math.Log(x) },
		func(float64) float64 { return 0 })
	for k := range 5 {
		if x := mustChain(t, half, config("sghmc", "", 0.1), k).Position(); x[0] <= 0 {
			t.Errorf("chain %d starts at %g, where the density is NaN", k, x[0])
		}
	}
}

// TestDraws: draw i is the state after warm-up and (i + 1) thin steps, and the
// warm-up's states come on request.
func TestDraws(t *testing.T) {
	g := newGaussian(variances(2))
	c := config("sghmc", "", 0.1)
	c.Warmup, c.Draws, c.Thin, c.SaveWarmup, c.LogDensity, c.LogDensityEstimate = 7, 4, 3, true,
		true, true
	r := mustRun(t, g, c, 1)
	ch := mustChain(t, g, c, 0)
	var want [][]float64
	for s := 1; s <= 7+12; s++ {
		mustSteps(t, ch, 1)
		if s == 3 || s == 6 || s > 7 && (s-7)%3 == 0 {
			want = append(want, append([]float64(nil), ch.Position()...))
		}
	}
	if !sameDraws(want, r.draws[0]) || len(want) != 6 {
		t.Errorf("%d draws, want %d", len(r.draws[0]), len(want))
	}
	for i, s := range r.stats[0] {
		lp := g.NewEvaluator(1).LogDensity(want[i], nil, 1, 1)
		if s.Warmup != (i < 2) || s.StepSize != 0.1 || s.Temperature != 1 || s.LP != lp ||
			s.LPEst != lp || !(s.GradNorm > 0) || s.Xi[0] != 1 {
			t.Errorf("statistics %d are %+v", i, s)
		}
	}
	if i := r.index[0]; i[0] != 0 || i[1] != 1 || i[2] != 0 || i[5] != 3 {
		t.Errorf("indices %v", i)
	}
	c.SaveWarmup, c.LogDensity, c.LogDensityEstimate = false, false, false
	if r := mustRun(t, g, c, 1); len(r.draws[0]) != 4 || !math.IsNaN(r.stats[0][0].LP) ||
		!math.IsNaN(r.stats[0][0].LPEst) {
		t.Errorf("%d draws", len(r.draws[0]))
	}
}

// TestNonFinite: a step that is too large stops the run at the first state
// that is not finite, with the block, the step and what to try.
func TestNonFinite(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		if row.Preconditioner {
			return // it takes bounded steps
		}
		g := newGaussian([]float64{1, 1, 1e-4}, 2, 1)
		c := config(row.Name, scheme, 0.5)
		c.Draws = 100000
		c.Thin = 1000
		c.Draws = 20
		_, err := Run(context.Background(), g, c, newRecorder(), RunOptions{})
		if row.Thermostat() && scheme == "split" {
			// Here ξ grows until exp(−ξh/2) holds the velocity: wrong, but finite,
			// and seen by the health statistics.
			if err != nil {
				t.Errorf("%s %s: %v", row.Name, scheme, err)
			}
			return
		}
		e, ok := IsNonFinite(err)
		if !ok {
			t.Errorf("%s %s: %v", row.Name, scheme, err)
			return
		}
		if e.Block != "b" || e.Index != 0 || e.LastGood != e.Step-1 || e.Step < 2 ||
			special.Finite(e.Value) {
			t.Errorf("%s %s: %+v", row.Name, scheme, e)
		}
		if split := strings.Contains(err.Error(), "--scheme split"); split !=
			(scheme == "euler" && row.Velocity) ||
			!strings.Contains(err.Error(), "smaller --step") {
			t.Errorf("%s %s: %v", row.Name, scheme, err)
		}
	})
}

// TestConfigKeys: the JSON of settings is flat, and its keys have the order of the groups,
// which stored runs depend on byte for byte.
func TestConfigKeys(t *testing.T) {
	text, err := json.Marshal(settings.DefaultConfig())
	want := `{"sampler":"auto","scheme":"","step":0,"step_schedule":"constant","friction":1,` +
		`"temperature":1,"thermostat":"","inner_steps":1,"grad_noise":0,"synthetic_noise":"",` +
		`"preconditioner_decay":0.99,"preconditioner_lambda":0.00001,"batch":0,"full_batch":false,` +
		`"batch_order":"shuffle","chains":4,"warmup":1000,"draws":1000,"thin":1,"seed":1,` +
		`"save_warmup":false,"init_radius":2,"log_density":false,"log_density_estimate":false}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
}
