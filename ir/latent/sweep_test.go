package latent_test

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// TestSweepCost holds what a step of a sweep over the words of a document does:
// one loop over the categories for their weights, and one draw; the counts of the
// document change in place at the old category and the new one, and are counted
// anew from the words, not from all words and all categories.
func TestSweepCost(t *testing.T) {
	for name, text := range map[string]string{
		"rows": `
dim D, W = 9, V = 5, K = 4
data w[D, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}`,
		"ragged rows": `
dim D, W(D), V = 5, K = 4
data w[D, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical_logit(eta[z])
  }
}`,
		"groups of rows": `
dim D, G = 3, W = 9, V = 5, K = 4
data w[D, G, W] : index[V]
param eta[K, V] : real ~ normal(0, 1)
for d in D {
  for g in G {
    local theta : simplex[K] ~ dirichlet(0.5) by collapse
    for i in W {
      local z : index[K] ~ categorical(theta) by gibbs
      w[d, g, i] ~ categorical_logit(eta[z])
    }
  }
}`,
	} {
		c, diags := driver.Compile(source.New("m.sg", text), driver.Options{})
		if c == nil {
			t.Fatalf("%s: %v", name, diags)
		}
		p := c.Program(fn.Locals.ID())
		sweep := sequences(p.Steps[plan.Rows])
		if len(sweep) != 1 || len(sequences(sweep[0].Steps)) != 1 {
			t.Fatalf("%s: a sweep is not one scan over words\n%s", name, p)
		}
		words := sequences(sweep[0].Steps)[0]
		kernels, loops := count(words.Steps)
		if kernels["category"] != 1 || kernels["add_at"] != 2 || len(kernels) != 2 || loops != 1 {
			t.Errorf("%s: a step has %v and %d loops over categories\n%s", name, kernels, loops, p)
		}
		for _, s := range words.Steps {
			if k := s.Kernel; k != nil && k.Name == "add_at" && k.Dst.Shares == nil {
				t.Errorf("%s: counts are copied\n%s", name, p)
			}
		}
		before := slices.DeleteFunc(slices.Clone(sweep[0].Steps),
			func(s plan.Step) bool { return s.Sequence != nil })
		for _, s := range before {
			if s.Loop != nil && has(s.Loop, "value") && has(s.Loop, "i") {
				t.Errorf("%s: a sweep goes through words and categories\n%s", name, p)
			}
		}
		if kernels, _ := count(before); kernels["scatter"] != 1 || len(kernels) != 1 {
			t.Errorf("%s: a sweep begins with %v\n%s", name, kernels, p)
		}
	}
}

func sequences(steps []plan.Step) (out []*plan.Sequence) {
	for _, s := range steps {
		if s.Sequence != nil {
			out = append(out, s.Sequence)
		}
	}
	return out
}

// count counts the kernels by name, and the loops over values of a category.
func count(steps []plan.Step) (kernels map[string]int, loops int) {
	kernels = map[string]int{}
	for _, s := range steps {
		switch {
		case s.Kernel != nil:
			kernels[s.Kernel.Name]++
		case s.Loop != nil && has(s.Loop, "value"):
			loops++
		}
	}
	return kernels, loops
}

func has(l *plan.Loop, axis string) bool {
	for _, a := range l.Axes {
		if a.Name == axis {
			return true
		}
	}
	return false
}
