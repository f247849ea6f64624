package trace

import (
	"bufio"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// stanNames are CmdStan's names of sample statistics where they differ from
// ArviZ's by more than the two underscores.
var stanNames = map[string]string{
	"acceptance_rate": "accept_stat",
	"step_size":       "stepsize",
	"tree_depth":      "treedepth",
	"n_steps":         "n_leapfrog",
	"diverging":       "divergent",
}

// exportStan writes CmdStan's CSV, a file a chain. CmdStanPy reads a file with a block of
// adaptation as one of nuts, with max_depth in the header and columns divergent__ and
// treedepth__, and one without as one of fixed_param, whatever the algorithm
// (cmdstanpy/utils/stancsv.py, from_csv). So only nuts has the block, and a metric other
// than unit_e.
func exportStan(s *Store, info Info, out string) error {
	return s.exportChains(out,
		func(w *bufio.Writer, chain, draws int) error { return s.stanChain(w, info, chain, draws) })
}

// stanFiles are the files of the chains: of out and of out.csv, out_1.csv, …;
// another extension stays too.
func stanFiles(out string, chains []int) []string {
	ext := filepath.Ext(out)
	base := strings.TrimSuffix(out, ext)
	if ext == "" || ext == "." || base == "" ||
		strings.HasSuffix(base, string(filepath.Separator)) {
		// none, or all there is
		base, ext = out, ".csv"
	}
	files := make([]string, len(chains))
	for i, c := range chains {
		files[i] = base + "_" + strconv.Itoa(c+1) + ext
	}
	return files
}

// A stanColumn is a column of the file: its name in the header, the index of its variable among the
// variables that are read, and the index of its element in the variable. Variable −1 is the log
// density if it is missing.
type stanColumn struct {
	name              string
	variable, element int
}

// stanOrder are the statistics of nuts, as ArviZ names them, in the order of CmdStan's columns.
// Readers such as rstan's take others that end with two underscores for parameters.
var stanOrder = []string{"lp", "acceptance_rate", "step_size", "tree_depth", "n_steps", "diverging",
	"energy"}

// stanStats lists the statistics that are written: of nuts those that CmdStan writes, else all.
func (s *Store) stanStats() []Variable {
	stats := s.group("sample_stats")
	var out []Variable
	for _, name := range stanOrder {
		k := slices.IndexFunc(stats, func(v Variable) bool {
			return v.Name == name && len(v.Shape) == 0
		})
		if k < 0 {
			return stats
		}
		out = append(out, stats[k])
	}
	return out
}

// stanColumns lists the columns: lp__, the other statistics, the parameters.
func (s *Store) stanColumns() (vars []Variable, columns []stanColumn) {
	columns = []stanColumn{{"lp__", -1, 0}}
	for _, v := range s.stanStats() {
		named := v
		if name, ok := stanNames[v.Name]; ok {
			named.Name = name
		}
		for at, name := range named.columnMajor("_", "_", "") { // one word
			if name == "lp" {
				columns[0] = stanColumn{"lp__", len(vars), at}
				continue
			}
			columns = append(columns, stanColumn{name + "__", len(vars), at})
		}
		vars = append(vars, v)
	}
	params := s.drawn()
	for _, v := range params {
		named := v
		named.Name = stanName(v.Name, params)
		for at, name := range named.columnMajor(".", ".", "") {
			columns = append(columns, stanColumn{name, len(vars), at})
		}
		vars = append(vars, v)
	}
	return vars, columns
}

// adapted returns the results of the warm-up of a chain; nil if they are not known.
func (i *Info) adapted(chain int) *Adapted {
	if chain >= len(i.Adapted) || i.Adapted[chain].Step == 0 {
		return nil
	}
	return &i.Adapted[chain]
}

// stanMetric is CmdStan's name of the metric. Readers of a unit_e metric expect no block
// of adaptation, so that it is that of samplers without one too.
func (a *Adapted) stanMetric() string {
	switch {
	case a == nil || len(a.Inverse) == 0:
		return "unit_e"
	case a.Metric == "diag":
		return "diag_e"
	}
	return "dense_e"
}

// writeStan writes CmdStan's block of adaptation: the step, and the inverse mass matrix in
// unconstrained coordinates.
func (a *Adapted) writeStan(w *bufio.Writer) {
	if a == nil {
		return
	}
	fmt.Fprintf(w, "# Adaptation terminated\n# Step size = %s\n", appendNumber(nil, a.Step, 0))
	row := len(a.Inverse)
	switch {
	case row == 0:
		return
	case a.Metric == "diag":
		fmt.Fprintf(w, "# Diagonal elements of inverse mass matrix:\n")
	default:
		row = int(math.Round(math.Sqrt(float64(row))))
		fmt.Fprintf(w, "# Elements of inverse mass matrix:\n")
	}
	for part := range slices.Chunk(a.Inverse, row) {
		for i, x := range part {
			separator := "# "
			if i > 0 {
				separator = ", "
			}
			fmt.Fprintf(w, "%s%s", separator, appendNumber(nil, x, 0))
		}
		w.WriteByte('\n')
	}
}

// stanName returns the name of a param in Stan's csv, where a dot is before an index
// alone: x.missing becomes x_missing, with further underscores where another param has
// that name.
func stanName(name string, params []Variable) string {
	if !strings.Contains(name, ".") {
		return name
	}
	plain := strings.ReplaceAll(name, ".", "_")
	for slices.ContainsFunc(params, func(v Variable) bool { return v.Name == plain }) {
		plain += "_"
	}
	return plain
}

func (s *Store) stanChain(w *bufio.Writer, info Info, chain, draws int) error {
	thin, number := max(info.Thin, 1), s.Number(chain)
	word := func(text string) string { // one line, whatever it holds
		return strings.Join(strings.Fields(text), " ")
	}
	fmt.Fprintf(w, "# model = %s\n", word(info.Model))
	fmt.Fprintf(w, "# method = sample\n")
	fmt.Fprintf(w, "#   sample\n")
	fmt.Fprintf(w, "#     num_samples = %d\n", draws*thin)
	fmt.Fprintf(w, "#     num_warmup = %d\n", info.Warmup)
	fmt.Fprintf(w, "#     save_warmup = 0\n")
	fmt.Fprintf(w, "#     thin = %d\n", thin)
	fmt.Fprintf(w, "#     algorithm = %s\n", word(info.Sampler))
	adapted := info.adapted(number)
	fmt.Fprintf(w, "#     metric = %s\n", adapted.stanMetric())
	step := info.StepSize
	if adapted != nil {
		step = adapted.Step
		fmt.Fprintf(w, "#     max_depth = %d\n", info.MaxDepth)
		// A matrix of very many numbers is left out, and readers take it for unit_e.
		fmt.Fprintf(w, "#     sgppl_metric = %s\n", adapted.Metric)
	}
	fmt.Fprintf(w, "#     stepsize = %s\n", appendNumber(nil, step, 0))
	fmt.Fprintf(w, "# id = %d\n", number+1)
	fmt.Fprintf(w, "# data\n#   file = %s\n", word(info.Data))
	fmt.Fprintf(w, "# random\n#   seed = %d\n", info.Seed)
	fmt.Fprintf(w, "# sgppl_version = %s\n", word(info.Version))

	vars, columns := s.stanColumns()
	for i, c := range columns {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString(c.name)
	}
	w.WriteByte('\n')
	adapted.writeStan(w)
	var line []byte
	err := s.rows(vars, chain, draws, func(_ int, values [][]float64) error {
		line = line[:0]
		for i, c := range columns {
			if i > 0 {
				line = append(line, ',')
			}
			if c.variable < 0 {
				line = append(line, "NaN"...)
				continue
			}
			line = appendNumber(line, values[c.variable][c.element], info.Digits)
		}
		_, err := w.Write(append(line, '\n'))
		return err
	})
	if err != nil || number >= len(info.WarmupSeconds) || number >= len(info.SamplingSeconds) {
		return err
	}
	a, b := info.WarmupSeconds[number], info.SamplingSeconds[number]
	const elapsed = "#  Elapsed Time: "
	fmt.Fprintf(w, "# \n%s%s seconds (Warm-up)\n", elapsed, appendNumber(nil, a, 6))
	fmt.Fprintf(w, "#%*s%s seconds (Sampling)\n", len(elapsed)-1, "", appendNumber(nil, b, 6))
	fmt.Fprintf(w, "#%*s%s seconds (Total)\n# \n", len(elapsed)-1, "", appendNumber(nil, a+b, 6))
	return nil
}
