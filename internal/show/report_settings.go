package show

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// settingsTable has the settings of a run by the names that they have in its
// record: those of all params, and in a column each those that some have for
// themselves. What the sampler has no use for, and states that chains start from,
// are left out.
func settingsTable(c sampler.Config) (*Table, error) {
	all, err := settingsIn(c)
	if err != nil {
		return nil, err
	}
	t := &Table{Head: []string{"setting", "value"}, Left: map[string]bool{"value": true}}
	columns := []map[string]string{all}
	for _, b := range c.Blocks {
		own, err := settingsIn(b)
		if err != nil {
			return nil, err
		}
		name := strings.Join(b.Params, ", ")
		t.Head, columns, t.Left[name] = append(t.Head, name), append(columns, own), true
	}
	names := map[string]bool{}
	for _, column := range columns {
		for name := range column {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		row := []string{name}
		for _, column := range columns {
			row = append(row, column[name])
		}
		t.Add(row...)
	}
	return t, nil
}

// listed has the settings of an optimiser.
func listed(c optimize.Config) (*Table, error) {
	all, err := settingsIn(c)
	if err != nil {
		return nil, err
	}
	t := &Table{Head: []string{"setting", "value"}, Left: map[string]bool{"value": true}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Add(name, all[name])
	}
	return t, nil
}

// settingsIn are the fields that say something, as texts.
func settingsIn(v any) (map[string]string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name, value := range fields {
		switch text := strings.Trim(string(value), `"`); {
		case name == "blocks", name == "init", name == "params", text == "", text == "null",
			text == "false":
		default:
			out[name] = text
		}
	}
	return out, nil
}
