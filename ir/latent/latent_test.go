package latent

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/ir/opt"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A chainCase is a file of testdata: the terms of a row before, the chain after,
// and lines "local NAME KIND" with the locals.
type chainCase struct {
	name    string
	archive *txtar.Archive
	locals  []Local
}

func cases(t *testing.T) []chainCase {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	var out []chainCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := chainCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), archive: archive}
		for _, line := range strings.Split(string(archive.Comment), "\n") {
			words := strings.Fields(line)
			if len(words) < 3 || words[0] != "local" {
				continue
			}
			z := Local{Name: words[1], By: "gibbs"}
			switch words[2] {
			case "index":
				z.Values = size.Const(3)
			case "bool":
				z.Values, z.Bit = size.Const(2), true
			case "real":
				z.By, z.Chart = "gmc", &Chart{}
			case "gamma":
				z.By, z.Chart, z.Gamma = "gmc", &Chart{}, true
			default:
				t.Fatalf("%s: a local of kind %s", path, words[2])
			}
			c.locals = append(c.locals, z)
		}
		out = append(out, c)
	}
	return out
}

// derive makes the chain of the terms of a case.
func (c *chainCase) derive(t *testing.T) (*ir.Builder, *Chain, *limits.Error) {
	b := ir.NewBuilder()
	f, err := ir.Parse(b, string(c.archive.Files[0].Data))
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	rows := Rows{Row: f.Outputs[0].Axes[0], Full: b.Axis("all", size.Dim("N")), Terms: f.Outputs}
	chain, refused := Derive(rows, c.locals,
		Options{Optimiser: &opt.Optimiser{B: b}, Counts: []string{"y"}})
	return b, chain, refused
}

// TestChains: testdata/NAME.txtar has the terms of a row and the chain of its
// locals.
func TestChains(t *testing.T) {
	for _, c := range cases(t) {
		_, chain, err := c.derive(t)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := ir.Verify(chain.Func); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := chain.Func.String()
		if *update {
			files := []txtar.File{c.archive.Files[0], {Name: "chain", Data: []byte(got)}}
			text := txtar.Format(&txtar.Archive{Comment: c.archive.Comment, Files: files})
			if err := os.WriteFile(filepath.Join("testdata", c.name+".txtar"), text, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if len(c.archive.Files) < 2 || got != string(c.archive.Files[1].Data) {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}

// draws runs the chain of a case by the reference semantics, for many rows of the
// same data: one draw of each, behind a few sweeps.
func (c *chainCase) draws(t *testing.T, rows, burn int, y float64) map[string][]float64 {
	_, chain, refused := c.derive(t)
	if refused != nil {
		t.Fatal(refused)
	}
	env := &ir.Env{Sizes: map[string]int{"N": rows, "B": 2, model.KeptDim: 1, model.BurnDim: burn,
		model.ThinDim: 1, model.LeapsDim: 4},
		Data: map[string][]float64{"y": slices.Repeat([]float64{y}, rows)}}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, v := range chain.Func.Values() {
		if v.Op != ir.OpLocal || env.Data[v.Name] != nil {
			continue
		}
		n := 1
		for _, a := range v.Axes {
			k, ok := a.Size.Eval(env.Sizes)
			if !ok {
				t.Fatalf("no size of %v", a)
			}
			n *= k
		}
		draw := func() float64 { return 0.5 } // the first step of a trajectory
		if i := slices.IndexFunc(chain.Spec.Random,
			func(r model.Random) bool { return r.Name == v.Name }); i >= 0 {
			if draw = rng.Float64; chain.Spec.Random[i].Law == "normal" {
				draw = rng.NormFloat64
			}
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = draw()
		}
		env.Data[v.Name] = x
	}
	out := map[string][]float64{}
	for name, a := range ir.Eval(chain.Func, env) {
		out[name] = a.Data
	}
	return out
}

// TestChainLaws holds what chains draw to the posterior of a row, which each case
// has in closed form: frequencies of values, or the mean and the variance.
func TestChainLaws(t *testing.T) {
	data := map[string]float64{"category": 0.4, "coupled": 0.7, "normal": 1.5, "rate": 3}
	// The posteriors: of category by weights; of coupled, with x = z0 + z1 for bits,
	// by the four sums; of normal N(y/2, 1/2); of rate a gamma law in its logarithm.
	normal := func(x, m float64) float64 { return math.Exp(-0.5 * (x - m) * (x - m)) }
	for _, c := range cases(t) {
		y := data[c.name]
		rows, burn := 800, 4
		if c.name == "normal" { // whose steps are many
			rows, burn = 250, 7
		}
		x := c.draws(t, rows, burn, y)
		switch c.name {
		case "category":
			var want [3]float64
			total := 0.0
			for k := range want {
				want[k] = normal(y, float64(k))
				total += want[k]
			}
			var got [3]float64
			for _, z := range x["local z"] {
				got[int(z)] += 1 / float64(rows)
			}
			for k := range want {
				if math.Abs(got[k]-want[k]/total) > 0.06 {
					t.Errorf("z is %d with frequency %.3f, its probability is %.3f", k, got[k],
						want[k]/total)
				}
			}
		case "coupled":
			want, total := map[string]float64{}, 0.0
			for a := range 2 {
				for b := range 2 {
					p := normal(y, float64(a+b))
					want[fmt.Sprint(a, b)], total = p, total+p
				}
			}
			z := x["local z"] // the two entries of a row stand together
			got := map[string]float64{}
			for i := range rows {
				got[fmt.Sprint(int(z[2*i]), int(z[2*i+1]))] += 1 / float64(rows)
			}
			for k, p := range want {
				if math.Abs(got[k]-p/total) > 0.06 {
					t.Errorf("z is %s with frequency %.3f, its probability is %.3f", k, got[k], p/total)
				}
			}
		case "normal":
			mean, variance := moments(x["local z"])
			if math.Abs(mean-y/2) > 0.15 || math.Abs(variance-0.5) > 0.17 {
				t.Errorf("z has mean %.3f and variance %.3f, want %.3f and 0.5", mean, variance, y/2)
			}
		case "rate": // gamma(2 + y, 1 + 1)
			for i, v := range x["local z"] {
				x["local z"][i] = math.Exp(v)
			}
			mean, variance := moments(x["local z"])
			if math.Abs(mean-(2+y)/2) > 0.15 || math.Abs(variance-(2+y)/4) > 0.25 {
				t.Errorf("z has mean %.3f and variance %.3f, want %.3f and %.3f", mean, variance,
					(2+y)/2, (2+y)/4)
			}
		default:
			t.Errorf("the case %s has no law", c.name)
		}
	}
}

func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, variance
}

// TestRefused: gibbs is refused for a continuous local whose full conditional is
// no gamma law, and a local whose leaf does not have the rows first.
func TestRefused(t *testing.T) {
	for _, c := range cases(t) {
		if c.name != "normal" {
			continue
		}
		c.locals[0].By, c.locals[0].Gamma = "gibbs", true
		if _, _, err := c.derive(t); err == nil || err.Code != limits.LocalNotLowered {
			t.Errorf("got %v, want an error of code %s", err, limits.LocalNotLowered)
		}
	}
}
