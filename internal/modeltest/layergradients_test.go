package modeltest

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// layerModels have, for every layer of nn and every function that networks are
// made with, a model in which nothing else is: z are what goes in, unknowns, so
// that the cotangents of a layer's input are seen as well as those of its
// parameters.
var layerModels = map[string]string{
	"Dense": `
param z[3] : real
layer l = Dense(3, 4)
for n in N { factor sum(g[n, 0:4] * l(z + x[n])) }`,
	"Conv2d": `
param z[2, 5, 4] : real
layer l = Conv2d(2, 3, 2)
for n in N { factor sum(g[n, 0] * l(z)) + sum(l(x[n, 0] * z)^2) }`,
	"Inception": `
param z[2, 3, 4] : real
layer l = Inception(2, 1, 2, 1, 1, 2, 1)
for n in N {
  let a = l(x[n, 0] * z)
  factor sum(g[n] * flatten(a[:, 0:1, 0:1])) + sum(a^2)
}`,
	"GRU": `
param z[4] : real
layer l = GRU(3, 4)
for n in N { factor sum(g[n, 0:4] * l(l(z, x[n]), z[0:3])) }`,
	"LSTM": `
param z[4], m[4] : real
layer l = LSTM(3, 4)
for n in N {
  let (a, b) = l(z, m, x[n])
  let (c, d) = l(a, b, z[0:3])
  factor sum(g[n, 0:4] * (c + 0.5 * d))
}`,
	"Embedding": `
layer l = Embedding(3, 4)
for n in N { factor sum(g[n, 0:4] * tanh(l(k[n]))) }`,
	"LayerNorm": `
param z[3] : real
layer l = LayerNorm(3)
for n in N { factor sum(g[n, 0:3] * l(z + x[n])) }`,
	"Dropout": `
param z[3] : real
layer l = Dropout(0.4)
for n in N { factor sum(g[n, 0:3] * l(z + x[n])^2) }`,
	"relu":     entrywise("relu"),
	"tanh":     entrywise("tanh"),
	"sigmoid":  entrywise("sigmoid"),
	"softplus": entrywise("softplus"),
	"gelu":     entrywise("gelu"),
	"a rectified layer": `
param z[3], b[5], W[3, 5] : real
for n in N { factor sum(g[n] * relu((z * x[n]) @ W + b)) }`,
	"Dense of sparse rows": `
layer l = Dense(12, 16)
for n in N { factor sum(g[n, 0] * tanh(l(s[n]))) + sum(relu(l(s[n])^2)) }`,
	"max_pool2d":                       pooled("max_pool2d(z, 2)"),
	"avg_pool2d":                       pooled("avg_pool2d(z, 2)"),
	"max_pool2d, padded":               pooled("max_pool2d(z, 3, stride = 1, pad = 1)"),
	"avg_pool2d, padded":               pooled("avg_pool2d(z, 3, stride = 2, pad = 2)"),
	"max_pool2d, windows that overlap": pooled("max_pool2d(z, 3, stride = 1)"),
	"max_pool2d of a rectified layer": `
param z[2, 5, 4], b[2], w[1, 2, 1, 1] : real
for n in N {
  let a = max_pool2d(relu([(x[n, 0] * z)[c, :, :] + b[c] for c in 2]), 2, stride = 2)
  factor sum(g[n, 0:4] * flatten(conv2d(a, w))) 
}`,
	"flatten": `
param z[2, 2] : real
for n in N { factor sum(g[n, 0:4] * flatten(x[n, 0] * z^2)) }`,
}

func entrywise(name string) string {
	return "\nparam z[3] : real\nfor n in N { factor sum(g[n, 0:3] * " + name + "(x[n] * z)) }"
}

func pooled(call string) string {
	return "\nparam z[2, 5, 4] : real\nfor n in N { factor sum(flatten(g[n, 0] * tanh(" + call +
		"))) }"
}

// The gradient of every layer against central differences in double precision,
// in all coordinates, and in single precision against double: within 2e-6 of
// the largest entry.
func TestLayerGradients(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "stdlib", "nn.sg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^layer (\w+)\(`).FindAllStringSubmatch(string(text),
		-1) {
		if layerModels[m[1]] == "" {
			t.Errorf("no model of the layer %s", m[1])
		}
	}
	for name, text := range layerModels {
		t.Run(name, func(t *testing.T) {
			text := "use nn\ndim N\ndata x[N] : real[3]\ndata g[N] : real[5]\n" +
				"data k[N] : index[3]\ndata s[N] : sparse real[12]\n" + strings.TrimSpace(text) +
				"\n"
			c, diags := driver.Compile(source.New("model.sg", text), driver.Options{})
			if c == nil {
				t.Fatalf("%s\n%s", diags[0].Message, text)
			}
			single := copied(c)
			if err := single.ToSingle(); err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				r := rand.New(rand.NewPCG(seed, 41))
				bound := randomData(&c.Spec.Schema, map[string]int{"N": 4}, r)
				m, err := c.VM(bound, nil)
				if err != nil {
					t.Fatal(err)
				}
				m32, err := single.VM(bound, nil)
				if err != nil {
					t.Fatal(err)
				}
				at := make([]float64, m.Dim())
				for i := range at {
					at[i] = 0.7 * r.NormFloat64()
				}
				e := m.Evaluator(0)
				grad, grad32 := make([]float64, len(at)), make([]float64, len(at))
				e.Gradient(at, nil, 1, 1, grad)
				m32.Evaluator(0).Gradient(at, nil, 1, 1, grad32)
				largest := 0.0
				for _, v := range grad {
					largest = max(largest, math.Abs(v))
				}
				if largest == 0 {
					t.Fatalf("no gradient\n%s", text)
				}
				for i, v := range at {
					const h = 1e-5
					at[i] = v + h
					up := e.LogDensity(at, nil, 1, 1)
					at[i] = v - h
					want := (up - e.LogDensity(at, nil, 1, 1)) / (2 * h)
					at[i] = v
					if !near(grad[i], want, 1e-7) {
						t.Errorf("gradient[%d] is %v, differences give %v", i, grad[i], want)
					}
					if d := math.Abs(grad32[i] - grad[i]); !(d <= 2e-6*largest) {
						t.Errorf("gradient[%d] in single precision is %v, in double %v: %.2g of "+
							"the largest", i, grad32[i], grad[i], d/largest)
					}
				}
			}
		})
	}
}
