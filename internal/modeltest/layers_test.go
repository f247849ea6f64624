package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

func init() {
	for name, text := range map[string]string{
		"layers of nn": `
use nn
dim N, T
data x[N, T] : real[2]
data k[N] : index[3]
data y[N] : real
layer e = Embedding(3, 2), g = GRU(2, 3), m = LSTM(2, 3), n = LayerNorm(3), o = Dense(6, 1)
for i in N {
  let h = scan t in T from h = zeros(3) { g(h, x[i, t] + e(k[i])) }
  let (a, b) = scan t in T from (a = zeros(3), b = zeros(3)) { m(a, b, x[i, t]) }
  y[i] ~ normal(o(concat(n(h[T]), gelu(a[T]) + softplus(b[T])))[0], 1)
}`,
		"a family of layers": `
use nn
dim N
const D = 3
data x[N] : real[4]
data y[N] : real
layer hid[D] = Dense(4, 4), o = Dense(4, 1)
for n in N {
  let h = scan l in D from h = x[n] { tanh(hid[l](h)) }
  y[n] ~ normal(o(h[D])[0], 1)
}`,
		"a layer with numbers": `
dim N
data x[N] : real[3]
data s : real
data y[N] : real
layer Thin(n, rate : unit, scale : real = 2) {
  param w[n] : real ~ normal(0, 1)
  fn twice(z : real) -> real { scale * z }
  fn apply(x : real[n]) -> real[n] { twice(rate * x * w) }
}
layer a = Thin(3, 0.25, s), b = Thin(scale = 3, n = 3, rate = 0.5)
for n in N { y[n] ~ normal(sum(b(a(x[n]))), 1) }`,
		"a sequence written out": `
use nn
dim T
data x[T] : bool[3]
layer cell = GRU(3, 4), out = Dense(4, 3)
param h0[4] : real ~ normal(0, 1)
let h = scan t in T from h = tanh(h0) { cell(h, x[t]) }
for t in T { x[t] ~ bernoulli_logit(out(h[t])) }`,
	} {
		tricky[name] = text
	}
}

// affine is x @ W + b, with W by rows.
func affine(x, w, b []float64) []float64 {
	out := make([]float64, len(b))
	for j := range out {
		out[j] = b[j]
		for i, v := range x {
			out[j] += v * w[i*len(b)+j]
		}
	}
	return out
}

func each(f func(x ...float64) float64, args ...[]float64) []float64 {
	out := make([]float64, len(args[0]))
	for i := range out {
		x := make([]float64, len(args))
		for k, a := range args {
			x[k] = a[i]
		}
		out[i] = f(x...)
	}
	return out
}

func gate(x ...float64) float64 { return 1 / (1 + math.Exp(-x[0]-x[1])) }
func bent(x ...float64) float64 { return math.Tanh(x[0] + x[1]) }

// The layers of nn are their equations, written out.
func TestLayers(t *testing.T) {
	const in, n = 3, 4
	none := make([]float64, n)
	for _, c := range []struct {
		name, use string
		apply     func(p map[string][]float64, h, m, x []float64) []float64
	}{
		{"GRU", "l(h, x)", func(p map[string][]float64, h, m, x []float64) []float64 {
			r := each(gate, affine(x, p["Wr"], p["br"]), affine(h, p["Ur"], none))
			z := each(gate, affine(x, p["Wz"], p["bz"]), affine(h, p["Uz"], none))
			u := each(func(x ...float64) float64 {
				return x[0] * x[1]
			}, affine(h, p["Uc"], none), r)
			c := each(bent, affine(x, p["Wc"], p["bc"]), u)
			return each(func(x ...float64) float64 { return x[0]*x[1] + (1-x[0])*x[2] }, z, h, c)
		}},
		{"LSTM", "both(h, m, x)", func(p map[string][]float64, h, m, x []float64) []float64 {
			i := each(gate, affine(x, p["Wi"], p["bi"]), affine(h, p["Ui"], none))
			f := each(gate, affine(x, p["Wf"], p["bf"]), affine(h, p["Uf"], none))
			o := each(gate, affine(x, p["Wo"], p["bo"]), affine(h, p["Uo"], none))
			g := each(bent, affine(x, p["Wg"], p["bg"]), affine(h, p["Ug"], none))
			next := each(func(x ...float64) float64 { return x[0]*x[1] + x[2]*x[3] }, f, m, i, g)
			return append(each(func(x ...float64) float64 { return x[0] * math.Tanh(x[1]) }, o,
				next), next...)
		}},
		{"Dense", "l(x)", func(p map[string][]float64, h, m, x []float64) []float64 {
			return affine(x, p["W"], p["b"])
		}},
		{"Embedding", "l(k)", func(p map[string][]float64, h, m, x []float64) []float64 {
			return p["W"][2*n : 3*n]
		}},
		{"LayerNorm", "l(h)", func(p map[string][]float64, h, m, x []float64) []float64 {
			var mean, square float64
			for _, v := range h {
				mean += v / n
			}
			for _, v := range h {
				square += (v - mean) * (v - mean) / n
			}
			return each(func(x ...float64) float64 {
				return (1+x[1])*(x[0]-mean)/math.Sqrt(square+1e-5) + x[2]
			}, h, p["g"], p["b"])
		}},
	} {
		sizes, data, out := "3, 4", "data h[4], m[4], x[3] : real\ndata k : index[3]\n", n
		if c.name == "LayerNorm" {
			sizes = "4"
		}
		text := "use nn\n" + data + "layer l = " + c.name + "(" + sizes + ")\n"
		if c.name == "LSTM" {
			out = 2 * n
			text += "fn both(h : real[4], m : real[4], x : real[3]) -> real[8] {\n" +
				"  let (a, b) = l(h, m, x)\n  concat(a, b)\n}\n"
		}
		text += "track out = " + c.use + "\n"
		r := rand.New(rand.NewPCG(3, 3))
		normals := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			return x
		}
		h, mem, x := normals(n), normals(n), normals(in)
		m := bindArrays(t, text, nil, map[string][]float64{"h": h, "m": mem, "x": x, "k": {2}})
		state := normals(m.Dim())
		values := make([]float64, m.OutputLen())
		m.Evaluator(0).Constrain(state, values)
		p, got := map[string][]float64{}, []float64(nil)
		for _, o := range m.Outputs() {
			v := values[o.Offset : o.Offset+o.Len]
			if o.Track {
				got = v
			} else {
				p[o.Name[len("l."):]] = v
			}
		}
		want := c.apply(p, h, mem, x)
		if len(got) != out || len(want) != out {
			t.Fatalf("%s gives %d numbers, want %d", c.name, len(got), out)
		}
		for i := range want {
			if !near(got[i], want[i], 1e-14) {
				t.Errorf("%s gives %v, want %v", c.name, got, want)
				break
			}
		}
	}
}

// A gradient reads again what the steps of a scan have computed: the tanh of
// recurrent units is made in the steps and nowhere else, and where it is what is
// carried, as in a plain recurrence, it is kept once.
func TestStepsAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		cell string
		kept int // arrays along the steps that the scan writes
	}{
		"gated": {"layer g = GRU(3, 8), o = Dense(8, 1)", 7},
		"plain": {"layer w = Dense(3, 8), o = Dense(8, 1)\nparam U[8, 8] : real\n" +
			"fn g(h : real[8], x : real[3]) -> real[8] { tanh(h @ U + w(x)) }", 1},
	} {
		text := `
use nn
dim N, T
data x[N, T] : real[3]
data y[N] : real
` + c.cell + `
for n in N {
  let h = scan t in T from h = zeros(8) { g(h, x[n, t]) }
  y[n] ~ normal(o(h[T])[0], 1)
}`
		model, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
		if model == nil {
			t.Fatal(diags[0].Message)
		}
		i := slices.IndexFunc(model.Programs,
			func(p *plan.Program) bool { return p.ID.Kind == fn.Gradient })
		inside, outside, kept := 0, 0, map[*plan.Buffer]bool{}
		forward := true
		for _, s := range model.Programs[i].Steps[plan.Rows] {
			if s.Kernel != nil && s.Kernel.Name == "tanh" {
				outside++
			}
			if s.Sequence == nil {
				continue
			}
			for _, s := range s.Sequence.Steps {
				if s.Kernel != nil && s.Kernel.Name == "tanh" {
					inside++
				}
				if s.Loop == nil || !forward {
					continue
				}
				for _, in := range s.Loop.Body {
					for _, to := range in.Stores {
						if len(to.At) > 0 {
							kept[to.Buf] = true
						}
					}
				}
			}
			forward = false
		}
		if inside != 1 || outside != 0 {
			t.Errorf("%s: tanh is computed %d times in steps and %d times for all of them, want 1 and 0",
				name, inside, outside)
		}
		if len(kept) != c.kept {
			t.Errorf("%s: the steps write %d arrays, want %d", name, len(kept), c.kept)
		}
	}
}
