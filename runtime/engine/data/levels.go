package data

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A levelOrder is the order of the words of columns as levels of a dim.
type levelOrder struct {
	text   string   // text of the order in {levels}
	sorted bool     // sorted, and not by appearance
	first  []string // listed levels, in order
	rest   bool     // levels that are not listed may follow
}

// Words of {levels} that are not names of levels.
const (
	byAppearance = "appearance"
	bySorting    = "sorted"
	theRest      = "..."
)

// parseLevels parses DIM=appearance, DIM=sorted, or DIM=a,b,c, in which ... allows further levels.
func parseLevels(text string) (dim string, o levelOrder, ok bool) {
	dim, order, ok := strings.Cut(text, "=")
	dim, order = strings.TrimSpace(dim), strings.TrimSpace(order)
	o.text = text
	switch {
	case !ok || !identifier(dim) || order == "":
		return "", o, false
	case order == byAppearance:
		o.rest = true
	case order == bySorting:
		o.sorted, o.rest = true, true
	default:
		r := csv.NewReader(strings.NewReader(order))
		r.TrimLeadingSpace = true
		parts, err := r.Read()
		if _, more := r.Read(); err != nil || more != io.EOF {
			return "", o, false
		}
		for _, part := range parts {
			part = strings.TrimSpace(part)
			if part == "" || o.rest || slices.Contains(o.first, part) {
				return "", o, false
			}
			if part == theRest || part == "…" {
				o.rest = true
				continue
			}
			o.first = append(o.first, part)
		}
	}
	return dim, o, len(o.first) > 0 || o.rest
}

// LevelList returns a list of levels in the syntax of {levels}.
func LevelList(levels []string) string {
	parts := make([]string, len(levels))
	for i, level := range levels {
		if parts[i] = level; strings.ContainsAny(level, ",\"\n") || level == theRest ||
			len(levels) == 1 && (level == byAppearance || level == bySorting) {
			parts[i] = `"` + strings.ReplaceAll(level, `"`, `""`) + `"`
		}
	}
	return strings.Join(parts, ",")
}

// OrderLevels sorts words by a spec of {levels}. It returns the name before the equals sign and
// the levels.
func OrderLevels(spec string, words []string) (name string, levels []string, err error) {
	name, o, ok := parseLevels(spec)
	if !ok {
		return "", nil, &problem.Error{Code: "D0167",
			Message: setting.Sprintf("{levels} %s: %s", spec, levelsForm)}
	}
	levels, strange := o.apply(words)
	if strange != "" {
		return name, nil, &problem.Error{Code: "D0165",
			Message: setting.Sprintf("%q is not among the levels of {levels} %s", strange, spec)}
	}
	return name, levels, nil
}

// levelsForm is a text on the form of specs of {levels}.
const levelsForm = `DIM=appearance, DIM=sorted or DIM=LEVEL,LEVEL,… is expected, each level once`

// levels parses one spec of --levels.
func (b *binder) levels(text string) {
	dim, o, ok := parseLevels(text)
	if !ok {
		b.fail("D0167", "", setting.Sprintf("{levels} %s: %s", text, levelsForm))
		return
	}
	d := b.schema.Dim(dim)
	switch _, twice := b.orders[dim]; {
	case d == nil:
		b.fail("D0113", dim, setting.Sprintf("{levels} %s: %s is no dim of the model", text, dim),
			problem.DidYouMean(dim, b.schema.dimNames())...)
	case d.Of != "":
		b.fail("D0126", dim, setting.Sprintf("{levels} %s: %s, so it has no levels", text,
			d.manyLengths()))
	case twice:
		b.fail("D0115", dim, setting.Sprintf("%s has its levels twice, the second time by "+
			"{levels} %s", dim, text))
	default:
		b.orders[dim] = o
	}
}

// isOrdered reports whether {levels} names the dim. Then numbers are levels too.
func (b *binder) isOrdered(dim string) bool {
	_, is := b.orders[dim]
	return is
}

// asWords returns a copy of a column in which each number is a word.
func asWords(v *array.Value) *array.Value {
	out := *v
	out.Words, out.F64 = slices.Clone(v.Words), slices.Clone(v.Floats())
	out.Bytes = nil
	place := map[string]int{}
	for k, word := range out.Words {
		place[word] = k
	}
	for i, x := range out.F64 {
		if _, is := array.WordOf(x); is || x != x {
			continue
		}
		word := problem.Number(x)
		k, known := place[word]
		if !known {
			k = len(out.Words)
			out.Words, place[word] = append(out.Words, word), k
		}
		out.F64[i] = array.Word(k)
	}
	return &out
}

// settleLevels converts the columns that are words to indices. The levels of a dim are those of
// the run or of {names}. Without these, they are the words of all its columns, in the order of the
// declarations of the columns.
func (b *binder) settleLevels() {
	for _, d := range b.schema.Dims {
		var inputs []*Input
		for i := range b.schema.Inputs {
			in := &b.schema.Inputs[i]
			if below, _ := in.Below.Name(); b.texts[in.Name] != nil && below == d.Name {
				inputs = append(inputs, in)
			}
		}
		if len(inputs) == 0 {
			continue
		}
		labels := b.labels[d.Name]
		if b.opt.NewLevels && b.opt.Labels[d.Name] != nil {
			labels = b.furtherLevels(d.Name, labels, inputs)
		}
		switch {
		case b.found != nil && labels == nil:
			labels = b.collect(d.Name, inputs)
		case labels == nil:
			if labels = b.findLevels(&d, inputs); labels == nil {
				continue
			}
		}
		for _, in := range inputs {
			if b.texts[in.Name] != nil {
				b.index(in, d.Name, labels)
			}
		}
	}
}

// furtherLevels returns the levels of a run followed by the words of columns that they lack, in
// order of appearance. It updates the size of the dim.
func (b *binder) furtherLevels(dim string, labels []string, inputs []*Input) []string {
	known := map[string]bool{}
	for _, l := range labels {
		known[l] = true
	}
	out := slices.Clone(labels)
	for _, in := range inputs {
		words, _ := b.texts[in.Name].UsedWords()
		for _, w := range words {
			if !known[w] {
				known[w], out = true, append(out, w)
			}
		}
	}
	if len(out) == len(labels) {
		return labels
	}
	b.labels[dim], b.dims[dim] = out, len(out)
	if _, fixed := b.opt.Fixed[dim]; fixed {
		b.opt.Fixed = maps.Clone(b.opt.Fixed)
		b.opt.Fixed[dim] = len(out)
	}
	if b.newLevels == nil {
		b.newLevels = map[string]int{}
	}
	b.newLevels[dim] = len(labels)
	b.notes = append(b.notes,
		fmt.Sprintf("new levels of %s: %s", dim, someOf(out[len(labels):])))
	return out
}

// findLevels finds the levels of a dim in the words of its columns. It reports errors and returns
// nil if that fails.
func (b *binder) findLevels(d *Dim, inputs []*Input) []string {
	var list wordList
	var from []string
	for _, in := range inputs {
		words, _ := b.texts[in.Name].UsedWords()
		list.add(words)
		from = append(from, b.texts[in.Name].Origin.Name())
	}
	for i := range b.schema.Inputs {
		in := &b.schema.Inputs[i]
		if below, named := in.Below.Name(); in.Kind == Index && named && below == d.Name &&
			b.values[in.Name] != nil && !b.values[in.Name].Canonical {
			b.broken[in.Name] = true
			b.numbersBeside(d.Name, in.Name, inputs[0].Name)
			return b.unlevelled(d, inputs)
		}
	}
	labels, strange := b.orders[d.Name].apply(list.words)
	if strange != "" {
		b.strangeLevel(d.Name, strange, from)
		return b.unlevelled(d, inputs)
	}
	if len(labels) == 0 {
		return []string{} // nothing but missing entries, which are reported
	}
	b.label(d.Name, labels, "the words of "+problem.Names(from))
	b.notes = append(b.notes, LevelsNote(d.Name, labels, problem.Names(from),
		b.orders[d.Name].text))
	return labels
}

// numbersBeside reports an index input that has numbers, although the levels of its dim are words.
func (b *binder) numbersBeside(dim, numbers, words string) {
	who := fmt.Sprintf("%s has numbers, and %s has words: both are indices of %s",
		numbers, words, dim)
	if numbers == words {
		who = fmt.Sprintf("%s has words in some rows and numbers in others", words)
	}
	b.fail("D0166", numbers, who,
		setting.Sprintf("{levels} %s=%s takes the numbers as levels too", dim, byAppearance))
}

// strangeLevel reports a word that the list of {levels} lacks.
func (b *binder) strangeLevel(dim, word string, from []string) {
	text := b.orders[dim].text
	b.fail("D0165", dim, setting.Sprintf("%q of %s is not among the levels of {levels} %s", word,
		problem.Names(from), text),
		setting.Sprintf(
			"add it, or end the list in %s for those that are not named: {levels} %s,%s", theRest,
			text, theRest))
}

// LevelsNote returns a note with the levels found for a dim. order is the spec of {levels} that
// ordered them; "" without one.
func LevelsNote(dim string, levels []string, from, order string) string {
	text := setting.Sprintf(
		", in order of appearance; {levels} %s=sorted or %s=LEVEL,... orders them", dim, dim)
	if order != "" {
		text = setting.Sprintf(", by {levels} %s", order)
	}
	return fmt.Sprintf("%s = %d, the words of %s: %s%s", dim, len(levels), from,
		someOf(levels), text)
}

// someOf returns the first names of a list, and the number of the others.
func someOf(names []string) string {
	const most = 6
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, printable.Cut(name, 40))
	}
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(out, ", "), more)
	}
	return problem.Names(out)
}

// unlevelled suppresses further messages on a dim and its inputs. It returns nil.
func (b *binder) unlevelled(d *Dim, inputs []*Input) []string {
	b.excused[d.Name] = true
	for _, in := range inputs {
		b.broken[in.Name] = true
	}
	return nil
}

// apply returns words in the order of o. strange is a word that the list lacks, if the list
// excludes further levels; "" otherwise.
func (o levelOrder) apply(words []string) (levels []string, strange string) {
	if o.sorted {
		return sortedLevels(words), ""
	}
	levels = slices.Clone(o.first)
	said := map[string]bool{}
	for _, word := range o.first {
		said[word] = true
	}
	for _, word := range words {
		switch {
		case said[word]:
		case len(o.first) > 0 && !o.rest:
			return nil, word
		default:
			levels = append(levels, word)
		}
	}
	return levels, ""
}

// sortedLevels sorts words: numbers by value, then other words by code point.
func sortedLevels(words []string) []string {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b string) int {
		x, first := numberOf(a)
		y, second := numberOf(b)
		switch {
		case first && second && x != y:
			return cmp.Compare(x, y)
		case first && !second:
			return -1
		case second && !first:
			return 1
		}
		return strings.Compare(a, b)
	})
	return words
}

// numberOf returns the number that a word is; false if it is none, or not a number that others
// can be compared with.
func numberOf(word string) (x float64, is bool) {
	x, err := strconv.ParseFloat(word, 64)
	return x, err == nil && x == x
}

// index binds an index input to the levels of a column of words. It reports words that are not
// levels.
func (b *binder) index(in *Input, dim string, labels []string) {
	v := b.texts[in.Name]
	place := make(map[string]int, len(labels))
	for k, label := range labels {
		if _, twice := place[label]; !twice {
			place[label] = k
		}
	}
	out := v.ReadWords(func(word string) (float64, bool) {
		k, known := place[word]
		return float64(k + in.From), known
	})
	each, _ := array.Product(v.Shape[min(1, len(v.Shape)):])
	var wrong problem.List
	told := map[int]bool{}
	for i, x := range v.F64 {
		k, is := array.WordOf(x)
		if !is || told[k] {
			continue
		}
		if _, known := place[v.Words[k]]; known {
			continue
		}
		told[k] = true
		wrong.Add(func() *problem.Error {
			return b.unknownLevel(in, v, i/max(1, each), v.Words[k], dim, labels)
		})
	}
	if wrong.Count > 0 {
		b.errs = append(b.errs, wrong.Done("levels that are not known")...)
		b.broken[in.Name], b.excused[dim] = true, true
		return
	}
	b.values[in.Name] = out
}

// unknownLevel returns the error for a word that is not a level of the dim.
func (b *binder) unknownLevel(
	in *Input, v *array.Value, row int, word, dim string, labels []string,
) *problem.Error {
	e := &problem.Error{Code: "D0165", Name: in.Name, Decl: in.Place, File: v.Origin.File,
		Line:    v.Origin.Line(row),
		Message: fmt.Sprintf("%q is no level of %s, which has %s", word, dim, someOf(labels)),
		Notes:   problem.DidYouMean(word, labels)}
	if b.opt.Labels[dim] != nil {
		e.Notes = append(e.Notes,
			setting.Sprintf("the levels are those that %s had when the model was fitted; leave such "+
				"rows out, or fit it with them, or predict with {new-levels}, which draws the "+
				"unknowns of others from their prior", dim))
	}
	return e
}

// A wordList has distinct words in order of appearance.
type wordList struct {
	words   []string
	seen    map[string]bool
	numbers bool // the column has numbers too
}

func (l *wordList) add(words []string) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	for _, word := range words {
		if !l.seen[word] {
			l.seen[word] = true
			l.words = append(l.words, word)
		}
	}
}

// collect records the words of the columns of a dim, and returns all words recorded so far. Later
// rows may add more.
func (b *binder) collect(dim string, inputs []*Input) []string {
	var list wordList
	for _, in := range inputs {
		if b.found[in.Name] == nil {
			b.found[in.Name] = &wordList{}
		}
		words, _ := b.texts[in.Name].UsedWords()
		if b.found[in.Name].add(words); b.found[in.Name].bools() {
			b.values[in.Name] = b.texts[in.Name].ReadWords(format.TrueOrFalse)
			delete(b.texts, in.Name)
			continue
		}
		list.add(b.found[in.Name].words)
	}
	return list.words
}

// foundNumbers records that an index input has numbers.
func (b *binder) foundNumbers(in *Input, v *array.Value) {
	if v == nil || v.CSR != nil || v.Lists != nil {
		return
	}
	if _, some := array.Largest(v); some {
		if b.found[in.Name] == nil {
			b.found[in.Name] = &wordList{}
		}
		b.found[in.Name].numbers = true
	}
}

// bools reports whether all words are true or false.
func (l *wordList) bools() bool { return all(l.words, format.TrueOrFalse) }
