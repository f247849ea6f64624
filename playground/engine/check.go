//go:build js

package main

import (
	"bytes"
	"encoding/json"

	"github.com/sgppl/sgppl/internal/checked"
	"github.com/sgppl/sgppl/lang/source"
)

// report is what sgppl check --json prints of a model. An error of another kind than a
// diagnostic is the field error.
func report(name, text string) string {
	var out bytes.Buffer
	r, err := checked.Model(source.New(name, text), nil, false)
	if err == nil {
		err = r.WriteJSON(&out)
	}
	if err != nil {
		line, _ := json.Marshal(map[string]string{"error": err.Error()})
		return string(line)
	}
	return out.String()
}
