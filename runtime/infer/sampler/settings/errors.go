package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A ConfigError says that a setting is wrong by itself or together with others.
type ConfigError struct {
	// "step", see package setting; for fields that only Go code can set, the field's name: "Blocks"
	Setting string
	Value   string // as it was given; "" if the message does not need it
	Problem string
	Try     string // "" if there is no advice
}

func (e *ConfigError) Error() string {
	s := e.Setting
	if s != "Blocks" {
		s = setting.Spell(s)
	}
	if e.Value != "" {
		s += " " + e.Value
	}
	s += ": " + e.Problem
	if e.Try != "" {
		s += "; try " + e.Try
	}
	return s
}

// A BlockError says that a sampler cannot run on a block.
type BlockError struct {
	Sampler string
	Block   string
	Kind    string // kind of the block's manifold
	Only    string // the only space that the sampler runs on; "" if there are more
	Usable  []string
}

// A coded error has one of the codes of Codes.
type coded struct {
	error
	code string
}

func (e *coded) Unwrap() error { return e.error }

// CodeOf returns the code of a refused setting; "" if it has none.
func CodeOf(err error) string {
	var c *coded
	var b *BlockError
	switch {
	case errors.As(err, &c):
		return c.code
	case errors.As(err, &b):
		return "S0104"
	}
	return ""
}

func (e *BlockError) Error() string {
	s := fmt.Sprintf("sampler %s cannot run on block %s, which lives on the space %q", e.Sampler,
		e.Block, e.Kind)
	if e.Only != "" {
		s += setting.Sprintf("; it runs on %q alone, which is the space of simplexes by "+
			"expanded_mean; {sampler} BLOCK=%s gives it those alone", e.Only, e.Sampler)
	}
	if len(e.Usable) > 0 {
		s += "; samplers that can: " + strings.Join(e.Usable, ", ")
	}
	if e.Kind == table.Mirrored {
		s += setting.Sprintf(" ({sampler} %s=%s); the gradient has no bound where an entry of "+
			"the simplex is near 0; without `by expanded_mean` the simplex has a chart on which "+
			"%s is right", e.Block, e.Usable[0], e.Sampler)
	}
	return s
}
