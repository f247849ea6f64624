// Package catalogue is the table of the functions and distributions of Stan's reference, version
// 2.36: their signatures, an example of each, and why some are refused. Tests walk it, and write
// docs/stan-functions.md of it.
package catalogue

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/lang/diag"
)

// A Function is a row of the table of functions.
type Function struct {
	Name      string
	Signature string // without the name; "reals" is a number or a container of numbers
	Type      string // of the example, as a declaration has it
	Example   string // an expression over the names of Program
	Refusal
}

// A Refusal says why a function or a distribution is refused; the zero value says that it is not.
type Refusal struct {
	Code diag.Code
	Why  string
}

// A Distribution is a row of the table of distributions.
type Distribution struct {
	Name      string
	Value     string // with its type
	Arguments string // with their types
	Of        string // the value of the example, over the names of Program
	Args      string // the arguments of the example
	CDF, RNG  bool   // what Stan has beside the density
	Discrete  bool
	Refusal
}

// A Chapter is a part of the reference.
type Chapter struct {
	Title         string
	Functions     []Function
	Distributions []Distribution
	Refusal       // of all of it
}

//go:embed functions.txt
var functionText string

//go:embed distributions.txt
var distributionText string

// Functions are the chapters about functions, in the order of the reference.
func Functions() []Chapter { return tables().functions }

// Distributions are the chapters about distributions, in the order of the reference.
func Distributions() []Chapter { return tables().distributions }

// Find finds a function by its name.
func Find(name string) (Function, bool) {
	f, ok := tables().byName[name]
	return f, ok
}

// FindLaw finds a distribution by its name, or by that of a function of it.
func FindLaw(name string) (Distribution, bool) {
	for _, suffix := range []string{"", "_lpdf", "_lpmf", "_lcdf", "_lccdf", "_cdf", "_rng"} {
		if base, ok := strings.CutSuffix(name, suffix); ok {
			if d, ok := tables().byLaw[base]; ok {
				return d, true
			}
		}
	}
	return Distribution{}, false
}

type both struct {
	functions, distributions []Chapter
	byName                   map[string]Function
	byLaw                    map[string]Distribution
}

var tables = sync.OnceValue(func() *both {
	t := &both{byName: map[string]Function{}, byLaw: map[string]Distribution{}}
	t.functions = read(functionText, func(c *Chapter, f []string) {
		out := Function{f[0], f[1], f[2], f[3], c.Refusal}
		if len(f) > 5 {
			out.Refusal = Refusal{diag.Code(f[4]), f[5]}
		}
		c.Functions = append(c.Functions, out)
		t.byName[out.Name] = out
	})
	t.distributions = read(distributionText, func(c *Chapter, f []string) {
		out := Distribution{Name: f[0], Value: f[1], Arguments: f[2], Of: f[3], Args: f[4],
			CDF: strings.Contains(f[5], "cdf"), RNG: strings.Contains(f[5], "rng"),
			Discrete: strings.Contains(f[1], "int"), Refusal: c.Refusal}
		if len(f) > 7 {
			out.Refusal = Refusal{diag.Code(f[6]), f[7]}
		}
		c.Distributions = append(c.Distributions, out)
		t.byLaw[out.Name] = out
	})
	return t
})

// read reads a table: a heading begins a chapter, and every other line is a row.
func read(text string, row func(c *Chapter, fields []string)) []Chapter {
	var out []Chapter
	for _, line := range strings.Split(text, "\n") {
		title, isTitle := strings.CutPrefix(line, "# ")
		fields := strings.Split(strings.TrimSpace(title), "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		switch {
		case isTitle:
			c := Chapter{Title: fields[0]}
			if len(fields) > 2 {
				c.Refusal = Refusal{diag.Code(fields[1]), fields[2]}
			}
			out = append(out, c)
		case line != "" && !strings.HasPrefix(line, "//"):
			row(&out[len(out)-1], fields)
		}
	}
	return out
}
