// Command rows writes simulated rows as Parquet files, to try runs on many rows: x.0, x.1, …,
// group, y and b, where y is normal about a line in x, and b is 1 with the logistic probability
// of the line and an intercept of the group.
//
//	go run ./internal/rows --rows 1e8 --files 100 --out /tmp/rows
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

const groupRows = 1 << 18 // rows of a row group

func main() {
	rows := flag.Float64("rows", 1e6, "rows of all files")
	files := flag.Int("files", 4, "files")
	columns := flag.Int("columns", 3, "columns of x")
	groups := flag.Int("groups", 0, "groups of rows; 0: no column group")
	out := flag.String("out", "", "directory")
	seed := flag.Uint64("seed", 1, "of the simulation")
	optional := flag.Bool("optional", false, "columns that may have missing entries, and have none")
	flag.Parse()
	if *out == "" || *files < 1 || *rows < float64(*files) || *columns < 1 {
		flag.Usage()
		os.Exit(2)
	}
	s := &simulation{columns: *columns, groups: *groups, optional: *optional}
	for f := range *files {
		n := int(*rows)/(*files) + min(1, max(0, int(*rows)%(*files)-f))
		path := filepath.Join(*out, fmt.Sprintf("part-%05d.parquet", f))
		if err := s.write(path, n, *seed, uint64(f)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

type simulation struct {
	columns, groups int
	optional        bool
}

// schema has the columns in the order of their names, as the library has them.
func (s *simulation) schema() *parquet.Schema {
	node := func(kind parquet.Type) parquet.Node {
		n := parquet.Compressed(parquet.Leaf(kind), &parquet.Snappy)
		if s.optional {
			n = parquet.Optional(n)
		}
		return n
	}
	group := parquet.Group{"y": node(parquet.FloatType), "b": node(parquet.BooleanType)}
	for j := range s.columns {
		group[s.x(j)] = node(parquet.FloatType)
	}
	if s.groups > 0 {
		group["g"] = node(parquet.Int32Type)
	}
	return parquet.NewSchema("rows", group)
}

func (s *simulation) x(j int) string { return fmt.Sprintf("x.%d", j) }

// write writes n rows. What is drawn depends on the seed and the number of the file.
func (s *simulation) write(path string, n int, seed, file uint64) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	schema := s.schema()
	w := parquet.NewWriter(f, schema)
	r := rand.New(rand.NewPCG(seed, file))
	at := map[string]int{}
	for i, c := range schema.Columns() {
		at[c[0]] = i
	}
	row, level := make(parquet.Row, len(at)), 0
	if s.optional {
		level = 1
	}
	put := func(name string, v parquet.Value) { row[at[name]] = v.Level(0, level, at[name]) }
	for i := range n {
		line := 0.0
		for j := range s.columns {
			x := r.NormFloat64()
			line += 0.5 * math.Sin(float64(1+j)) * x
			put(s.x(j), parquet.FloatValue(float32(x)))
		}
		put("y", parquet.FloatValue(float32(1+line+0.7*r.NormFloat64())))
		if s.groups > 0 {
			k := r.IntN(s.groups)
			line += math.Cos(float64(k))
			put("g", parquet.Int32Value(int32(k)))
		}
		put("b", parquet.BooleanValue(r.Float64() < 1/(1+math.Exp(-line))))
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
		if (i+1)%groupRows == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
