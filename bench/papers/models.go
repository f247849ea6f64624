package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// bound is a model in a file, bound to data by the virtual machine.
func bound(path string, opt data.Options, specs ...string) (*model.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, diags := driver.Compile(source.New(path, string(text)), driver.Options{})
	if diags.Errors() {
		return nil, fmt.Errorf("%s: %s %s", path, diags[0].Code, diags[0].Message)
	}
	b, _, errs := data.Bind(&c.Spec.Schema, specs, nil, opt)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return c.VM(b, nil)
}

// states takes the steps of a chain and calls each after every one of them; diverged says that a
// state was not finite.
func states(m *model.Model, c sampler.Config, each func(step int64, c *sampler.Chain)) (
	diverged bool, err error,
) {
	ch, err := sampler.NewChain(m, c, 0)
	if err != nil {
		return false, err
	}
	for !ch.Done() {
		err := ch.Step()
		if _, is := errors.AsType[*sampler.NonFiniteError](err); is {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		each(ch.Steps(), ch)
	}
	return false, nil
}
