// Command sam makes the inputs of the spherical admixture experiment and
// scores its runs by the protocol of Liu, Zhu & Song (2016, "Stochastic
// gradient geodesic MCMC methods", §5.3); see bench/sam.md.
//
//	sam rows CORPUS WORDS OUT          train.libsvm and test.libsvm of a corpus in LDA-C
//	sam inputs TRAIN OUT SEED...       m.json and init-SEED.json
//	sam score [flags] TEST RUN         log-perplexity of the rows of TEST
//
// TRAIN and TEST are rows of unit length in the libsvm format. Environment variables TOPICS and
// WORDS say how many there are where it is not 20 and 5,000.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// topics and words are how many there are.
var topics, words = fromEnvironment("TOPICS", 20), fromEnvironment("WORDS", 5000)

func fromEnvironment(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

func main() {
	var err error
	switch {
	case len(os.Args) == 5 && os.Args[1] == "rows":
		err = rows(os.Args[2], os.Args[3], os.Args[4])
	case len(os.Args) > 4 && os.Args[1] == "inputs":
		err = inputs(os.Args[2], os.Args[3], os.Args[4:])
	case len(os.Args) > 3 && os.Args[1] == "score":
		err = score(os.Args[2:])
	default:
		err = fmt.Errorf("usage: sam rows CORPUS WORDS OUT | sam inputs TRAIN OUT SEED... | sam score " +
			"[flags] TEST RUN")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A document has the columns of its words and their weights.
type document struct {
	word   []int
	weight []float64
}

func read(path string) ([]document, error) {
	table, errs := format.ReadFile(path)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	v, errs := table.Field("features")
	if len(errs) > 0 {
		return nil, errs[0]
	}
	if v.CSR == nil {
		return nil, fmt.Errorf("%s is not sparse", path)
	}
	var docs []document
	for i := range v.Shape[0] {
		var d document
		for at := v.CSR.Indptr[i]; at < v.CSR.Indptr[i+1]; at++ {
			d.word = append(d.word, int(v.CSR.Index[at]))
			d.weight = append(d.weight, v.CSR.Values()[at])
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// inputs writes m, the normalised sum of the rows, and for every seed topics
// normalise(m + N(0, I/V)), the authors' law of the start.
func inputs(train, out string, seeds []string) error {
	docs, err := read(train)
	if err != nil {
		return err
	}
	m := make([]float64, words)
	for _, d := range docs {
		for i, w := range d.word {
			m[w] += d.weight[i]
		}
	}
	normalise(m)
	if err := write(filepath.Join(out, "m.json"), map[string]any{"m": m}); err != nil {
		return err
	}
	for _, s := range seeds {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return err
		}
		beta := make([][]float64, topics)
		for k := range beta {
			beta[k] = make([]float64, words)
			rng.New(seed, 0, rng.Init).Normals(uint64(k), beta[k])
			for w := range beta[k] {
				beta[k][w] = m[w] + beta[k][w]/math.Sqrt(float64(words))
			}
			normalise(beta[k])
		}
		if err := write(filepath.Join(out, "init-"+s+".json"), map[string]any{"beta": beta}); err != nil {
			return err
		}
	}
	return nil
}

func normalise(x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
}

func write(path string, x any) error {
	b, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// score prints −1/D Σ_d log (1/MN) Σ_{m,n} p(v_d | β_m, θ_n), with N draws of θ
// that all rows and all draws of β share, none of which is left out.
func score(args []string) error {
	flags := flag.NewFlagSet("score", flag.ExitOnError)
	n := flags.Int("theta", 200, "draws of theta")
	alpha := flags.Float64("alpha", 10, "of their Dirichlet")
	kappa := flags.Float64("kappa", 3e4, "concentration of rows")
	every := flags.Int("every", 1, "use every so-many-th draw")
	seed := flags.Uint64("seed", 7, "of theta")
	report := flags.Int("report", 20, "print after so many draws")
	flags.Parse(args)
	docs, err := read(flags.Arg(0))
	if err != nil {
		return err
	}
	store, err := trace.Open(run.Draws(flags.Arg(1)))
	if err != nil {
		return err
	}
	defer store.Close()
	beta, ok := store.Lookup("posterior", "beta")
	if !ok || beta.Len() != topics*words {
		return fmt.Errorf("%s holds no topics", flags.Arg(1))
	}
	s := &scorer{docs: docs, kappa: *kappa, theta: dirichlet(*n, *alpha, *seed),
		sum: make([]float64, len(docs))}
	for i := range s.sum {
		s.sum[i] = math.Inf(-1)
	}
	x := make([]float64, topics*words)
	written, err := store.Written(0)
	if err != nil {
		return err
	}
	for i := *every - 1; i < written; i += *every {
		if err := store.ReadDraws(beta, 0, i, i+1, x); err != nil {
			return err
		}
		s.add(x)
		if s.draws%*report == 0 || i+*every >= written {
			fmt.Printf("draw %d: %.1f\n", i+1, s.logPerplexity())
		}
	}
	return nil
}

func dirichlet(n int, alpha float64, seed uint64) [][]float64 {
	src := rng.New(seed, 0, rng.Test).At(0)
	theta := make([][]float64, n)
	for i := range theta {
		theta[i] = make([]float64, topics)
		sum := 0.0
		for k := range theta[i] {
			theta[i][k] = src.Gamma(alpha)
			sum += theta[i][k]
		}
		for k := range theta[i] {
			theta[i][k] /= sum
		}
	}
	return theta
}

type scorer struct {
	docs  []document
	kappa float64
	theta [][]float64
	sum   []float64 // by row, log Σ exp(κ mean·v)
	draws int
}

func (s *scorer) add(beta []float64) {
	s.draws++
	gram := make([][]float64, topics)
	for a := range gram {
		gram[a] = make([]float64, topics)
	}
	for a := range topics {
		for b := range a + 1 {
			for w := range words {
				gram[a][b] += beta[a*words+w] * beta[b*words+w]
			}
			gram[b][a] = gram[a][b]
		}
	}
	scale := make([]float64, len(s.theta)) // κ/|θβ|
	for n, th := range s.theta {
		square := 0.0
		for a := range th {
			for b := range th {
				square += th[a] * th[b] * gram[a][b]
			}
		}
		scale[n] = s.kappa / math.Sqrt(square)
	}
	logs := make([]float64, len(s.theta)+1)
	for j, d := range s.docs {
		along := make([]float64, topics)
		for i, w := range d.word {
			for k := range along {
				along[k] += d.weight[i] * beta[k*words+w]
			}
		}
		for n, th := range s.theta {
			dot := 0.0
			for k, t := range th {
				dot += t * along[k]
			}
			logs[n] = dot * scale[n]
		}
		logs[len(s.theta)] = s.sum[j]
		s.sum[j] = logSumExp(logs)
	}
}

func (s *scorer) logPerplexity() float64 {
	total := 0.0
	for _, v := range s.sum {
		total += v
	}
	each := math.Log(float64(len(s.theta) * s.draws))
	return each - special.VMFLogConstant(float64(words), s.kappa) - total/float64(len(s.docs))
}

func logSumExp(x []float64) float64 {
	most := math.Inf(-1)
	for _, v := range x {
		most = math.Max(most, v)
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - most)
	}
	return most + math.Log(sum)
}
