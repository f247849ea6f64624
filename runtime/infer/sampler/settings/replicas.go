package settings

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// mostReplicas limits the replicas of a chain.
const mostReplicas = 200

// noReplicas returns the error for replica exchange that cannot be.
func noReplicas(problem, try string) error {
	return &coded{&ConfigError{Setting: "replicas", Problem: problem, Try: try}, "S0107"}
}

// countReplicas checks the number of replicas.
func (c *Config) countReplicas() error {
	if n := c.Replicas; n != 0 && (n < 2 || n > mostReplicas) {
		return noReplicas(fmt.Sprintf("%d temperatures are not between 2 and %d", n, mostReplicas), "10")
	}
	return nil
}

// checkReplicas refuses replica exchange with settings and spaces that it does not have.
func (c *Config) checkReplicas(t target.Target) error {
	if c.Replicas == 0 {
		return nil
	}
	row, _ := table.Lookup(c.Sampler)
	switch {
	case len(target.LocalsOf(t)) > 0 || !target.FullPasses(t):
		return noReplicas("the density of the params by which states are exchanged is not known: "+
			"latent values of rows are drawn, or rows are read as they are needed", "")
	case !row.Metropolis && (c.Step == 0 || c.Schedule != "constant" || c.Metric != ""):
		return noReplicas(fmt.Sprintf("all replicas of %s have one step, which is given and stays",
			row.Name), setting.Text("{step}, without {step-schedule} and {metric}; or {sampler} nuts"))
	case !row.Metropolis && (len(c.Blocks) > 0 || c.Fisher || c.Follow || singleOf(t)):
		return noReplicas("settings by block, estimates of the gradient's noise, rows that are "+
			"appended and single precision do not go with it", "")
	case c.Temperature != 1:
		return noReplicas(fmt.Sprintf("its last temperature is 1, and the run's is %g",
			c.Temperature), setting.Text("no {temperature}"))
	}
	factors, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return err
	}
	for i := range factors {
		f := &factors[i]
		switch {
		case f.Framed():
			return noReplicas(fmt.Sprintf("block %s lives on the space %q, which has no uniform law to "+
				"begin with", f.Name, f.Space.Kind()), "")
		case !f.Flat && c.Metric != "" && c.Metric != adapt.MetricUnit:
			return noReplicas(fmt.Sprintf("block %s is on a curved space, and states in coordinates of "+
				"a metric cannot be exchanged", f.Name), setting.Text("no {metric}"))
		}
	}
	return nil
}

// singleOf reports whether a target computes in single precision.
func singleOf(t target.Target) bool {
	s, ok := t.(target.Single)
	return ok && s.Single()
}
