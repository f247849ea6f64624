package latent_test

import (
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// TestSweepCost holds what a sweep over the words of a document does: the topics of the document
// are counted, from the words and not from all words and all categories, and one kernel draws
// categories by these counts.
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
		if len(sweep) != 1 || len(sequences(sweep[0].Steps)) != 0 {
			t.Fatalf("%s: a sweep is not one pass over words\n%s", name, p)
		}
		steps := sweep[0].Steps
		for _, s := range steps {
			if s.Loop != nil && has(s.Loop, "value") && has(s.Loop, "i") {
				t.Errorf("%s: a sweep goes through words and categories\n%s", name, p)
			}
		}
		kernels := count(steps)
		if kernels["scatter"] != 1 || kernels["draw_in_turn"] != 1 || len(kernels) != 2 {
			t.Errorf("%s: a sweep has %v\n%s", name, kernels, p)
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

// count counts the kernels by name.
func count(steps []plan.Step) map[string]int {
	kernels := map[string]int{}
	for _, s := range steps {
		if s.Kernel != nil {
			kernels[s.Kernel.Name]++
		}
	}
	return kernels
}

func has(l *plan.Loop, axis string) bool {
	for _, a := range l.Axes {
		if a.Name == axis {
			return true
		}
	}
	return false
}
