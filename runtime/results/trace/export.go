package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// Info is the metadata of a run that an export has in addition to its draws.
type Info struct {
	Model    string
	Sampler  string
	Warmup   int
	Thin     int // steps between draws; 0 counts as 1
	StepSize float64
	Seed     uint64
	Data     string // the file of the data, or a list of files
	Version  string // of sgppl
	// Seconds that each chain took for warm-up and sampling; may be absent.
	WarmupSeconds, SamplingSeconds []float64
	// Adapted has the results of the warm-up of each chain of nuts, and MaxDepth the largest depth of
	// its trees. Both may be absent.
	Adapted  []Adapted
	MaxDepth int
	// Digits of the numbers; 0 writes as many as it takes to read the same
	// number back.
	Digits int
}

// An Adapted is the step and the inverse mass matrix that the warm-up of a chain has chosen.
type Adapted struct {
	Step   float64
	Metric string // diag, dense, lowrank or unit
	// Inverse has n numbers of a diag metric, the n × n by rows of others; none of unit, and
	// where they are too many.
	Inverse []float64
}

// exporters by the name of the format.
var exporters = map[string]func(*Store, Info, string) error{
	"stan-csv": exportStan,
	"csv":      exportCSV,
	"zarr":     exportZarr,
	"parquet":  exportParquet,
}

// Formats are the names that Export knows.
func Formats() []string { return slices.Sorted(maps.Keys(exporters)) }

// Export writes the draws that all chains have, in one of the Formats. stan-csv writes a file for
// each chain: out, or out.csv, means out_1.csv, out_2.csv, …. An unknown format, and one that the
// program was built without, is an error.
func Export(s *Store, format string, info Info, out string) error {
	f := exporters[format]
	if f == nil {
		return fmt.Errorf("there is no export format %q; there are %s", format,
			strings.Join(Formats(), ", "))
	}
	return f(s, info, out)
}

// Outputs are the paths that Export will write, files that exist included.
func Outputs(s *Store, format, out string) []string {
	if format == "stan-csv" {
		return stanFiles(out, s.Numbers())
	}
	return []string{out}
}

// ErrNoParquet is the error of an export to Parquet in a program that does not import the package
// parquet.
var ErrNoParquet = errors.New("this program does not write Parquet: it does not import " +
	"github.com/sgppl/sgppl/parquet; export to csv or zarr, which Arrow and pandas read")

// A TableWriter writes a table whose columns are chain, draw and the named columns. draws calls its
// argument once for each row, with the values of all columns in order; they are valid until the
// next call.
type TableWriter func(w *bufio.Writer, columns []string,
	draws func(row func(chain, draw int, values [][]float64) error) error) error

// RegisterTable has Export write a format by a library that the runtime does not
// have, as data.RegisterColumns has it read one.
func RegisterTable(format string, write TableWriter) {
	exporters[format] = func(s *Store, _ Info, out string) error {
		return s.exportTable(write, out)
	}
}

func exportParquet(*Store, Info, string) error { return ErrNoParquet }

// exportTable writes the posterior of all chains into one file of columns.
func (s *Store) exportTable(write TableWriter, out string) error {
	draws, err := s.Common()
	if err != nil {
		return err
	}
	vars := s.drawn()
	var columns []string
	for _, v := range vars {
		for _, name := range v.Elements() {
			columns = append(columns, name)
		}
	}
	return WriteStream(out, func(w *bufio.Writer) error {
		return write(w, columns, func(row func(chain, draw int, values [][]float64) error) error {
			for c := range s.Chains() {
				if err := s.rows(vars, c, draws, func(d int,
					values [][]float64) error {
					return row(s.Number(c), d, values)
				}); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// rows yields the draws of a chain as rows of numbers, one number per column. It reads many draws
// at a time. A yielded row is valid until the next.
func (s *Store) rows(
	vars []Variable, chain, draws int, row func(draw int, values [][]float64) error,
) error {
	const budget = 1 << 20 // numbers in memory
	total := 1
	for _, v := range vars {
		total += v.Len()
	}
	block := max(min(budget/total, draws), 1)
	if block > 1000 {
		block -= block % 1000 // the usual chunk is read once
	}
	buf, values := make([][]float64, len(vars)), make([][]float64, len(vars))
	for i, v := range vars {
		buf[i] = make([]float64, block*v.Len())
	}
	for from := 0; from < draws; from += block {
		to := min(from+block, draws)
		for i, v := range vars {
			if err := s.ReadDraws(v, chain, from, to, buf[i]); err != nil {
				return err
			}
		}
		for d := from; d < to; d++ {
			for i, v := range vars {
				n := v.Len()
				values[i] = buf[i][(d-from)*n : (d-from+1)*n]
			}
			if err := row(d, values); err != nil {
				return err
			}
		}
	}
	return nil
}

// GeneratedGroup is the group of values that are generated for each draw after a run.
const GeneratedGroup = "generated"

// drawn lists the variables of the posterior, and what was generated for each draw behind them.
func (s *Store) drawn() []Variable {
	return append(s.group("posterior"), s.group(GeneratedGroup)...)
}

// group lists the sampled variables of a group.
func (s *Store) group(name string) []Variable {
	var vars []Variable
	for _, v := range s.vars {
		if v.Group == name && !v.Static {
			vars = append(vars, v)
		}
	}
	return vars
}

// AppendNumber writes a number as CSV exports do, with as many digits as it
// takes to read the same number back.
func AppendNumber(b []byte, x float64) []byte { return appendNumber(b, x, 0) }

// appendNumber writes x as CmdStan would: NaN, inf, -inf, integers without a
// point.
func appendNumber(b []byte, x float64, digits int) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "NaN"...)
	case math.IsInf(x, 1):
		return append(b, "inf"...)
	case math.IsInf(x, -1):
		return append(b, "-inf"...)
	}
	if digits <= 0 {
		digits = -1
		if i := int64(x); math.Abs(x) < 1e15 && float64(i) == x && (i != 0 || !math.Signbit(x)) {
			return strconv.AppendInt(b, i, 10)
		}
	}
	return strconv.AppendFloat(b, x, 'g', digits, 64)
}

// exportCSV writes the posterior of all chains into one file. Its columns are chain, draw and the
// elements. Names of elements with indices are quoted.
func exportCSV(s *Store, info Info, out string) error {
	draws, err := s.Common()
	if err != nil {
		return err
	}
	vars := s.drawn()
	return WriteStream(out, func(w *bufio.Writer) error {
		w.WriteString("chain,draw")
		for _, v := range vars {
			for _, name := range v.Elements() {
				if len(v.Shape) > 0 {
					name = `"` + name + `"`
				}
				w.WriteString("," + name)
			}
		}
		w.WriteByte('\n')
		var line []byte
		for c := range s.Chains() {
			err := s.rows(vars, c, draws, func(d int, values [][]float64) error {
				line = strconv.AppendInt(line[:0], int64(s.Number(c)), 10)
				line = append(line, ',')
				line = strconv.AppendInt(line, int64(d), 10)
				for _, xs := range values {
					for _, x := range xs {
						line = appendNumber(append(line, ','), x, info.Digits)
					}
				}
				_, err := w.Write(append(line, '\n'))
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// exportZarr copies the store, or its chosen chains, to out, and cuts the copy to the draws that
// all chains have. out must be neither the store nor within it. An incomplete copy is removed.
func exportZarr(s *Store, _ Info, out string) error {
	if s.chosen != nil {
		err := s.exportChosen(out)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			os.RemoveAll(out)
		}
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return fmt.Errorf("cannot make %s: %w", out, disk.Cause(err))
	}
	err := s.copyTo(out)
	if err != nil {
		os.RemoveAll(out)
	}
	return err
}

func (s *Store) copyTo(out string) error {
	// The journals are read before the files, since a run may be writing them.
	journals := []*journal{s.shared}
	if !s.plain {
		for c := range s.chains {
			journals = append(journals, s.chain(c))
		}
		for _, j := range journals {
			if err := j.read(); err != nil {
				return err
			}
		}
	}
	copied := map[string]digest{}
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == s.dir || disk.IsTemp(d.Name()) {
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		to, key := filepath.Join(out, rel), filepath.ToSlash(rel)
		if d.IsDir() {
			return os.Mkdir(to, 0o755)
		}
		if !s.plain && slices.ContainsFunc(journals, func(j *journal) bool { return j.path == path }) {
			return nil
		}
		var b []byte
		switch j := s.lists(journals, key); {
		case j != nil:
			b, err = s.readFile(j, key, -1)
		default:
			b, err = os.ReadFile(path)
		}
		if err != nil {
			return err
		}
		copied[key] = digestOf(b)
		return disk.Replace(disk.OS, to, b, false)
	})
	if err != nil {
		return err
	}
	for _, j := range journals {
		if err := j.copyTo(filepath.Join(out, filepath.Base(j.path)), copied); err != nil {
			return err
		}
	}
	c, err := Open(out)
	if err != nil {
		return err
	}
	return c.Close()
}

// lists is the journal that lists a file; nil without one.
func (s *Store) lists(journals []*journal, key string) *journal {
	for _, j := range journals {
		if !s.plain && j.versions[key] != nil {
			return j
		}
	}
	return nil
}

// copyTo writes a journal of the files that were copied.
func (j *journal) copyTo(path string, copied map[string]digest) error {
	if j.plain {
		return nil
	}
	to := &journal{fs: disk.OS, path: path}
	if err := to.create(); err != nil {
		return err
	}
	to.draws = j.draws
	for key := range j.versions {
		if d, ok := copied[key]; ok {
			to.versions[key] = []version{{d, 0}}
		}
	}
	return to.rewrite()
}
