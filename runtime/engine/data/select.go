package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// selectorKeys are the keys of :KEY=VALUE after FILE[:FIELD]. The first three select rows or
// words.
var selectorKeys = []string{"rows", "skip", "words", "format", "unit"}

// selectors are the parts :KEY=VALUE of a spec of --data.
type selectors struct {
	rows, skip, words *selection // nil without that selector
	format            string
	unit              string // of dates
}

// A selection is a set of whole numbers. Each part is lo:hi without hi, r%m, or k.
type selection struct {
	text  string
	parts []span
}

// A span is the numbers lo ≤ i < hi or, if mod is not 0, the numbers i with i % mod = lo.
type span struct{ lo, hi, mod int }

const noEnd = int(^uint(0) >> 1)

func (s *selection) has(i int) bool {
	return slices.ContainsFunc(s.parts, func(p span) bool {
		if p.mod > 0 {
			return i%p.mod == p.lo
		}
		return p.lo <= i && i < p.hi
	})
}

// past returns the largest number at or beyond n that the selection names, or −1 if it names none.
func (s *selection) past(n int) int {
	far := -1
	for _, p := range s.parts {
		if p.mod == 0 && p.lo >= n && p.lo > 0 {
			far = max(far, p.lo)
		}
		if p.mod == 0 && p.hi != noEnd && p.hi > n {
			far = max(far, p.hi-1)
		}
	}
	return far
}

// parseSelectors parses the selectors of a spec. wrong is a message on an error; "" without one.
func parseSelectors(list []string) (out selectors, wrong string) {
	seen := map[string]bool{}
	for _, text := range list {
		key, value, _ := strings.Cut(text, "=")
		if seen[key] {
			return out, key + "= is given twice"
		}
		seen[key] = true
		if key == "format" {
			known := slices.ContainsFunc(format.Formats,
				func(f format.Format) bool { return f.Name == value })
			if out.format = value; !known {
				return out, fmt.Sprintf("there is no format %q; there are %s", value,
					format.Names())
			}
			continue
		}
		if key == "unit" {
			if out.unit = value; !slices.Contains(unitNames(), value) {
				return out, fmt.Sprintf("there is no unit %q of dates; there are %s", value,
					problem.Names(unitNames()))
			}
			continue
		}
		s, wrong := parseSelection(value)
		if wrong != "" {
			return out, text + ": " + wrong
		}
		s.text = text
		switch key {
		case "rows":
			out.rows = s
		case "skip":
			out.skip = s
		case "words":
			out.words = s
		}
	}
	return out, ""
}

// parseSelection parses a selection. wrong is a message on an error; "" without one.
func parseSelection(text string) (s *selection, wrong string) {
	s = &selection{}
	for part := range strings.SplitSeq(text, ",") {
		p, which := span{0, noEnd, 0}, ""
		if part != text {
			which = part + " "
		}
		fine := true
		number := func(text string, to *int) {
			n, err := strconv.Atoi(text)
			if *to = n; err != nil || n < 0 || text[0] == '+' {
				fine = false
			}
		}
		if lo, hi, is := strings.Cut(part, ":"); is {
			if lo != "" {
				number(lo, &p.lo)
			}
			if hi != "" {
				number(hi, &p.hi)
			}
			if fine && p.lo >= p.hi {
				return nil, which +
					"selects nothing, as the end is not in it and numbers count from 0: 0:10 are " +
					"the first ten, 5:6 is the sixth"
			}
		} else if r, m, is := strings.Cut(part, "%"); is {
			number(r, &p.lo)
			number(m, &p.mod)
			if fine && p.lo >= p.mod {
				return nil, fmt.Sprintf("%sselects nothing, as remainders are below what is "+
					"divided by: 1%%4 are the numbers 1, 5, 9, …", which)
			}
		} else {
			number(part, &p.lo)
			p.hi = p.lo + 1
		}
		if !fine {
			return nil, "lo:hi, r%m, a number, or several of them with commas are expected"
		}
		s.parts = append(s.parts, p)
	}
	return s, ""
}

// noRows returns the message for a selection that selects none of n rows, and a note with an
// example that selects some.
func noRows(n int) (what, note string) {
	if n == 0 {
		return "there are no rows", ""
	}
	if n == 1 {
		return "the one row is not selected", "its number is 0: rows=0 takes it"
	}
	return fmt.Sprintf("none of the %d rows is selected", n),
		fmt.Sprintf(
			"they count from 0 to %d: rows=0:%d takes the first half, rows=0%%2 every second one",
			n-1, (n+1)/2)
}

// part returns the text of the row selectors; "" if all rows are selected.
func (s *selectors) part() string {
	var parts []string
	for _, x := range []*selection{s.rows, s.skip} {
		if x != nil {
			parts = append(parts, x.text)
		}
	}
	return strings.Join(parts, ":")
}

// pick returns the rows of a field that the selectors select.
func (s *selectors) pick(t *format.Table, v *array.Value) (*array.Value, []*problem.Error) {
	if v == nil || s.rows == nil && s.skip == nil {
		return v, nil
	}
	fail := func(what string) []*problem.Error {
		return []*problem.Error{t.Fail(0, 0, "D0154", s.part()+": "+what)}
	}
	if len(v.Shape) == 0 {
		return nil, fail("it is one number, and has no rows")
	}
	n := v.Shape[0]
	var keep []int
	for i := range n {
		if (s.rows == nil || s.rows.has(i)) && (s.skip == nil || !s.skip.has(i)) {
			keep = append(keep, i)
		}
	}
	for _, x := range []*selection{s.rows, s.skip} {
		if x == nil {
			continue
		}
		if far := x.past(n); far >= 0 {
			return nil, fail(fmt.Sprintf("there is no row %d, as there are %d, counted from 0",
				far, n))
		}
	}
	if len(keep) == 0 {
		what, note := noRows(n)
		errs := fail(what)
		if note != "" {
			errs[0].Notes = []string{note}
		}
		return nil, errs
	}
	return v.Take(keep, s.part()), nil
}
