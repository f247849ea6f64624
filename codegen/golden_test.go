package codegen_test

import (
	"flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// The generated packages of a few models, whole: what a user reads. That they
// build and give the right numbers is tested elsewhere on the same text.
func TestGolden(t *testing.T) {
	cases := own(t)
	for _, name := range []string{"logit", "net"} { // in single precision
		for _, c := range load(t, filepath.Join("testdata", name+".sg")) {
			if err := c.c.ToSingle(); err != nil {
				t.Fatal(err)
			}
			c.name += "32"
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		switch c.name {
		case "logit", "levels", "walk", "logit32", "net32":
		default:
			continue
		}
		files := c.generate(t)
		// The txtar format.
		got := "Generated from " + strings.TrimSuffix(c.name, "32") +
			".sg; go test ./codegen -update\n"
		var names []string
		for name := range files {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			if (name == "sample.go" || name == "options.go") && c.name != "logit" {
				continue // the same text
			}
			got += "-- " + name + " --\n" + string(files[name])
		}
		path := filepath.Join("testdata", c.name+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if line, x, y := firstDifference(got, string(want)); line >= 0 {
			t.Errorf("%s:%d:\ngenerated %s\ngolden    %s", path, line+1, x, y)
		}
	}
}

// Generation depends on nothing but its input.
func TestGenerateTwice(t *testing.T) {
	for _, c := range own(t) {
		first, again := c.generate(t), c.generateAgain(t)
		for name, text := range first {
			if string(again[name]) != string(text) {
				t.Errorf("%s/%s differs", c.name, name)
			}
			if strings.Contains(string(text), "\t\n") {
				t.Errorf("%s/%s has blanks at an end of line", c.name, name)
			}
		}
	}
}
