package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
)

// ReadColumn reads a column of numbers or words, whose levels are sorted unless order, a
// spec of --levels, says otherwise.
func ReadColumn(t *formats.Table, name, order string) (Column, error) {
	c := Column{Name: name, Order: order != ""}
	x, words, errs := data.ReadColumn(t, name, order != "")
	switch {
	case len(errs) > 0:
		c.Wrong = errs[0].Message
		return c, nil
	case x == nil:
		c.Wrong = name + " is no column of numbers"
		return c, nil
	case words == nil:
		c.Values = x
		return c, nil
	case order == "":
		order = name + "=sorted"
	}
	_, order, _ = strings.Cut(order, "=")
	_, levels, err := data.OrderLevels(name+"="+order, words)
	if err != nil {
		return c, err
	}
	place := map[string]int{}
	for k, level := range levels {
		place[level] = k
	}
	c.Levels, c.Values = levels, make([]float64, len(x))
	for i, v := range x {
		if c.Values[i] = v; v == v {
			c.Values[i] = float64(place[words[int(v)]])
		}
	}
	return c, nil
}

// Orders are the specs of --levels by their columns, which are those of a file.
func Orders(file string, columns, specs []string) (map[string]string, error) {
	out := map[string]string{}
	for _, spec := range specs {
		name, _, err := data.OrderLevels(spec, nil)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(columns, name):
			return nil, fmt.Errorf("--levels %s: %s has no column %s", spec, file, name)
		case out[name] != "":
			return nil, fmt.Errorf("--levels %s: the levels of %s are given twice", spec, name)
		}
		out[name] = spec
	}
	return out, nil
}
