package data

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// FoundWords collects the words of columns that are read by rows, page by page, until all levels
// are known.
type FoundWords struct{ of map[string]*wordList }

// NewFoundWords returns an empty collection.
func NewFoundWords() *FoundWords { return &FoundWords{of: map[string]*wordList{}} }

// Any reports whether a column has a word.
func (f *FoundWords) Any() bool {
	for _, list := range f.of {
		if len(list.words) > 0 {
			return true
		}
	}
	return false
}

// Dim reports whether words of columns are levels of the dim.
func (f *FoundWords) Dim(s *Schema, dim string) bool {
	words, _ := f.inputs(s, dim)
	return len(words) > 0
}

// inputs returns the index inputs of a dim whose columns have words, and those whose columns have
// numbers.
func (f *FoundWords) inputs(s *Schema, dim string) (words, numbers []string) {
	for i := range s.Inputs {
		in := &s.Inputs[i]
		list := f.of[in.Name]
		if below, _ := in.Below.Name(); list == nil || below != dim {
			continue
		}
		if list.numbers || list.bools() {
			numbers = append(numbers, in.Name)
		}
		if !list.bools() {
			words = append(words, in.Name)
		}
	}
	return words, numbers
}

// Settle returns the levels of each dim whose columns have words, in the order that the specs of
// {levels} give, and notes that list them.
func (f *FoundWords) Settle(
	s *Schema, specs []string,
) (labels map[string][]string, notes []string, errs []*problem.Error) {
	b := newBinder(s, Options{})
	for _, text := range specs {
		b.levels(text)
	}
	labels = map[string][]string{}
	for _, d := range s.Dims {
		inputs, numbers := f.inputs(s, d.Name)
		if len(inputs) > 0 && len(numbers) > 0 {
			b.numbersBeside(d.Name, numbers[0], inputs[0])
			continue
		}
		var list wordList
		for _, name := range inputs {
			list.add(f.of[name].words)
		}
		if len(list.words) == 0 {
			continue
		}
		o := b.orders[d.Name]
		levels, strange := o.apply(list.words)
		if strange != "" {
			b.strangeLevel(d.Name, strange, inputs)
			continue
		}
		labels[d.Name] = slices.Clip(levels)
		notes = append(notes, LevelsNote(d.Name, levels, problem.Names(inputs), o.text))
	}
	return labels, notes, b.errs
}
