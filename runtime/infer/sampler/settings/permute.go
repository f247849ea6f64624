package settings

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// noPermute returns the error for exchanges of labels that cannot be.
func noPermute(problem, try string) error {
	return &ConfigError{Setting: "permute", Problem: problem, Try: try}
}

// checkPermute refuses exchanges along a dim that no param has, and with settings and spaces that
// these do not go with.
func (c *Config) checkPermute(t target.Target) error {
	if c.Permute == "" {
		return nil
	}
	row, _ := table.Lookup(c.Sampler)
	switch {
	case !row.Metropolis:
		return noPermute(fmt.Sprintf("sampler %s has no Metropolis test, by which labels are exchanged",
			row.Name), setting.Text("{sampler} nuts, or gmc"))
	case len(target.LocalsOf(t)) > 0 || !target.FullPasses(t):
		return noPermute("the density of the params by which labels are exchanged is not known: "+
			"latent values of rows are drawn, or rows are read as they are needed", "")
	case c.Temperature != 1:
		return noPermute(fmt.Sprintf("labels are exchanged at temperature 1, and the run's is %g",
			c.Temperature), setting.Text("no {temperature}"))
	}
	if err := c.permutedDim(t); err != nil {
		return err
	}
	factors, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return err
	}
	for i := range factors {
		f := &factors[i]
		switch {
		case f.Framed():
			return noPermute(fmt.Sprintf("block %s lives on the space %q, whose states are in frames",
				f.Name, f.Space.Kind()), "")
		case !f.Flat && c.Metric != "" && c.Metric != adapt.MetricUnit:
			return noPermute(fmt.Sprintf("block %s is on a curved space, and states in coordinates of "+
				"a metric cannot be exchanged", f.Name), setting.Text("no {metric}"))
		}
	}
	return nil
}

// permutedDim refuses a dim that no param has, or that has one entry.
func (c *Config) permutedDim(t target.Target) error {
	var dims []string
	for _, o := range t.Outputs() {
		if o.Track {
			continue
		}
		for k, d := range o.Dims {
			if d == c.Permute && o.Shape[k] > 1 {
				return nil
			}
			if d != "" && o.Shape[k] > 1 && !slices.Contains(dims, d) {
				dims = append(dims, d)
			}
		}
	}
	problem := fmt.Sprintf("no param has a dim %s of more than one entry", c.Permute)
	if len(dims) == 0 {
		return noPermute(problem, "")
	}
	return noPermute(problem, spelling.List(dims))
}
