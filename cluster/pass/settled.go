package pass

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Settled is what the rows of all shards settle together: sizes, such as the number of
// groups, and the words that indices stand for. It is an object that tasks read.
type Settled struct {
	Rows   []int64             `json:"rows"` // of each shard
	Dims   map[string]int      `json:"dims"`
	Labels map[string][]string `json:"labels,omitempty"`
}

const settledFile = "settled.json"

// found is what the rows of one shard say of that.
type found struct {
	Rows   int64               `json:"rows"`
	Dims   map[string]int      `json:"dims"`
	Labels map[string][]string `json:"labels,omitempty"`
}

// foundIn looks at the data of a shard.
func foundIn(c *driver.Compiled, b *data.Bound) found {
	f := found{Rows: int64(b.Dims[c.Spec.RowDim]), Dims: map[string]int{}}
	for _, d := range c.Spec.Schema.Dims {
		if n, there := b.Dims[d.Name]; there && d.Of == "" && d.Name != c.Spec.RowDim {
			f.Dims[d.Name] = n
		}
	}
	for d, names := range b.Labels {
		if _, is := f.Dims[d]; is {
			if f.Labels == nil {
				f.Labels = map[string][]string{}
			}
			f.Labels[d] = names
		}
	}
	return f
}

// same reports whether two shards settle the same.
func (f *found) same(g *found) bool {
	return maps.Equal(f.Dims, g.Dims) && maps.EqualFunc(f.Labels, g.Labels, slices.Equal)
}

// settle joins what shards say, in their order: the largest sizes, and words by their first
// appearance, or as specs of --levels order them.
func settle(list []found, levels []string) (*Settled, error) {
	s := &Settled{Dims: map[string]int{}, Labels: map[string][]string{}}
	seen := map[string]map[string]bool{}
	for _, f := range list {
		s.Rows = append(s.Rows, f.Rows)
		for d, n := range f.Dims {
			s.Dims[d] = max(s.Dims[d], n)
		}
		for d, names := range f.Labels {
			if seen[d] == nil {
				seen[d] = map[string]bool{}
			}
			for _, name := range names {
				if !seen[d][name] {
					seen[d][name] = true
					s.Labels[d] = append(s.Labels[d], name)
				}
			}
		}
	}
	for _, spec := range levels {
		d, _, err := data.OrderLevels(spec, nil)
		if err == nil && s.Labels[d] != nil {
			_, s.Labels[d], err = data.OrderLevels(spec, s.Labels[d])
		}
		if err != nil {
			return nil, &Permanent{err}
		}
	}
	for d, names := range s.Labels {
		s.Dims[d] = len(names)
	}
	return s, nil
}

// total is how many rows all shards have.
func (s *Settled) total() (n int64) {
	for _, k := range s.Rows {
		n += k
	}
	return n
}

// first is the number of the first row of a shard among all rows.
func (s *Settled) first(shard int) (n int64) {
	for _, k := range s.Rows[:shard] {
		n += k
	}
	return n
}

// put writes what is settled, and returns its digest, by which requests name it.
func (s *Settled) put(ctx context.Context, e *Env) (digest string, err error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	wrote, err := e.Bucket.PutOnce(ctx, settledFile, text)
	if err != nil {
		return "", err
	}
	if !wrote {
		old, err := e.Bucket.Get(ctx, settledFile)
		if err != nil {
			return "", err
		}
		if !bytes.Equal(old, text) {
			return "", &Permanent{fmt.Errorf("%s: %s is of other rows, or damaged; another --out is "+
				"expected", e.Bucket.URL, settledFile)}
		}
	}
	e.lock.Lock()
	defer e.lock.Unlock()
	e.settled = s
	return digestOf(text), nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// settledAs reads what is settled, whose digest is known. A process reads it once.
func (e *Env) settledAs(ctx context.Context, digest string) (*Settled, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.settled != nil {
		return e.settled, nil
	}
	text, err := e.Bucket.Get(ctx, settledFile)
	if err != nil {
		return nil, err
	}
	s := new(Settled)
	if err := json.Unmarshal(text, s); err != nil || digestOf(text) != digest {
		return nil, &Permanent{fmt.Errorf("%s: %s is damaged", e.Bucket.URL, settledFile)}
	}
	e.settled = s
	return s, nil
}

// part binds the model to the rows of a shard, with what all shards settle.
func (e *Env) part(ctx context.Context, s *Settled, shard int) (*model.Model, *data.Bound, error) {
	bound, err := e.readSettled(ctx, s, shard)
	if err != nil {
		return nil, nil, err
	}
	m, err := e.model(bound, shard)
	return m, bound, err
}

// readSettled reads the data of a shard, with what all shards settle.
func (e *Env) readSettled(ctx context.Context, s *Settled, shard int) (*data.Bound, error) {
	o := e.options()
	o.Fixed, o.Labels = s.Dims, s.Labels
	return e.readBy(ctx, shard, o)
}

// restOf binds some rows of the first shard with what all shards settle: with the inputs that
// belong to no row, it is what the driver knows of the data.
func (e *Env) restOf(ctx context.Context, s *Settled) (*data.Bound, error) {
	_, bound, err := e.part(ctx, s, 0)
	if err != nil {
		return nil, err
	}
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	few := make([]int, min(fewRowsOf, bound.Dims[c.Spec.RowDim]))
	for i := range few {
		few[i] = i
	}
	return (&session.Binding{Compiled: c, Bound: bound}).BoundRows(few), nil
}

// fewRowsOf is how many rows of the first shard the driver keeps.
const fewRowsOf = 64
