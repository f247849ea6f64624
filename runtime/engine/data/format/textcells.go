package format

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A textCells reads columns of a ColumnFile, those of text as tables of text read their
// cells: as numbers, missing entries and words.
type textCells struct {
	t       *Table
	of      []Column    // of the file
	columns []int       // those that are read
	fields  []*csvField // of each: what has its words and its mistakes
	texts   memory.Meter
	bits    bool // columns of numbers are handed out as they are: see notWord
}

// notWord is a number of a file. A NaN of another program may have the bits of a word, so it
// becomes the usual one.
func notWord(x float64) float64 {
	if x != x {
		return math.NaN()
	}
	return x
}

// read hands out rows as ColumnFile.Read does.
func (c *textCells) read(f ColumnFile, take func(x [][]float64) error) error {
	c.texts.What = reading
	var full error
	text := func(k, row int, cell []byte) float64 {
		x, wrong := c.fields[k].read(cell, &c.texts)
		if wrong != "" {
			c.fields[k].wrong.Add(func() *problem.Error {
				if err := c.texts.Add(mistakeBytes + len(cell)); err != nil {
					full = err
				}
				return c.t.Fail(0, 0, "D0106",
					fmt.Sprintf("%s %s (column %s, row %d)", quoted(cell), wrong,
						printable.Cut(c.of[c.columns[k]].Name, 100), row))
			})
		}
		return x
	}
	return f.Read(c.columns, text, func(x [][]float64) error {
		if full != nil {
			return c.t.readError(0, full)
		}
		for k, list := range x {
			if c.of[c.columns[k]].Text {
				continue
			}
			if c.bits { // whoever takes them does it
				continue
			}
			for i, y := range list {
				list[i] = notWord(y)
			}
		}
		return take(x)
	})
}
