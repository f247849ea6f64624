package codegen

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// A scope gives out identifiers and never the same one twice. Names of a
// model are any letters at all, so every identifier of generated code that
// stems from the model comes from a scope.
type scope struct {
	parent *scope
	taken  map[string]bool
	next   map[string]int // by a name, a number below which all that it was given are taken
}

func newScope(parent *scope, reserved ...string) *scope {
	s := &scope{parent: parent, taken: map[string]bool{}, next: map[string]int{}}
	for _, name := range reserved {
		s.taken[name] = true
	}
	return s
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.parent {
		if s.taken[name] {
			return true
		}
	}
	return false
}

// fresh reserves and returns the identifier, with a number appended if it is in use.
func (s *scope) fresh(name string) string {
	try := name
	if s.has(name) {
		try = s.numbered(name)
	}
	s.taken[try] = true
	return try
}

// numbered is the identifier with the least number that is not in use.
func (s *scope) numbered(name string) string {
	if last := name[len(name)-1]; last >= '0' && last <= '9' {
		name += "_" // a digit at the end would run into the number
	}
	i := 2
	for o := s; o != nil; o = o.parent {
		i = max(i, o.next[name])
	}
	for ; ; i++ {
		if try := name + strconv.Itoa(i); !s.has(try) {
			s.next[name] = i + 1
			return try
		}
	}
}

// predeclared are identifiers that generated function bodies use or that
// would confuse a reader when redefined.
var predeclared = []string{
	"_", "any", "append", "bool", "byte", "cap", "clear", "close", "complex", "copy", "delete",
	"error", "false", "float32",
	"float64", "imag", "init", "int", "int32", "int64", "iota", "len", "main", "make", "max", "min",
	"new", "nil", "panic", "print",
	"println", "real", "recover", "rune", "string", "true", "uint", "uint8", "uint64", "uintptr",
}

// packages are the imports of generated code, by the name they go by.
var packages = map[string]string{
	"context": "context",
	"iter":    "iter",
	"math":    "math",
	"data":    "github.com/sgppl/sgppl/runtime/engine/data",
	"kernel":  "github.com/sgppl/sgppl/runtime/math/kernel",
	"model":   "github.com/sgppl/sgppl/runtime/engine/model",
	"ode":     "github.com/sgppl/sgppl/runtime/math/ode",
	"sampler": "github.com/sgppl/sgppl/runtime/infer/sampler",
	"size":    "github.com/sgppl/sgppl/runtime/math/size",
	"special": "github.com/sgppl/sgppl/runtime/math/special",
	"target":  "github.com/sgppl/sgppl/runtime/engine/target",
	"typed":   "github.com/sgppl/sgppl/runtime/engine/typed",
}

// universe returns the outermost scope.
func universe() *scope {
	s := newScope(nil, predeclared...)
	for name := range packages {
		s.taken[name] = true
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		s.taken[t.String()] = true
	}
	return s
}

// greek spells letters, because capital Β is not what a user types for B.
var greek = func() map[rune]string {
	m := map[rune]string{'ς': "sigma", 'ϕ': "phi", 'ϵ': "epsilon", 'ϑ': "theta"}
	names := strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu " +
		"nu xi omicron pi rho - sigma tau upsilon phi chi psi omega")
	for i, name := range names {
		if name != "-" {
			m[rune('α'+i)] = name
			m[rune('Α'+i)] = strings.ToUpper(name[:1]) + name[1:]
		}
	}
	return m
}()

// camel turns a name of a model into words run together: beta_1 is beta1,
// l1.W is l1W, log_sd is logSd.
func camel(name string) string {
	var b strings.Builder
	word := false // the next letter starts a word
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			word = b.Len() > 0
			continue
		}
		text, ok := greek[r]
		if !ok {
			text = string(r)
		}
		if word {
			text = title(text)
		}
		b.WriteString(text)
		word = false
	}
	out := b.String()
	if out == "" {
		return "v"
	}
	if first := []rune(out)[0]; unicode.IsDigit(first) {
		out = "v" + out
	}
	if !token.IsIdentifier(out) && !token.IsKeyword(out) {
		return "v" // cannot happen: letters and digits, a letter first
	}
	return out
}

func title(s string) string {
	r := []rune(s)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// local is the identifier wanted for a name inside a function.
func local(name string) string {
	r := []rune(camel(name))
	// W is w, but an acronym at the start stays together: SD is sd.
	for i := range r {
		if i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		if !unicode.IsUpper(r[i]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// exported is the identifier wanted for a field or function that users see.
func exported(name string) string {
	out := title(camel(name))
	if !token.IsExported(out) {
		out = "X" + out // a letter without cases
	}
	return out
}
