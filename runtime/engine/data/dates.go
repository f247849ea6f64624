package data

import (
	"strings"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// units are the units in which dates are counted, with their length in seconds. A year is a Julian
// year.
var units = []struct {
	name    string
	seconds float64
}{{"days", 86400}, {"seconds", 1}, {"minutes", 60}, {"hours", 3600}, {"weeks", 7 * 86400},
	{"years", 365.25 * 86400}}

// unitNames returns the names of the units.
func unitNames() []string {
	var out []string
	for _, u := range units {
		out = append(out, u.name)
	}
	return out
}

// layouts are the accepted forms of dates: those of ISO 8601. A blank may replace the T.
var layouts = []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00"}

// unitName returns the unit of dates of the current spec; days by default.
func (b *binder) unitName() string {
	if b.unit == "" {
		return units[0].name
	}
	return b.unit
}

// otherUnits returns the end of a message on how to choose another unit, or "" if the spec has a
// unit.
func (b *binder) otherUnits() string {
	if b.unit != "" {
		return ""
	}
	return "; NAME=FILE:FIELD:unit=UNIT counts " + problem.Names(unitNames()[1:])
}

// date parses a date, with or without a time, and returns it in units since 1970-01-01 UTC.
func (b *binder) date(word string) (x float64, ok bool) {
	if len(word) < len(layouts[0]) {
		return 0, false
	}
	if word[10:] != "" && word[10] == ' ' {
		word = word[:10] + "T" + strings.TrimSpace(word[11:])
	}
	for _, layout := range layouts {
		at, err := time.Parse(layout, word)
		if err != nil {
			continue
		}
		seconds := float64(at.Unix()) + float64(at.Nanosecond())/1e9
		for _, u := range units {
			if u.name == b.unitName() {
				return seconds / u.seconds, true
			}
		}
	}
	return 0, false
}
