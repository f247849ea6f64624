package pass

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// A Fleet is the body of a pass that samples a posterior for each key. Split is the pass
// that sorted the rows.
type Fleet struct {
	Split   string `json:"split"` // its directory, such as pass/001-split
	Key     string `json:"key"`
	Parts   int    `json:"parts"`
	Seed    uint64 `json:"seed"`
	Chains  int    `json:"chains"`
	Warmup  int64  `json:"warmup"` // 0: that of the sampler
	Draws   int64  `json:"draws"`
	Sampler string `json:"sampler"` // "": as `sgppl sample` chooses
}

// A Posterior is what a fleet keeps of one key.
type Posterior struct {
	Key   string `json:"key"`
	Rows  int    `json:"rows"`
	Seed  uint64 `json:"seed"` // `sgppl sample --seed` on these rows gives the same draws
	Error string `json:"error,omitempty"`
	worker.Posterior
}

// SeedOf is the seed of the posterior of a key: a function of the seed of the run and of
// the text of the key alone, so that another key changes no posterior but its own.
func SeedOf(seed uint64, key string) uint64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, seed))
	h.Write([]byte(key))
	return h.Sum64() >> 12 // fits a float64, for readers of JSON
}

// doFleet writes a line of JSON for each key of a part, in the order in which keys first
// appear.
func doFleet(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var f Fleet
	if err := json.Unmarshal(body, &f); err != nil {
		return Result{}, &Permanent{err}
	}
	g, err := e.groups(ctx, &f, index)
	if err != nil {
		return Result{}, err
	}
	dir, err := os.MkdirTemp(e.Cache, "fleet-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	var out bytes.Buffer
	rows := int64(0)
	for _, key := range g.keys {
		p, err := e.posterior(ctx, &f, g, key, filepath.Join(dir, "rows.csv"))
		if err != nil {
			return Result{}, err
		}
		rows += int64(p.Rows)
		line, err := json.Marshal(p)
		if err != nil {
			return Result{}, err
		}
		out.Write(append(line, '\n'))
	}
	return Result{out.Bytes(), rows}, nil
}

// groups are the rows of a part by key, as lines of csv.
type groups struct {
	columns []string
	keys    []string // in order of their first rows
	rows    map[string][][]string
}

// groups reads the rows of a part from the results of all tasks that sorted rows.
func (e *Env) groups(ctx context.Context, f *Fleet, part int) (*groups, error) {
	g := &groups{rows: map[string][][]string{}}
	for i := range e.Run.Manifest.Shards {
		t := Task{f.Split, i}
		head, at, err := e.splitHead(ctx, t)
		if err != nil {
			return nil, err
		}
		if g.columns == nil {
			g.columns = head.Columns
		} else if !slices.Equal(g.columns, head.Columns) {
			return nil, &Permanent{fmt.Errorf("%v has the columns %q, and those before it %q",
				e.Run.Manifest.Shards[i], head.Columns, g.columns)}
		}
		from := int64(0)
		if part > 0 {
			from = head.Ends[part-1]
		}
		if err := e.readPart(ctx, t, at+from, head.Ends[part]-from, head.Sums[part], g,
			f.Key); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// splitHead reads the head of a result, and where what follows begins.
func (e *Env) splitHead(ctx context.Context, t Task) (*splitHead, int64, error) {
	r, err := e.Bucket.Range(ctx, t.result(), 0, -1)
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	var begin [8]byte // the length of the head, and its check sum
	if _, err := io.ReadFull(r, begin[:]); err != nil {
		return nil, 0, &DamagedError{t}
	}
	n, sum := binary.LittleEndian.Uint32(begin[:]), binary.LittleEndian.Uint32(begin[4:])
	text, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, 0, err
	}
	head := new(splitHead)
	if crc32.Checksum(text, castagnoli) != sum || json.Unmarshal(text, head) != nil {
		return nil, 0, &DamagedError{t}
	}
	return head, int64(len(begin)) + int64(n), nil
}

// readPart takes in the n bytes of a part of a result, whose check sum is sum.
func (e *Env) readPart(
	ctx context.Context, t Task, from, n int64, sum uint32, g *groups, key string,
) error {
	if n == 0 {
		return nil
	}
	r, err := e.Bucket.Range(ctx, t.result(), from, n)
	if err != nil {
		return err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if crc32.Checksum(text, castagnoli) != sum {
		return &DamagedError{t}
	}
	at := slices.Index(g.columns, key)
	for in := csv.NewReader(bytes.NewReader(text)); ; {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &DamagedError{t}
		}
		k := row[at]
		if g.rows[k] == nil {
			g.keys = append(g.keys, k)
		}
		g.rows[k] = append(g.rows[k], row)
	}
}

// posterior samples that of a key. What is wrong with its data or its run is in the
// posterior, and others go on.
func (e *Env) posterior(
	ctx context.Context, f *Fleet, g *groups, key, file string,
) (*Posterior, error) {
	p := &Posterior{Key: key, Rows: len(g.rows[key]), Seed: SeedOf(f.Seed, key)}
	if err := writeRows(file, g.columns, g.rows[key]); err != nil {
		return nil, err
	}
	err := e.sample(ctx, f, p, file)
	if permanent := (*Permanent)(nil); err != nil && !errors.As(err, &permanent) {
		return nil, err // the task is tried again
	}
	if err != nil {
		// The name of the file is another in each attempt.
		p.Verdict, p.Error = "failed", renamed(err, file, "rows of "+key).Error()
	}
	return p, nil
}

func writeRows(file string, columns []string, rows [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(columns); err != nil {
		return err
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

func (e *Env) sample(ctx context.Context, f *Fleet, p *Posterior, file string) error {
	specs, err := e.specs(ctx, file)
	if err != nil {
		return err
	}
	bound, err := e.bind(specs)
	if err != nil {
		return err
	}
	out, err := e.Evaluate(ctx, bound, "posterior", worker.Sampling{Seed: p.Seed, Chains: f.Chains,
		Warmup: f.Warmup, Draws: f.Draws, Sampler: f.Sampler}, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, &p.Posterior)
}

// FleetOf samples a posterior for each key, and hands each to take: by part, and in a part in
// the order in which keys first appear.
func FleetOf(ctx context.Context, e *Env, front Front, f Fleet, take func(Posterior) error) error {
	err := e.Pass(ctx, front, 1, "split", len(e.Run.Manifest.Shards), Split{f.Key, f.Parts},
		func(int, []byte) error { return nil })
	if err != nil {
		return err
	}
	f.Split = "pass/001-split"
	return e.Pass(ctx, front, 2, "fleet", f.Parts, f, func(_ int, result []byte) error {
		for line := range bytes.Lines(result) {
			var p Posterior
			if err := json.Unmarshal(line, &p); err != nil {
				return err
			}
			if err := take(p); err != nil {
				return err
			}
		}
		return nil
	})
}
