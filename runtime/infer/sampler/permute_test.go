package sampler

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A labelledTarget is a target whose params have dims of three entries.
type labelledTarget struct {
	target.Target
	dims [][]string
}

func (l labelledTarget) Outputs() []target.Output {
	var out []target.Output
	for i, b := range l.Target.Blocks() {
		o := target.Output{Name: b.Name, Dims: l.dims[i], Offset: b.Offset, Len: b.Len}
		for range o.Dims {
			o.Shape = append(o.Shape, 3)
		}
		out = append(out, o)
	}
	return out
}

// labels is a posterior of three means with standard deviation 0.1 about centres, in each of the
// six orders, and of a square of labels that goes with the order: its entry i, k has the mean
// 10 i + k of the labels. Orders with the first centre first have the weight w, all others 1.
func labels(w float64) labelledTarget {
	centres := [3]float64{-5, 1, 6}
	orders := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	t := newCurved(func(x, grad []float64) float64 {
		var terms [6]float64
		var slopes [6][12]float64
		top := math.Inf(-1)
		for o, order := range orders {
			if order[0] == 0 {
				terms[o] = special.Log(w)
			}
			each := func(at int, mean, sd float64) {
				u := (x[at] - mean) / sd
				terms[o] -= u * u / 2
				slopes[o][at] = -u / sd
			}
			for i, k := range order {
				each(i, centres[k], 0.1)
				for j, l := range order {
					each(3+3*i+j, float64(10*k+l), 0.5)
				}
			}
			top = max(top, terms[o])
		}
		sum := 0.0
		for o := range terms {
			terms[o] = special.Exp(terms[o] - top)
			sum += terms[o]
		}
		clear(grad)
		for o := range terms {
			for i := range grad {
				grad[i] += terms[o] / sum * slopes[o][i]
			}
		}
		return top + special.Log(sum)
	}, flat(3), flat(9))
	return labelledTarget{t, [][]string{{"K"}, {"K", "K"}}}
}

func permuting(t testing.TB, on target.Target, dim string) *Draws {
	t.Helper()
	c := nutsConfig(300, 2000)
	c.Permute, c.Chains, c.Seed = dim, 16, 5
	d, err := Collect(context.Background(), on, c, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPermute: labels have their masses, whether the posterior depends on their order or not, and
// all params are exchanged together, a square along both of its axes.
func TestPermute(t *testing.T) {
	for _, w := range []float64{1, 3} {
		d := permuting(t, labels(w), "K")
		first, mcse := byChain(d, func(x []float64) float64 {
			if x[0] < -3 {
				return 1
			}
			return 0
		})
		want := 2 * w / (2*w + 4)
		t.Logf("weight %g: %.4f ± %.4f, exactly %.4f", w, first, mcse, want)
		if math.Abs(first-want) > 4*mcse || mcse > 0.02 {
			t.Errorf("weight %g: mass %.4f ± %.4f, exactly %.4f", w, first, mcse, want)
		}
		// A transposition has the first label move in two of three, from or to the first centre.
		rate := 1.0
		if w != 1 {
			rate = want*(1./3+2./(3*w)) + (1 - want)
		}
		if r := rowOf(t, d.Health, "label_exchange"); math.Abs(r.Value-rate) > 0.02 {
			t.Errorf("%+v, and %.3f is expected", r, rate)
		}
		square, _ := byChain(d, func(x []float64) float64 {
			for i := range 3 {
				for j := range 3 {
					k, l := labelOf(x[i]), labelOf(x[j])
					if math.Abs(x[3+3*i+j]-float64(10*k+l)) > 4 {
						return 1
					}
				}
			}
			return 0
		})
		if square != 0 {
			t.Errorf("weight %g: %.4f of the squares are of another order than the means", w, square)
		}
	}
}

// labelOf is the number of the centre that a mean is at.
func labelOf(x float64) int {
	switch {
	case x < -3:
		return 0
	case x < 3:
		return 1
	}
	return 2
}

// TestPermuteNot: a dim that no param has, and samplers without a test, are refused.
func TestPermuteNot(t *testing.T) {
	for _, c := range []struct {
		set  func(c *settings.Config)
		says string
	}{
		{func(c *settings.Config) { c.Permute = "J" }, "no param has a dim J"},
		{func(c *settings.Config) { c.Sampler, c.Step = "sghmc", 0.01 }, "no Metropolis test"},
		{func(c *settings.Config) { c.Temperature = 2 }, "temperature 1"},
	} {
		cfg := nutsConfig(10, 10)
		cfg.Permute = "K"
		c.set(&cfg)
		_, err := NewChain(labels(1), cfg, 0)
		var refused *settings.ConfigError
		if !errors.As(err, &refused) || refused.Setting != "permute" ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, and %q is expected", err, c.says)
		}
	}
}

// TestPermuteResumed: a chain that goes on from a checkpoint has the bits of one that was not
// interrupted.
func TestPermuteResumed(t *testing.T) {
	c := nutsConfig(40, 60)
	c.Permute = "K"
	run := func(interrupt bool) []byte {
		ch, err := NewChain(labels(3), c, 0)
		if err != nil {
			t.Fatal(err)
		}
		for !ch.Done() {
			if err := ch.Step(); err != nil {
				t.Fatal(err)
			}
			if interrupt && ch.Steps() == 70 {
				text, err := ch.AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				if ch, err = NewChain(labels(3), c, 0); err != nil {
					t.Fatal(err)
				}
				if err := ch.UnmarshalBinary(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		text, err := ch.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if !bytes.Equal(run(false), run(true)) {
		t.Error("the chain goes on with other bits")
	}
}

// TestPermuteAllocates: exchanges of labels take no memory.
func TestPermuteAllocates(t *testing.T) {
	c := nutsConfig(40, 2000)
	c.Permute = "K"
	ch, err := NewChain(labels(1), c, 0)
	if err != nil {
		t.Fatal(err)
	}
	for ch.Steps() < 60 {
		if err := ch.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, func() { err = errors.Join(err, ch.permute()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if err != nil {
		t.Error(err)
	}
}
