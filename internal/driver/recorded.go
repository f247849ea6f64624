package driver

import "github.com/sgppl/sgppl/ir/stage"

// A Recorded has the constants of a run, such as mean(x), as its record holds them.
type Recorded struct {
	Values map[string][]float64
	// Keys are their names by digests of what they compute; nil in records that do not say.
	Keys map[string]string
}

// ConstantKeys are the names of the model's constants by digests of what they compute, for the
// record of a run.
func (c *Compiled) ConstantKeys() map[string]string { return c.constants }

// Constants are the constants of a run under the names that the model has for them: another
// version, or another sampler, may number them otherwise. Those that compute something else are
// not among them.
func (c *Compiled) Constants(r Recorded) map[string][]float64 {
	if r.Keys == nil {
		return r.Values
	}
	out := map[string][]float64{}
	for key, name := range c.constants {
		if x, ok := r.Values[r.Keys[key]]; ok {
			out[name] = x
		}
	}
	return out
}

// fittedKeys find the constants of a module among those of a run.
type fittedKeys struct {
	keys  map[string]string // digests of what constants of the module compute, by their names
	names map[string]string // names by digests, for records that have no keys
}

// keysOf are those of the constants of a module; names are those of a run that has no keys.
func keysOf(m *stage.Module, names map[string]string) fittedKeys {
	k := fittedKeys{keys: map[string]string{}, names: names}
	for key, name := range m.ConstantKeys() {
		k.keys[name] = key
	}
	return k
}

// value is a constant of the module in a run.
func (k *fittedKeys) value(name string, r Recorded) (x []float64, ok bool) {
	key, ok := k.keys[name]
	if !ok {
		return nil, false
	}
	names := r.Keys
	if names == nil {
		names = k.names
	}
	x, ok = r.Values[names[key]]
	return x, ok
}
