// Package papers has the results of the experiments of the papers that sgppl's samplers are from,
// the table of all figures and tables of these papers, and what is made of both: tables of the
// pages of bench, and figures. Command bench/papers runs the experiments.
package papers

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Results are the numbers of an experiment, as a file of comma-separated values has them: a row
// a run, or a row a point of a curve of a run.
type Results struct {
	Head []string
	Rows [][]string
}

// ReadResults reads a file of results.
func ReadResults(path string) (*Results, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no head", path)
	}
	return &Results{Head: all[0], Rows: all[1:]}, nil
}

// column is the place of a column; it panics without one, as the names are of this program.
func (r *Results) column(name string) int {
	i := slices.Index(r.Head, name)
	if i < 0 {
		panic(fmt.Sprintf("results have no column %q, but %v", name, r.Head))
	}
	return i
}

// Where are the rows whose columns have the values: column, value, column, value, ….
func (r *Results) Where(is ...string) *Results {
	out := &Results{Head: r.Head}
	for _, row := range r.Rows {
		all := true
		for i := 0; i < len(is); i += 2 {
			all = all && row[r.column(is[i])] == is[i+1]
		}
		if all {
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// Values are the different texts of a column, in their order.
func (r *Results) Values(name string) []string {
	var out []string
	at := r.column(name)
	for _, row := range r.Rows {
		if !slices.Contains(out, row[at]) {
			out = append(out, row[at])
		}
	}
	return out
}

// Numbers are the numbers of a column; NaN where a text is no number.
func (r *Results) Numbers(name string) []float64 {
	at := r.column(name)
	out := make([]float64, len(r.Rows))
	for i, row := range r.Rows {
		x, err := strconv.ParseFloat(row[at], 64)
		if err != nil {
			x = math.NaN()
		}
		out[i] = x
	}
	return out
}

// Mean is the mean of numbers; NaN of none.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// SD is the standard deviation of numbers, with n − 1.
func SD(x []float64) float64 {
	mean, sum := Mean(x), 0.0
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

// sortBy orders rows by a column, of equal ones as they were.
func sortBy(r *Results, name string) {
	at := r.column(name)
	slices.SortStableFunc(r.Rows, func(a, b []string) int { return strings.Compare(a[at], b[at]) })
}
