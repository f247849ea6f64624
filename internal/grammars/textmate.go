package main

import (
	"bytes"
	"encoding/json"
)

type rule struct {
	Name     string          `json:"name,omitempty"`
	Match    string          `json:"match"`
	Captures map[string]rule `json:"captures,omitempty"`
}

// MarshalJSON leaves out what a rule of a capture does not have.
func (r rule) MarshalJSON() ([]byte, error) {
	m := map[string]any{}
	if r.Name != "" {
		m["name"] = r.Name
	}
	if r.Match != "" {
		m["match"] = r.Match
	}
	if len(r.Captures) > 0 {
		m["captures"] = r.Captures
	}
	return encode(m), nil
}

// name is the start of a name, which no letter or digit precedes.
const (
	before = `(?<![\p{L}\p{N}\p{M}_])`
	after  = `(?![\p{L}\p{N}\p{M}_])`
)

// textMate is the grammar of VS Code, Sublime Text and many others: rules for pieces of lines.
func textMate(w words) string {
	name := func(n string) rule { return rule{Name: n} }
	rules := []rule{
		{Name: "comment.line.documentation.sgppl", Match: `///.*$`},
		{Name: "comment.line.double-slash.sgppl", Match: `//.*$`},
		{Match: `(?:^|\G|(?<=\{))\s*(` + oneOf(w.starters) + `)` + after +
			`(?=\s*(?:\(|[ \t]+[\p{L}\p{N}_]))` +
			`(?![ \t]+(?:and|or)` + after + `)(?:(?<=let)|(?<=track)|(?!\s*\())`,
			Captures: map[string]rule{"1": name("keyword.declaration.sgppl")}},
		{Match: `(:|->)\s*(?:(sparse)\s+)?(` + oneOf(w.types) + `)` + after,
			Captures: map[string]rule{"1": name("keyword.operator.sgppl"),
				"2": name("storage.modifier.sgppl"), "3": name("support.type.sgppl")}},
		{Name: "keyword.control.sgppl", Match: before + `(?:` + oneOf(w.reserved) + `)` + after},
		{Name: "constant.language.sgppl", Match: before + `(?:` + oneOf(w.constants) + `)` + after},
		{Name: "constant.numeric.sgppl", Match: before + w.number},
		{Match: `(~)\s*([\p{L}_][\p{L}\p{N}\p{M}_]*)`,
			Captures: map[string]rule{"1": name("keyword.operator.sgppl"),
				"2": name("support.class.sgppl")}},
		{Match: `([\p{L}_][\p{L}\p{N}\p{M}_]*)\s*(?=\()`,
			Captures: map[string]rule{"1": name("entity.name.function.sgppl")}},
		{Name: "variable.other.sgppl", Match: `[\p{L}_][\p{L}\p{N}\p{M}_]*`},
		{Name: "keyword.operator.sgppl", Match: oneOf(w.operators)},
	}
	return string(encode(map[string]any{
		"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
		"name":    "sgppl", "scopeName": "source.sgppl", "fileTypes": []string{"sg"},
		"patterns": rules}))
}

// languageConfiguration has comments and brackets for VS Code.
func languageConfiguration(w words) string {
	return string(encode(map[string]any{"comments": map[string]string{"lineComment": "//"},
		"brackets":         w.brackets,
		"autoClosingPairs": w.brackets, "surroundingPairs": w.brackets,
		"indentationRules": map[string]string{"increaseIndentPattern": `\{[^}]*$`,
			"decreaseIndentPattern": `^\s*\}`}}))
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err) // the values are made here, of texts
	}
	return b.Bytes()
}
