package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A LawDrawer draws from laws at known numbers, one draw after another. What it draws depends on
// the seed and on how many draws came before.
type LawDrawer struct {
	Seed uint64

	drawn uint64
	made  map[string]*Generator
}

// Draw returns a draw of an expression such as normal.sample(a_1, a_2), in which each name stands
// for numbers of a shape, the last axis fastest.
func (d *LawDrawer) Draw(
	expr string, names []string, shapes [][]int, values [][]float64,
) ([]float64, error) {
	var text strings.Builder
	for i, n := range names {
		fmt.Fprintf(&text, "param %s", n)
		if len(shapes[i]) > 0 {
			text.WriteString(strings.ReplaceAll(fmt.Sprint(shapes[i]), " ", ", "))
		}
		text.WriteString(" : real\n")
	}
	fmt.Fprintf(&text, "generate drawn = %s\n", expr)
	g := d.made[text.String()]
	if g == nil {
		var err error
		if g, err = generatorOf(text.String()); err != nil {
			return nil, err
		}
		if d.made == nil {
			d.made = map[string]*Generator{}
		}
		d.made[text.String()] = g
	}
	out := make([]float64, g.Len())
	g.Draw(slices.Concat(values...), rng.New(d.Seed, 0, rng.Given), d.drawn, out)
	d.drawn++
	return out, nil
}

// generatorOf is the generator of a model without data.
func generatorOf(text string) (*Generator, error) {
	p, diags := Generate(source.New("draw.sg", text), Options{})
	if p == nil {
		return nil, errors.New(diags[0].Message)
	}
	bound, _, errs := data.Bind(&p.Spec.Schema, nil, nil, data.Options{})
	if len(errs) > 0 {
		return nil, errs[0]
	}
	m, err := p.VM(bound, nil)
	if err != nil {
		return nil, err
	}
	return p.Generator(m), nil
}
