package posterior

import (
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/ir/limits"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// TestPredictTwice holds the order in which latent values are drawn to that of the
// model: it decides which random numbers each of them gets.
func TestPredictTwice(t *testing.T) {
	const text = `dim N
data y[N] : real
param m : real ~ normal(0, 1)
for n in N {
  local a : real ~ normal(m, 1)
  local s[2] : positive ~ gamma(2, 1)
  y[n] ~ normal(a, s[0] + s[1])
}`
	for range 32 {
		file, _ := parser.Parse(source.New("model.sg", text))
		p, diags := Predict(check.Check(file, check.Options{}), Options{Sampled: true})
		if p == nil {
			t.Fatal(diags)
		}
		if len(p.Latents) != 2 || p.Latents[0].Name != "a" || p.Latents[1].Name != "s" {
			t.Fatalf("drawn are %v, want a before s", p.Latents)
		}
	}
}

// TestPredictChain: a local whose entries follow one another is refused. It was
// drawn from its own draw without end.
func TestPredictChain(t *testing.T) {
	const text = `dim N, T = 3, K = 2
data y[N, T] : real
param A[K, K], m[K] : real ~ normal(0, 1)
for n in N {
  local z[T] : index[K] by gibbs
  for t in 0:(T - 1) { z[t + 1] ~ categorical_logit(A[z[t]]) }
  y[n] ~ normal(m[z], 1)
}`
	file, _ := parser.Parse(source.New("model.sg", text))
	p, diags := Predict(check.Check(file, check.Options{}), Options{Sampled: true})
	if p != nil || !diags.Errors() || diags[0].Code != limits.CannotSimulate {
		t.Fatalf("got %v, want one error of code %s", diags, limits.CannotSimulate)
	}
}

// TestPredictIntegrated: the probabilities of the words of a topic model are not a
// function of its params, since they depend on the proportions that were integrated out.
// They were computed from memory behind the state. With proportions that are data they are.
func TestPredictIntegrated(t *testing.T) {
	const text = `dim D, W(D), V, K = 3
data w[D, W] : index[V]
param phi[K] : simplex[V] ~ dirichlet(1)
%s
for d in D {
  %s
  for i in W {
    local z : index[K] ~ categorical(%s) by gibbs
    w[d, i] ~ categorical(phi[z])
  }
}`
	for _, c := range []struct {
		data, local, theta string
		known              bool
	}{
		{"", "local theta : simplex[K] ~ dirichlet(0.1) by collapse", "theta", false},
		{"data theta[D] : simplex[K]", "", "theta[d]", true},
	} {
		file, _ := parser.Parse(source.New("model.sg", fmt.Sprintf(text, c.data, c.local, c.theta)))
		p, diags := Predict(check.Check(file, check.Options{}), Options{Sampled: true})
		if p == nil {
			t.Fatal(diags)
		}
		if got := p.Draws[0].Chances != (fn.ID{}); got != c.known {
			t.Errorf("%q: probabilities of classes are known: %v, want %v", c.local, got, c.known)
		}
	}
}
