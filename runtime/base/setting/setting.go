// Package setting writes the names of settings in messages.
//
// A message of the runtime has a setting in braces: "fewer {draws}, or a larger {thin}".
// How it reads depends on who sees it: in Go it is the field "Draws"; a program with a
// command line says by [Spell] how it reads there.
package setting

import (
	"fmt"
	"strings"
)

// Spell returns a setting, such as "batch-order", as messages name it. It is [Field]
// unless a program sets it, which it does before its first message.
var Spell = Field

// Text returns a message with each setting in braces replaced by its name. Give it
// constants: text of a user may have braces too.
func Text(message string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(message, "{")
		b.WriteString(before)
		if !open {
			return b.String()
		}
		if name, after, closed := strings.Cut(rest, "}"); closed && isName(name) {
			b.WriteString(Spell(name))
			message = after
			continue
		}
		b.WriteByte('{')
		message = rest
	}
}

// isName reports whether a text may be a setting: a small letter, then such letters, digits and
// dashes.
func isName(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return strings.Trim(text, letters+"0123456789-") == "" && text != "" &&
		strings.Contains(letters, text[:1])
}

// Sprintf is fmt.Sprintf of the format that [Text] returns.
func Sprintf(format string, args ...any) string {
	if false {
		_ = fmt.Sprintf(format, args...) // so that vet checks the arguments
	}
	return fmt.Sprintf(Text(format), args...)
}

// fields are the fields in Go whose settings have another name.
var fields = map[string]string{
	"accept-approximation": "Accept",
	"local-burn-in":        "BurnIn",
	"local-draws":          "Kept",
	"local-leapfrog":       "LocalOptions.Leapfrog",
	"local-thin":           "LocalOptions.Thin",
	"lp":                   "LogDensity",
	"na":                   "NA",
	"step-schedule":        "Schedule",
	"target-ess":           "TargetESS",
	"time":                 "TimeLimit",
}

// Field returns the name of a setting's field in Go: "BatchOrder" for "batch-order".
func Field(name string) string {
	if f, ok := fields[name]; ok {
		return f
	}
	var b strings.Builder
	for _, word := range strings.Split(name, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// options are the settings that generated packages have options for, where these are not
// With and the field; "" says that they are.
var options = map[string]string{
	"batch": "", "batch-order": "", "chains": "", "draws": "", "friction": "", "full-batch": "",
	"grad-noise": "",
	"init":       "WithStart", "inner-steps": "", "leapfrog": "", "max-bias": "", "max-depth": "",
	"energy-error":  "",
	"replicas":      "",
	"permute":       "",
	"metric":        "",
	"local-burn-in": "WithLocals", "local-draws": "WithLocals", "local-leapfrog": "WithLocals",
	"local-thin": "WithLocals",
	"sampler":    "", "scheme": "", "seed": "", "step": "", "step-schedule": "WithStepSchedule",
	"target-accept": "", "target-ess": "",
	"temperature": "", "thermostat": "", "thin": "", "threads": "", "warmup": "", "xi0": "",
}

// Option returns the option of a generated package that sets a setting: "WithBatchOrder" for
// "batch-order". A setting that such a package does not have is called as Field says.
func Option(name string) string {
	o, has := options[name]
	switch {
	case !has:
		return Field(name)
	case o == "":
		return "With" + Field(name)
	}
	return o
}

// Options returns the options that generated packages have, by setting.
func Options() map[string]string {
	all := map[string]string{}
	for name := range options {
		all[name] = Option(name)
	}
	return all
}
