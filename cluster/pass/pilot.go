package pass

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// purposePilot numbers the streams that rows of a pilot are drawn from.
const purposePilot rng.Purpose = 1 << 19

// pilotRows is how many rows of all shards the driver has in memory, about; fewer where rows
// are wide.
const (
	pilotRows    = 20000
	pilotNumbers = 4 << 20
)

// A pilotBody asks for rows that are drawn evenly.
type pilotBody struct {
	Seed uint64 `json:"seed"`
	Most []int  `json:"most"` // rows of each shard
}

// A pilotHead begins the result of a task. Rows of the shard that come first by random
// numbers of their own are in it: all whose number is below Below.
type pilotHead struct {
	found
	Keys  []float64 `json:"keys"` // of the rows that follow
	Below float64   `json:"below"`
}

// doPilot finds what the rows of a shard settle, and draws some of them.
func doPilot(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask pilotBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	_, bound, err := e.part(ctx, &Settled{Dims: e.Run.Dims, Labels: e.Run.Labels}, index)
	if err != nil {
		return Result{}, err
	}
	c, err := e.Compiled()
	if err != nil {
		return Result{}, err
	}
	head := pilotHead{found: foundIn(c, bound), Below: 1}
	keys, below := pilotKeys(ask.Seed, index, int(head.Rows), ask.Most[index])
	head.Below = below
	keep := make([]int, len(keys))
	for i, k := range keys {
		keep[i] = k.row
		head.Keys = append(head.Keys, k.key)
	}
	out, err := encode(head, nil, rowsOf(c, bound, keep))
	return Result{out, head.Rows}, err
}

// A rowKey is a row of a shard with its random number.
type rowKey struct {
	key float64
	row int
}

// pilotKeys are about so many rows of a shard at most, those of the smallest random numbers:
// all whose number is below a bound, which is returned.
func pilotKeys(seed uint64, shard, rows, most int) (out []rowKey, below float64) {
	stream := rng.New(seed, shard, purposePilot)
	u := make([]float64, rows)
	stream.Uniforms(0, u)
	below = 1
	if rows > most {
		below = float64(most) / float64(rows)
	}
	for i, x := range u {
		if x < below {
			out = append(out, rowKey{x, i})
		}
	}
	return out, below
}

// A Pilot is some of all rows, and what all settle.
type Pilot struct {
	Settled *Settled
	Bound   *data.Bound
	digest  string
}

// PilotOf draws rows of all shards evenly. rest has the inputs that belong to no row.
func PilotOf(
	ctx context.Context, e *Env, front Front, number int, seed uint64, rest *data.Bound,
) (*Pilot, error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	want := pilotSize(rest, c.Spec.RowDim)
	shards, bytes := e.Run.Manifest.Shards, e.Run.Manifest.Bytes()
	ask := pilotBody{Seed: seed}
	for _, s := range shards { // about as many rows are wanted of a shard as it has of all
		share := float64(want) * float64(s.Size) / float64(max(bytes, 1))
		ask.Most = append(ask.Most, min(want, int(1.5*share)+200))
	}
	var list []found
	var keys [][]float64
	var parts []map[string]*array.Value
	below := 1.0
	err = e.Pass(ctx, front, number, "pilot", len(shards), ask, func(_ int, result []byte) error {
		var head pilotHead
		_, values, err := decode(result, &head)
		if err != nil {
			return err
		}
		list, keys, parts = append(list, head.found), append(keys, head.Keys), append(parts, values)
		below = min(below, head.Below)
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := &Pilot{}
	if p.Settled, err = settle(list, e.Run.Levels); err != nil {
		return nil, err
	}
	for _, f := range list {
		if len(f.Labels) > 0 && !f.same(&list[0]) {
			relabel(c, parts, list, p.Settled)
			break
		}
	}
	if p.digest, err = p.Settled.put(ctx, e); err != nil {
		return nil, err
	}
	p.Bound, err = joined(c, rest, p.Settled, evenly(keys, below, want, parts))
	return p, err
}

// pilotSize is how many rows are drawn.
func pilotSize(b *data.Bound, dim string) int {
	numbers := 0.0
	for _, v := range b.Values {
		numbers += v.Memory() / 8
	}
	width := int(numbers/float64(max(b.Dims[dim], 1))) + 1
	return max(100, min(pilotRows, pilotNumbers/width))
}

// evenly keeps the rows of all shards whose random numbers are below a bound that all shards
// have, and below that of about so many rows.
func evenly(
	keys [][]float64, below float64, want int, parts []map[string]*array.Value,
) []map[string]*array.Value {
	var all []float64
	for _, list := range keys {
		all = append(all, list...)
	}
	slices.Sort(all)
	if len(all) > want {
		below = min(below, all[want])
	}
	var keep []int
	var shards []shardRows
	at := 0
	for i, list := range keys {
		for _, x := range list {
			if x < below {
				keep = append(keep, at)
			}
			at++
		}
		shards = append(shards, shardRows{len(list), parts[i]})
	}
	return someOf(shards, keep)
}

// relabel has indices of rows that stand for words of their shard stand for those of all.
func relabel(
	c *driver.Compiled, parts []map[string]*array.Value, list []found, s *Settled,
) {
	for i := range c.Spec.Schema.Inputs {
		in := &c.Spec.Schema.Inputs[i]
		d, named := in.Below.Name()
		if in.Kind != data.Index || !named || s.Labels[d] == nil {
			continue
		}
		at := map[string]float64{}
		for k, word := range s.Labels[d] {
			at[word] = float64(k)
		}
		for k, part := range parts {
			v := part[in.Name]
			if v == nil || v.CSR != nil {
				continue
			}
			out := *v
			out.F64, out.Bytes = slices.Clone(v.Floats()), nil
			for j, x := range out.F64 {
				if n := int(x); x == x && n < len(list[k].Labels[d]) {
					out.F64[j] = at[list[k].Labels[d][n]]
				}
			}
			part[in.Name] = &out
		}
	}
}
