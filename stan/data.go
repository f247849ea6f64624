package stan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/stan/translate"
)

// A Given is what is known of an input of a program: its shape and numbers, or the parts of a
// tuple.
type Given = translate.Given

// ReadData reads the inputs of a program: specs are those of --data, FILE, NAME=FILE or
// NAME=FILE:FIELD, and sets those of --set, NAME=VALUE. Objects of JSON with the keys "1", "2", …
// are tuples. What cannot be read is left out: whether it is needed the translation finds.
func ReadData(specs, sets []string) map[string]*Given {
	out := map[string]*Given{}
	for _, spec := range specs {
		name, path, field := cutSpec(spec)
		for k, v := range readFile(path) {
			switch {
			case name == "":
				out[k] = v
			case k == field:
				out[name] = v
			}
		}
	}
	for _, s := range sets {
		if n, text, ok := strings.Cut(s, "="); ok {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				out[n] = &Given{X: []float64{x}}
			}
		}
	}
	return out
}

// cutSpec takes a spec of --data apart. FILE alone has no name and no field.
func cutSpec(spec string) (name, path, field string) {
	if isFile(spec) {
		return "", spec, ""
	}
	path = spec
	if n, rest, ok := strings.Cut(spec, "="); ok {
		name, path, field = n, rest, n
	}
	if p, f, ok := cutLast(path, ":"); ok && !isFile(path) {
		path, field = p, f
	}
	return name, path, field
}

// Unreadable is what is wrong with the files of specs of --data that cannot be read.
func Unreadable(specs []string) (out []*problem.Error) {
	for _, spec := range specs {
		_, path, _ := cutSpec(spec)
		if readJSON(path) != nil {
			continue
		}
		_, errs := format.ReadFile(path)
		out = append(out, errs...)
	}
	return out
}

func cutLast(s, sep string) (before, after string, ok bool) {
	k := strings.LastIndex(s, sep)
	if k < 0 {
		return s, "", false
	}
	return s[:k], s[k+len(sep):], true
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// mostData bounds a file of JSON that is read whole.
const mostData = 1 << 30

// readJSON reads a file of JSON; nil where it is none.
func readJSON(path string) map[string]*Given {
	if !strings.HasSuffix(path, ".json") {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostData))
	if out, ok := parseJSON(text); ok && err == nil {
		return out
	}
	return nil
}

func readFile(path string) map[string]*Given {
	if out := readJSON(path); out != nil {
		return out
	}
	table, _ := format.ReadFile(path)
	if table == nil {
		return nil
	}
	out := map[string]*Given{}
	for _, name := range table.Fields {
		v, errs := table.Field(name)
		if v == nil || len(errs) > 0 || len(v.Words) > 0 {
			continue
		}
		if x := v.Floats(); x != nil {
			out[name] = &Given{Shape: v.Shape, X: x}
		}
	}
	return out
}

// parseJSON reads an object of JSON whose values are numbers, nested lists and tuples.
func parseJSON(text []byte) (map[string]*Given, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var all map[string]any
	if err := d.Decode(&all); err != nil {
		return nil, false
	}
	out := map[string]*Given{}
	for k, v := range all {
		if g, err := givenOf(v); err == nil {
			out[k] = g
		}
	}
	return out, true
}

var special = map[string]float64{"nan": math.NaN(), "inf": math.Inf(1), "+inf": math.Inf(1),
	"-inf": math.Inf(-1), "infinity": math.Inf(1), "-infinity": math.Inf(-1),
	"+infinity": math.Inf(1)}

func givenOf(v any) (*Given, error) {
	switch v := v.(type) {
	case json.Number:
		x, err := v.Float64()
		return &Given{X: []float64{x}}, err
	case bool:
		if v {
			return &Given{X: []float64{1}}, nil
		}
		return &Given{X: []float64{0}}, nil
	case string:
		if x, ok := special[strings.ToLower(v)]; ok {
			return &Given{X: []float64{x}}, nil
		}
	case map[string]any:
		out := &Given{Parts: map[string]*Given{}}
		for k, p := range v {
			g, err := givenOf(p)
			if err != nil {
				return nil, err
			}
			out.Parts[k] = g
		}
		return out, nil
	case []any:
		return givenList(v)
	}
	return nil, fmt.Errorf("no number: %v", v)
}

// givenList reads a list whose entries have one shape. A list of tuples is a tuple of lists.
func givenList(list []any) (*Given, error) {
	var out *Given
	for i, e := range list {
		g, err := givenOf(e)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out = emptyLike(g)
		}
		if err := stack(out, g); err != nil {
			return nil, err
		}
	}
	if out == nil {
		return &Given{Shape: []int{0}}, nil
	}
	return out, nil
}

func emptyLike(g *Given) *Given {
	out := &Given{Shape: append([]int{0}, g.Shape...)}
	if g.Parts != nil {
		out.Shape, out.Parts = nil, map[string]*Given{}
		for k, p := range g.Parts {
			out.Parts[k] = emptyLike(p)
		}
	}
	return out
}

// stack adds an entry to a list.
func stack(list, g *Given) error {
	if len(list.Parts) != len(g.Parts) {
		return fmt.Errorf("tuples of different parts")
	}
	if g.Parts != nil {
		for k, p := range g.Parts {
			if list.Parts[k] == nil {
				return fmt.Errorf("tuples of different parts")
			}
			if err := stack(list.Parts[k], p); err != nil {
				return err
			}
		}
		return nil
	}
	if !slices.Equal(list.Shape[1:], g.Shape) {
		return fmt.Errorf("lists of different lengths")
	}
	list.Shape[0]++
	list.X = append(list.X, g.X...)
	return nil
}
