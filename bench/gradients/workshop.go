package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan"
	"github.com/sgppl/sgppl/stan/syntax"
)

// A workshop is a directory where the sides are made.
type workshop struct {
	dir     string
	headers string // where the packages of R are that have Stan's headers; empty without rstan
	own     string // the program of all generated packages
	loops   string // the program of the loops in C; empty without a compiler
}

// tools finds what there is to compile Stan and C with, and says what is missing.
func (w *workshop) tools() {
	if !*noStan {
		out, err := exec.Command("Rscript", "-e",
			`cat(dirname(find.package(c("rstan", "StanHeaders", "RcppEigen"))[1]))`).Output()
		if w.headers = string(out); err != nil {
			w.headers = ""
			fmt.Fprintln(os.Stderr, "rstan is not installed: Stan is left out")
		}
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		fmt.Fprintln(os.Stderr, "gcc is not installed: the loops in C are left out")
		return
	}
	w.loops = filepath.Join(w.dir, "limits-c")
	if err := command("gcc", "-O3", "-march=native", "-ffast-math",
		"bench/gradients/programs/limits.c", "-o", w.loops, "-lmvec", "-lm"); err != nil {
		fmt.Fprintln(os.Stderr, "the loops in C are left out:", err)
		w.loops = ""
	}
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// generate writes the packages of all cases and a program that has them.
func (w *workshop) generate(all []testCase) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	own := filepath.Join(w.dir, "own")
	if err := os.RemoveAll(own); err != nil {
		return err
	}
	imports, entries := "", ""
	for _, c := range all {
		model, err := c.source()
		if err != nil {
			return err
		}
		compiled, diags := driver.Compile(model, driver.Options{})
		if compiled == nil {
			return fmt.Errorf("%s: %s", c.model, diags[0].Message)
		}
		name := strings.ReplaceAll(c.name, "_", "")
		files, err := codegen.Generate(codegen.Input{Spec: compiled.Spec,
			Programs: compiled.Programs, Package: name})
		if err != nil {
			return fmt.Errorf("%s: %w", c.model, err)
		}
		for file, text := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			if err := put(filepath.Join(own, name, file), text); err != nil {
				return err
			}
		}
		imports += fmt.Sprintf("\t%q\n", "own/"+name)
		entries += fmt.Sprintf("\t%q: func(file string) (target.Target, error) {\n"+
			"\t\tm, err := %s.Open(nil, file)\n\t\tif err != nil {\n\t\t\treturn nil, err\n\t\t}\n"+
			"\t\treturn m.Target(), nil\n\t},\n", c.name, name)
	}
	module := "module own\n\ngo 1.26\n\nrequire github.com/sgppl/sgppl v0.0.0\n\n" +
		"replace github.com/sgppl/sgppl => " + root + "\n"
	template, err := os.ReadFile("bench/gradients/programs/own.txt")
	if err != nil {
		return err
	}
	text := strings.NewReplacer("// imports\n", imports, "// entries\n", entries)
	if err := put(filepath.Join(own, "go.mod"), []byte(module)); err != nil {
		return err
	}
	if err := put(filepath.Join(own, "main.go"), []byte(text.Replace(string(template)))); err != nil {
		return err
	}
	w.own = filepath.Join(w.dir, "sgppl-gradients")
	build := exec.Command("go", "build", "-mod=mod", "-o", w.own, ".")
	build.Dir = own
	build.Env = append(os.Environ(), "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

func put(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// source is the model's text, translated where it is a program of Stan.
func (c testCase) source() (*source.File, error) {
	text, err := os.ReadFile(c.model)
	if err != nil {
		return nil, err
	}
	file := source.New(filepath.Base(c.model), string(text))
	if !stan.Is(c.model) {
		return file, nil
	}
	model, diags := stan.Model(file)
	if model == nil {
		return nil, fmt.Errorf("%s: %s", c.model, diags[0].Message)
	}
	return model, nil
}

// json is the case's data.
func (c testCase) json() ([]byte, error) {
	if c.data != "" {
		return os.ReadFile(filepath.Join(*shared, c.data))
	}
	text, err := os.ReadFile(c.stan)
	if err != nil {
		return nil, err
	}
	program, diags := syntax.Parse(source.New(c.stan, string(text)))
	if diags.Errors() {
		return nil, fmt.Errorf("%s: %s", c.stan, diags[0].Message)
	}
	var given map[string]any
	if c.given != "" {
		if err := json.Unmarshal([]byte(c.given), &given); err != nil {
			return nil, err
		}
	}
	values, err := invent(program, c.set, given, c.name)
	if err != nil {
		return nil, err
	}
	return json.Marshal(values)
}

// sides are those of a case: sgppl, the loop in C, Stan; nil where there is none.
func (w *workshop) sides(c testCase) ([]*side, error) {
	text, err := c.json()
	if err != nil {
		return nil, err
	}
	base := filepath.Join(w.dir, c.name)
	out := []*side{{program: w.own, before: []string{c.name}, data: base + ".json", x: c.x}, nil, nil}
	if err := put(base+".json", text); err != nil {
		return nil, err
	}
	if c.c != "" && w.loops != "" {
		lines, err := plain(text)
		if err != nil {
			return nil, err
		}
		if err := put(base+".txt", lines); err != nil {
			return nil, err
		}
		out[1] = &side{program: w.loops, before: []string{c.c}, data: base + ".txt"}
	}
	if c.stan == "" || w.headers == "" {
		return out, nil
	}
	lines, err := dump(text)
	if err != nil {
		return nil, err
	}
	if err := put(base+".R", lines); err != nil {
		return nil, err
	}
	out[2] = &side{program: base + "-stan", data: base + ".R", x: c.x}
	return out, w.stan(c, base)
}

// array is a declaration of an array as Stan has it since 2.26, which rstan 2.21 does not know.
var array = regexp.MustCompile(`array\[([^\]]*)\]\s+(\w+(?:<[^>]*>)?(?:\[[^\]]*\])?)\s+(\w+)`)

// unsized is the type of an argument that is an array.
var unsized = regexp.MustCompile(`array\[(,*)\]\s+(\w+)`)

// stan compiles the case's Stan program, unless that has been done.
func (w *workshop) stan(c testCase, base string) error {
	text, err := os.ReadFile(c.stan)
	if err != nil {
		return err
	}
	text = unsized.ReplaceAll(text, []byte("$2[$1]"))
	text = array.ReplaceAll(text, []byte("$2 $3[$1]"))
	if old, err := os.ReadFile(base + ".stan"); err == nil && string(old) == string(text) {
		if _, err := os.Stat(base + "-stan"); err == nil {
			return nil
		}
	}
	if err := put(base+".stan", text); err != nil {
		return err
	}
	script := fmt.Sprintf("writeLines(rstan::stanc(%q, model_name = %q)$cppcode, %q)", base+".stan",
		c.name, base+".hpp")
	if err := command("Rscript", "-e", script); err != nil {
		return err
	}
	in := func(p string) string { return filepath.Join(w.headers, p) }
	return command("g++", "-std=c++14", "-O3", "-march=native", "-w",
		"-I"+in("StanHeaders/include/src"), "-I"+in("StanHeaders/include"), "-I/usr/include/eigen3",
		"-I"+in("RcppEigen/include"), "-I"+in("BH/include"), "-I"+in("RcppParallel/include"),
		"-DEIGEN_NO_DEBUG", "-DBOOST_DISABLE_ASSERTS", "-DBOOST_PENDING_INTEGER_LOG2_HPP",
		"-DBOOST_NO_AUTO_PTR", "-D_REENTRANT", "-include", base+".hpp",
		"bench/gradients/programs/gradient.cpp", "-o", base+"-stan", "-L"+in("StanHeaders/lib"),
		"-lStanHeaders", "-ltbb")
}
