package gopackage

import (
	"context"
	"maps"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// AddExamples adds the examples of a package to its files. Their data are sampled here first:
// examples whose data are not to be had, or cannot be sampled, are compiled by the tests of
// the package, and not run.
func AddExamples(c *driver.Compiled, pkg string, files codegen.Files) error {
	in := codegen.Input{Spec: c.Spec, Programs: c.Programs, Package: pkg}
	x, ok := codegen.ExampleOf(in)
	if !ok || c.Spec.Chain != nil || !samples(c, x) {
		x = nil
	}
	more, err := codegen.Examples(in, x)
	if err != nil {
		return err
	}
	maps.Copy(files, more)
	return nil
}

// exampleDim is the most coordinates of a model whose example is run.
const exampleDim = 50

// samples reports whether a model can be sampled with example data, as Sample of a generated
// package does.
func samples(c *driver.Compiled, x *codegen.Example) bool {
	bound, _, errs := data.Validate(&c.Spec.Schema, x.Values, x.Dims, data.Options{})
	if len(errs) > 0 {
		return false
	}
	m, err := c.VM(bound, nil)
	if err != nil || m.Dim() == 0 || m.Dim() > exampleDim {
		return false
	}
	s := sampler.DefaultConfig()
	s.Chains, s.Warmup, s.Draws, s.Seed = 2, 200, 50, 7
	_, err = sampler.Collect(context.Background(), m, s, sampler.RunOptions{})
	return err == nil
}
