package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A checked is the run of a surrogate with one seed, compared with nuts on all rows: a line of the
// file that the table of surrogates is made from.
type checked struct {
	Case      string
	Seed      uint64
	Rows, Dim int
	Asked     int // --rows: how many rows are to be taken as they are; −1: none
	Exactness surrogate.Exactness
	Refused   string `json:",omitempty"`
	Truth     string
	// The largest error of a weighted mean in standard deviations, with the error of the truth, and
	// of the means without weights.
	ErrMean, ErrTruth, Unweighted float64
	WorstMean                     string
	SDLow, SDHigh                 float64 // standard deviations, of the truth's
}

// right reports whether the run is as the design asks: means within 0.1 standard deviations.
func (c *checked) right() bool { return c.Refused == "" && c.ErrMean <= 0.1 }

// checkedFile is the name of the file of runs of surrogates, next to that of the other runs.
const checkedFile = "surrogates.jsonl"

// nutsDrawsTruth is the number of draws of each of the four chains of nuts.
const nutsDrawsTruth = 2500

// surrogates runs surrogates of a case that the file does not have, and appends them to it.
func (b *bench) surrogates(seeds, first int, to, truths string) error {
	done, err := readResults[checked](to)
	if err != nil || len(b.surrogate) == 0 {
		return err
	}
	m, err := b.bind()
	if err != nil {
		return err
	}
	var want *truth
	for _, asked := range b.surrogate {
		for s := range seeds {
			seed := uint64(first + s)
			if slices.ContainsFunc(done, func(c *checked) bool {
				return c.Case == b.name && c.Seed == seed && c.Asked == asked
			}) {
				continue
			}
			if want == nil {
				if want, err = kept(filepath.Join(truths, b.name+"-nuts.json"), truths != "",
					func() (*truth, error) { return byNUTS(m, nutsDrawsTruth) }); err != nil {
					return err
				}
			}
			c, err := b.checked(m, seed, asked, want)
			if err != nil {
				return err
			}
			fmt.Printf("%+v\n", *c)
			if err := appendResult(to, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// kept reads a truth from a file, or computes it and writes it there.
func kept(path string, keep bool, compute func() (*truth, error)) (*truth, error) {
	out := &truth{}
	if text, err := os.ReadFile(path); err == nil && keep {
		return out, json.Unmarshal(text, out)
	}
	out, err := compute()
	if err != nil || !keep {
		return out, err
	}
	text, err := json.Marshal(out)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	return out, err
}

// checked is one run of `sgppl sample --sampler nuts --surrogate`.
func (b *bench) checked(m *model.Model, seed uint64, asked int, want *truth) (*checked, error) {
	cfg := sampler.DefaultConfig()
	cfg.Seed = seed
	cfg = cfg.FullPasses()
	cfg.Sampler = "nuts"
	r, err := surrogate.Run(context.Background(), m, cfg,
		surrogate.Settings{Seed: seed, Rows: asked, Radius: 2}, loop.Options{})
	out := &checked{Case: b.name, Seed: seed, Rows: m.Rows(), Dim: m.Dim(), Asked: asked,
		Truth: want.How}
	if no := (*surrogate.Refusal)(nil); errors.As(err, &no) {
		out.Refused = no.Why
	} else if err != nil {
		return nil, err
	}
	if r == nil {
		return out, nil
	}
	out.Exactness = r.Exactness
	if len(r.Weights) != len(r.Drawn) || len(r.Drawn) == 0 {
		return out, nil
	}
	outs, e := make([][]float64, len(r.Drawn)), m.Evaluator(1)
	for i, x := range r.Drawn {
		outs[i] = make([]float64, m.OutputLen())
		e.Constrain(x, outs[i])
	}
	names := namesOf(m)
	out.SDLow = math.Inf(1)
	for j := range m.OutputLen() {
		mean, plain, square := 0.0, 0.0, 0.0
		for i, x := range outs {
			mean += r.Weights[i] * x[j]
			plain += x[j] / float64(len(outs))
		}
		for i, x := range outs {
			square += r.Weights[i] * (x[j] - mean) * (x[j] - mean)
		}
		off := math.Abs(mean-want.Mean[j]) / want.SD[j]
		if off > out.ErrMean {
			out.ErrMean, out.ErrTruth, out.WorstMean = off, want.MeanErr[j], names[j]
		}
		out.Unweighted = max(out.Unweighted, math.Abs(plain-want.Mean[j])/want.SD[j])
		q := math.Sqrt(square) / want.SD[j]
		out.SDLow, out.SDHigh = min(out.SDLow, q), max(out.SDHigh, q)
	}
	return out, nil
}

// surrogatesTable has a line for each run of a surrogate.
func surrogatesTable(done []*checked) string {
	var t strings.Builder
	t.WriteString("| posterior | N | d | `--rows` | seed | rows as they are | sd of the log ratio | " +
		"k | effective share | largest error of a weighted mean (of the truth) | without weights | " +
		"standard deviations, of the truth's | passes | within 0.1 sd |\n")
	t.WriteString("|" + strings.Repeat(" --- |", 14) + "\n")
	for _, b := range cases() {
		for _, c := range done {
			if c.Case != b.name {
				continue
			}
			x, asked := &c.Exactness, fmt.Sprint(max(c.Asked, 0))
			if c.Asked == 0 {
				asked = fmt.Sprint(surrogate.DefaultRows)
			}
			says := map[bool]string{true: "yes", false: "**no**"}[c.right()]
			if c.Refused != "" {
				says = "refused"
			}
			fmt.Fprintf(&t, "| %s | %d | %d | %s | %d | %d | %.2f | %.2f | %.2f | %s %.3f (%.3f) | "+
				"%.3f | %.3f to %.3f | %d | %s |\n", c.Case, c.Rows, c.Dim, asked, c.Seed, x.Rows,
				x.SD, x.K, x.Effective/float64(max(x.Draws, 1)), c.WorstMean, c.ErrMean, c.ErrTruth,
				c.Unweighted, c.SDLow, c.SDHigh, x.Passes, says)
		}
	}
	return t.String()
}
