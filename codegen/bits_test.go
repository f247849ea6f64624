package codegen_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/codegen/internal/probe"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/host"
)

const probeMain = `package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"PATH/probe"
IMPORTS)

var models = map[string]func() (*model.Spec, model.Code){
MODELS}

func main() {
	for _, arg := range os.Args[1:] {
		name, path, _ := strings.Cut(arg, "=")
		file, err := os.Open(path)
		if err != nil {
			panic(err)
		}
		_, bound, err := host.ReadJob(file)
		if err != nil {
			panic(err)
		}
		spec, code := models[name]()
		m, err := model.New(spec, code, bound, nil)
		if err != nil {
			panic(err)
		}
		fmt.Printf("== %s\n%s", name, probe.Report(m))
	}
}
`

// Generated code and the VM give the same bits, for every function of every
// model.
func TestSameBitsAsVM(t *testing.T) {
	compareBits(t, compared(t))
}

// The same in single precision.
func TestSameBitsInSingle(t *testing.T) {
	var cases []modelCase
	for _, c := range compared(t) {
		if !inSingle(c.name) {
			continue
		}
		var refused *plan.SingleError
		switch err := c.c.ToSingle(); {
		case errors.As(err, &refused): // TestSingleRefuses
		case err != nil:
			t.Error(err)
		default:
			cases = append(cases, c)
		}
	}
	compareBits(t, cases)
}

// compared are the models of this package and the examples, compiled anew: they are changed.
func compared(t *testing.T) []modelCase {
	cases := load(t, filepath.Join("testdata", "*.sg"))
	for _, dir := range comparedModels() {
		for _, c := range load(t, filepath.Join(dir, "*.sg")) {
			if c.coordinates() <= mostCoordinates {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

func compareBits(t *testing.T, cases []modelCase) {
	text, err := os.ReadFile("internal/probe/probe.go")
	if err != nil {
		t.Fatal(err)
	}
	path := program(t, cases, map[string][]byte{"probe/probe.go": text}, probeMain)
	dir := t.TempDir()
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := c.c.VM(c.bound, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("== %s\n%s", c.name, probe.Report(m))
			job := filepath.Join(dir, fmt.Sprint(i))
			file, err := os.Create(job)
			if err != nil {
				t.Fatal(err)
			}
			if err := host.WriteJob(file, host.Job{Work: json.RawMessage("null")},
				c.bound); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			got, err := exec.Command(path, c.name+"="+job).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			if !strings.Contains(want, "gradient ") {
				t.Error("nothing was compared")
			}
			if line, x, y := firstDifference(string(got), want); line >= 0 {
				t.Errorf("line %d:\ngenerated %s\nVM        %s", line, x, y)
			}
		})
	}
}
