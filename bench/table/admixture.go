package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/sam"
	"github.com/sgppl/sgppl/bench/internal/topics"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// corpus is the name of the documents in LDA-C, in the directory of the peers' data.
const corpus = "newsgroups.ldac"

// documents is the number of documents of a minibatch of the topic model.
const documents = 5

// topicModel is work on the topic model with 20 sweeps over a document and then 20 over which the
// gradient is averaged: gradients of minibatches, or steps of a sampler. Its unit is a word of a
// document in a minibatch.
func topicModel(what string) (func(calls int) int, error) {
	path := filepath.Join(os.Getenv("PEERS_DATA"), corpus)
	m, err := topics.Open(nil, "w="+path)
	if err != nil {
		return nil, err
	}
	words, err := lengths(path)
	if err != nil {
		return nil, err
	}
	x, g := make([]float64, m.Dim()), make([]float64, m.Dim())
	rng.New(2, 0, rng.Init).Normals(0, x)
	if what != "gradient" {
		c := sampler.DefaultConfig()
		c.Sampler, c.Batch, c.Step, c.Friction = what, documents, 1e-4, 0.75
		run, err := advance(m.Target(), c, x)
		mean := 0.0
		for _, n := range words {
			mean += float64(n) / float64(len(words))
		}
		return func(calls int) int {
			run(calls)
			return int(mean * documents * float64(calls))
		}, err
	}
	order := make([]int, len(words))
	source := rng.New(1, 0, rng.Batch).At(0)
	source.Perm(order)
	e := m.Target().NewEvaluator(documents).(interface {
		target.Evaluator
		target.LocalEvaluator
	})
	e.Locals(target.LocalOptions{}, 1, 0)
	visit, rows := uint64(0), make([]int, documents)
	return func(calls int) (done int) {
		for range calls {
			for i := range rows {
				rows[i] = order[(int(visit)*documents+i)%len(order)]
				done += words[rows[i]]
			}
			visit++
			e.Visit(visit, false)
			e.Gradient(x, rows, 1, 1, g)
		}
		return done
	}, nil
}

// lengths are the numbers of words of the documents of a file in LDA-C.
func lengths(path string) (all []int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		n := 0
		for _, pair := range strings.Fields(lines.Text())[1:] {
			_, count, _ := strings.Cut(pair, ":")
			k, err := strconv.Atoi(count)
			if err != nil {
				return nil, err
			}
			n += k
		}
		all = append(all, n)
	}
	return all, lines.Err()
}

// admixture is work on the spherical admixture, on the rows of the peer in C and with its settings:
// a unit is 60 sweeps over 50 documents, each ten leapfrog steps, and ten steps of the topics.
func admixture(what string) (func(calls int) int, error) {
	const vocabulary, inner = 5000, 10
	rows := &data.CSR{Cols: vocabulary}
	for _, part := range []struct {
		name string
		add  func(word []byte)
		size int
	}{
		{"sam_ptr.i32", func(b []byte) {
			rows.Indptr = append(rows.Indptr, int(binary.LittleEndian.Uint32(b)))
		}, 4},
		{"sam_id.i32", func(b []byte) {
			rows.Index = append(rows.Index, int32(binary.LittleEndian.Uint32(b)))
		}, 4},
		{"sam_val.f64", func(b []byte) {
			rows.Value = append(rows.Value, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}, 8},
	} {
		bytes, err := os.ReadFile(filepath.Join(os.Getenv("PEERS_DATA"), part.name))
		if err != nil {
			return nil, err
		}
		for ; len(bytes) > 0; bytes = bytes[part.size:] {
			part.add(bytes[:part.size])
		}
	}
	rows.Rows = len(rows.Indptr) - 1
	mean := make([]float64, vocabulary)
	for i, w := range rows.Index {
		mean[w] += rows.Value[i]
	}
	unit(mean)
	for d := range rows.Rows {
		unit(rows.Value[rows.Indptr[d]:rows.Indptr[d+1]]) // single precision in the file
	}
	sigma, kappa, alpha := 1e4, 3e4, 10.0
	m, err := sam.New(sam.Data{V: rows, M: mean, Kappa0: &sigma, Sigma: &sigma, Kappa: &kappa,
		Alpha: &alpha})
	if err != nil {
		return nil, err
	}
	x := make([]float64, m.Dim())
	rng.New(1, 0, rng.Init).Normals(0, x)
	for k := range len(x) / vocabulary {
		topic := x[k*vocabulary:][:vocabulary]
		for i := range topic {
			topic[i] = mean[i] + topic[i]/math.Sqrt(vocabulary)
		}
		unit(topic)
	}
	c := sampler.DefaultConfig()
	c.Sampler, c.Batch, c.InnerSteps, c.Step, c.Friction = what, 50, inner, 2.45e-3, 4.08
	c.LocalOptions = target.LocalOptions{BurnIn: 40, Kept: 20, Leapfrog: 10}
	run, err := advance(m.Target(), c, x)
	return func(calls int) int {
		run(inner * calls)
		return calls
	}, err
}

// unit divides a vector by its length.
func unit(x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
}

// advance takes steps of a chain from x, as a run does that keeps every fiftieth.
func advance(m target.Target, c sampler.Config, x []float64) (func(steps int), error) {
	c.Seed, c.Chains, c.Warmup, c.Draws, c.Thin = 1, 1, 0, 1<<40, 50
	c.Init = [][]float64{x}
	chain, err := sampler.NewChain(m, c, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Sampler, err)
	}
	return func(steps int) {
		for left := int64(steps); left > 0; left -= c.Thin {
			if err := chain.Advance(min(left, c.Thin)); err != nil {
				panic(err)
			}
		}
	}, nil
}
