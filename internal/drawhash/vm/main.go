// Command vm prints a line for each case of drawhash, by the engine in process. Its argument
// is the directory of the examples.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/internal/drawhash"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

func main() {
	for _, c := range drawhash.Cases {
		line, err := run(os.Args[1], c)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(line)
	}
}

func run(dir string, of drawhash.Case) (string, error) {
	path := filepath.Join(dir, of.Model)
	text, err := os.ReadFile(path + ".sg")
	if err != nil {
		return "", err
	}
	c, diags := driver.Compile(source.New(of.Model+".sg", string(text)), driver.Options{})
	if c == nil {
		return "", fmt.Errorf("%s: %s", of.Model, diags[0].Message)
	}
	if of.Single {
		if err := c.ToSingle(); err != nil {
			return "", err
		}
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{path + ".json"}, nil, data.Options{})
	if len(errs) > 0 {
		return "", errs[0]
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		return "", err
	}
	return of.Line(m)
}
