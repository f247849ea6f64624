package data

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readTexts converts a column with words to numbers: true and false, yes and no, or dates. If the
// input is an index of a dim, the words stay words, as its levels, until all files are read. wrong
// has the mistakes to return if the words are none of these.
func (b *binder) readTexts(
	in *Input, v *array.Value, wrong []*problem.Error,
) (*array.Value, []*problem.Error) {
	words, numbers := v.UsedWords()
	dim, named := in.Below.Name()
	ordered := in.Kind == Index && named && b.isOrdered(dim)
	switch {
	case !ordered && all(words, format.TrueOrFalse) && !b.isLevel(in, words) && !b.collects(in):
		return v.ReadWords(format.TrueOrFalse), nil
	case in.Kind == Index && named && (!numbers || ordered):
		return v, nil
	case in.Kind == Index && named:
		return nil, noted(wrong, setting.Sprintf(
			"words and numbers are in one column: {levels} %s=appearance takes the numbers as levels too",
			dim))
	case in.Kind == Index:
		return nil, noted(wrong, fmt.Sprintf(
			"words are the levels of a dim that has a name: declare dim G and %s : index[G]",
			in.Name))
	case !numbers && all(words, yesOrNo):
		b.notes = append(b.notes, fmt.Sprintf("%s: yes is 1 and no is 0", in.Name))
		return v.ReadWords(yesOrNo), nil
	case !numbers && in.Kind != Bool && all(words, b.date):
		b.notes = append(b.notes,
			fmt.Sprintf("%s: dates are %s since 1970-01-01%s", in.Name, b.unitName(),
				b.otherUnits()))
		return v.ReadWords(b.date), nil
	case numbers:
		return nil, wrong
	case in.Kind == Bool:
		return nil, noted(wrong, "a bool is true or false, yes or no, or 1 or 0")
	}
	return nil, noted(wrong, fmt.Sprintf(
		"where words are groups, declare dim G and %s : index[G]: each word is then a level",
		in.Name))
}

// isLevel reports whether one of the words is a level that a run has for the index.
func (b *binder) isLevel(in *Input, words []string) bool {
	dim, named := in.Below.Name()
	if in.Kind != Index || !named {
		return false
	}
	for _, label := range b.opt.Labels[dim] {
		for _, word := range words {
			if word == label {
				return true
			}
		}
	}
	return false
}

// collects reports whether the words of an index are being collected, because later rows may have
// more.
func (b *binder) collects(in *Input) bool {
	dim, _ := in.Below.Name()
	return b.found != nil && in.Kind == Index && b.labels[dim] == nil
}

// all reports whether read knows every word.
func all(words []string, read func(string) (float64, bool)) bool {
	for _, word := range words {
		if _, ok := read(word); !ok {
			return false
		}
	}
	return true
}

// yesOrNo reads yes as 1 and no as 0, in any case.
func yesOrNo(word string) (x float64, ok bool) {
	switch {
	case strings.EqualFold(word, "yes"):
		return 1, true
	case strings.EqualFold(word, "no"):
		return 0, true
	}
	return 0, false
}

// noted returns a copy of the errors with a note added to the last one.
func noted(errs []*problem.Error, note string) []*problem.Error {
	if len(errs) == 0 {
		return nil
	}
	out := append([]*problem.Error(nil), errs...)
	last := *out[len(out)-1]
	last.Notes = append(append([]string(nil), last.Notes...), note)
	out[len(out)-1] = &last
	return out
}

// ReadColumn reads a column of a table without a declaration. It returns numbers if the column has
// numbers, true and false, yes and no, or dates. Otherwise it returns the distinct words, and x
// has the index of each entry's word. wrong has the mistakes of a column of words and numbers. If
// asWord is set, numbers are words too.
func ReadColumn(
	t *format.Table, name string, asWord bool,
) (x []float64, words []string, wrong []*problem.Error) {
	v, wrong := t.Texts(name)
	switch {
	case v == nil || v.Words == nil && len(wrong) > 0 || len(v.Shape) != 1:
		return nil, nil, wrong
	case asWord:
		v = asWords(v)
	case v.Words == nil:
		return v.Floats(), nil, nil
	}
	words, numbers := v.UsedWords()
	dates := &binder{}
	for _, read := range []func(string) (float64, bool){format.TrueOrFalse, yesOrNo, dates.date} {
		if !asWord && !numbers && all(words, read) {
			return v.ReadWords(read).F64, nil, nil
		}
	}
	if numbers {
		return nil, nil, wrong
	}
	place := map[string]int{}
	for k, word := range words {
		place[word] = k
	}
	return v.ReadWords(func(word string) (float64, bool) {
		k, is := place[word]
		return float64(k), is
	}).F64, words, nil
}
