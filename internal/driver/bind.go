package driver

import (
	"github.com/sgppl/sgppl/internal/vm"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// VM makes a target of the model for data, executed in process. constants,
// which may be nil, are a fitted run's values of data alone.
func (c *Compiled) VM(bound *data.Bound, constants map[string][]float64) (*model.Model, error) {
	if err := c.Fits(bound.Dims, 1, Planned{}); err != nil {
		return nil, err
	}
	return model.New(c.Spec, &vm.Code{Spec: c.Spec, Programs: c.Table()}, bound, constants)
}

// Stream is VM of data whose rows come from a source as they are needed.
func (c *Compiled) Stream(
	bound *data.Bound, constants map[string][]float64, rows model.Source,
) (*model.Model, error) {
	if err := c.Fits(bound.Dims, 1, Planned{}); err != nil {
		return nil, err
	}
	return model.Stream(c.Spec, &vm.Code{Spec: c.Spec, Programs: c.Table()}, bound, constants, rows)
}
