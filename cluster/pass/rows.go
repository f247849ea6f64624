package pass

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// encode writes a result: a head as JSON, numbers, and values by name.
func encode(head any, x []float64, values map[string]*array.Value) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	out = append(out, text...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(x)))
	for _, v := range x {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
	}
	var b bytes.Buffer
	w := array.NewEncoder(&b)
	w.Count(len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		w.Text(name)
		w.Value(values[name])
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return append(out, b.Bytes()...), nil
}

var errResult = errors.New("a result has another form than this program writes")

// decode undoes encode.
func decode(b []byte, head any) (x []float64, values map[string]*array.Value, err error) {
	if len(b) < 4 {
		return nil, nil, errResult
	}
	n := int(binary.LittleEndian.Uint32(b))
	if b = b[4:]; len(b) < n+8 {
		return nil, nil, errResult
	}
	if err := json.Unmarshal(b[:n], head); err != nil {
		return nil, nil, errResult
	}
	k := int(binary.LittleEndian.Uint64(b[n:]))
	if b = b[n+8:]; k < 0 || len(b)/8 < k {
		return nil, nil, errResult
	}
	x = make([]float64, k)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	r := array.NewDecoder(bytes.NewReader(b[8*k:]), crc32.NewIEEE())
	values = map[string]*array.Value{}
	for range r.Count() {
		name := r.Text()
		if values[name] = r.Value(); r.Err() != nil {
			break
		}
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, errors.Join(errResult, err)
	}
	return x, values, nil
}

// shardRows are some rows of a shard.
type shardRows struct {
	n      int
	values map[string]*array.Value
}

// someOf takes rows by their places in the list of all; the places are sorted.
func someOf(parts []shardRows, places []int) (out []map[string]*array.Value) {
	first := 0
	for _, p := range parts {
		var keep []int
		for len(places) > 0 && places[0] < first+p.n {
			keep, places = append(keep, places[0]-first), places[1:]
		}
		first += p.n
		if len(keep) == 0 {
			continue
		}
		some := map[string]*array.Value{}
		for name, v := range p.values {
			some[name] = v.Take(keep, "")
		}
		out = append(out, some)
	}
	return out
}

// rowsOf are the values that belong to some of the rows of a shard.
func rowsOf(c *driver.Compiled, b *data.Bound, keep []int) map[string]*array.Value {
	some := (&session.Binding{Compiled: c, Bound: b}).BoundRows(keep)
	out := map[string]*array.Value{}
	for _, in := range c.Spec.Schema.Inputs {
		if v := some.Values[in.Name]; v != nil && alongRows(c, &in) {
			out[in.Name] = v
		}
	}
	return out
}

func alongRows(c *driver.Compiled, in *data.Input) bool {
	return len(in.Shape) > 0 && in.Shape[0].Mentions(c.Spec.RowDim)
}

// joined binds rows of several shards, in their order, with the inputs of rest that belong to
// no row.
func joined(
	c *driver.Compiled, rest *data.Bound, s *Settled, parts []map[string]*array.Value,
) (*data.Bound, error) {
	values := map[string]*array.Value{}
	for i := range c.Spec.Schema.Inputs {
		in := &c.Spec.Schema.Inputs[i]
		if !alongRows(c, in) {
			if v := rest.Values[in.Name]; v != nil {
				values[in.Name] = v
			}
			continue
		}
		var list []*array.Value
		for _, p := range parts {
			if v := p[in.Name]; v != nil {
				list = append(list, v)
			}
		}
		if len(list) == 0 {
			continue
		}
		v := list[0].Joined(list[1:]...)
		if last := len(in.Shape) - 1; v.CSR != nil {
			if n, ok := in.Shape[last].Eval(s.Dims); ok { // a shard may lack the last columns
				v.CSR.Cols, v.Shape[last] = n, n
			}
		}
		values[in.Name] = v
	}
	b, _, errs := data.Validate(&c.Spec.Schema, values, s.Dims, data.Options{})
	if len(errs) > 0 {
		return nil, errs[0]
	}
	b.Labels = s.Labels
	return b, nil
}
