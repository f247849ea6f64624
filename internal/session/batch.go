package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// BatchSize reads --batch, and holds it against the axes of the model; 0
// without the flag.
func BatchSize(flags []string, compiled *driver.Compiled) (int, error) {
	if len(flags) == 0 {
		return 0, nil
	}
	axis, size, named := strings.Cut(flags[0], "=")
	if !named {
		size = flags[0]
	}
	n, err := strconv.Atoi(size)
	if err != nil || n < 1 {
		return 0, Usagef("--batch %s: the number of rows must be a whole number of at least 1",
			flags[0])
	}
	return n, Batchable(compiled, axis, named)
}

// Batchable refuses an axis that cannot be minibatched, with the reason.
func Batchable(c *driver.Compiled, axis string, named bool) error {
	m := c.Check
	var names []string
	for _, a := range m.Batchable {
		names = append(names, a.Name)
	}
	if !named {
		if len(names) > 1 {
			return Usagef(
				"--batch: the axes %s can be minibatched; name one: --batch %s=100",
				strings.Join(names, ", "), names[0])
		}
		return nil
	}
	if slices.Contains(names, axis) {
		return nil
	}
	for _, u := range m.Unbatchable {
		if u.Axis == axis {
			file, at := c.Source.Seen(u.Span.Start)
			return Usagef("--batch: axis %s cannot be minibatched: %s:%v: %s", axis, file, at, u.Reason)
		}
	}
	text := fmt.Sprintf("--batch: %s is no axis of the data", axis)
	if near := spelling.Nearest(axis, names); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	} else if len(names) > 0 {
		text += "; those that can be minibatched: " + strings.Join(names, ", ")
	}
	return Usagef("%s", text)
}
