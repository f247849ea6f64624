package pass

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/typed"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
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
	Key     string           `json:"key"`
	Rows    int              `json:"rows"`
	Seed    uint64           `json:"seed"` // `sgppl sample --seed` on these rows gives the same draws
	Verdict string           `json:"verdict,omitempty"`
	Problem []string         `json:"problems,omitempty"` // rows of the health table that are not ok
	Error   string           `json:"error,omitempty"`
	Draws   string           `json:"draws,omitempty"` // digest of all of them
	Params  map[string]Stats `json:"params,omitempty"`
}

// Stats describe the draws of a number.
type Stats struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	Q5   float64 `json:"q5"`
	Q50  float64 `json:"q50"`
	Q95  float64 `json:"q95"`
	ESS  *Number `json:"ess,omitempty"`
	Rhat *Number `json:"rhat,omitempty"`
}

// A Number is a float whose JSON is null where it is not finite.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
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
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		p.Verdict, p.Error = "failed", err.Error()
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
	c, err := e.Compiled()
	if err != nil {
		return err
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		return err
	}
	s := typed.DefaultSettings()
	s.Seed, s.Chains, s.Draws, s.Threads = p.Seed, f.Chains, f.Draws, 1
	if f.Sampler != "" {
		s.Sampler = f.Sampler
	}
	if f.Warmup > 0 {
		s.Warmup = f.Warmup
	}
	set, err := typed.Collect(ctx, m, s)
	if err != nil {
		return err
	}
	p.describe(set)
	return nil
}

// describe keeps what is kept of the draws.
func (p *Posterior) describe(set *typed.Set) {
	p.Params = map[string]Stats{}
	for _, r := range set.Summary() {
		ess, rhat := Number(min(r.ESSBulk, r.ESSTail)), Number(r.Rhat)
		p.Params[r.Name] = Stats{r.Mean, r.SD, r.Q5, r.Q50, r.Q95, &ess, &rhat}
	}
	p.Verdict = "ok"
	for _, h := range set.Health() {
		if health.Severity(h.Verdict) > health.Severity("ok") {
			p.Problem = append(p.Problem, fmt.Sprintf("%s %s %.4g: %s", h.Block, h.Statistic, h.Value,
				h.Verdict))
		}
		if health.Severity(h.Verdict) > health.Severity(p.Verdict) {
			p.Verdict = h.Verdict
		}
	}
	digest := sha256.New()
	for c := range set.Chains() {
		for i := range set.Len() {
			d, err := set.Draw(c, i)
			if err != nil {
				panic(err) // both are in range
			}
			for _, v := range d.Values {
				digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
	}
	p.Draws = hex.EncodeToString(digest.Sum(nil)[:16])
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
