package codegen

import (
	"fmt"
	"testing"
)

func TestDump(t *testing.T) {
	for _, c := range []modelCase{logistic(t, false), logistic(t, true)} {
		files, err := Generate(Input{Spec: c.spec, Programs: c.programs})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			fmt.Printf("-- %s/%s --\n%s\n", c.name, name, text)
		}
	}
}
