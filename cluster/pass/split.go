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
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/sgppl/sgppl/cluster/shards"
)

// A Split is the body of a pass that sorts rows by key: Parts is the number of parts, and
// all rows of a key belong to one.
type Split struct {
	Key   string `json:"key"` // a column
	Parts int    `json:"parts"`
}

// A splitHead begins the result of a task: where the rows of each part stand behind it, as
// lines of a csv without its header.
type splitHead struct {
	Columns []string `json:"columns"`
	Ends    []int64  `json:"ends"` // of each part, behind the head
	Lines   int64    `json:"lines"`
	Sums    []uint32 `json:"sums"` // CRC-32C of each part
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// PartOf is the part that a key belongs to.
func PartOf(key string, parts int) int {
	h := fnv.New64a()
	h.Write([]byte(key))
	return int(h.Sum64() % uint64(parts))
}

func doSplit(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var s Split
	if err := json.Unmarshal(body, &s); err != nil {
		return Result{}, &Permanent{err}
	}
	piece := e.Run.Manifest.Shards[index]
	file, err := e.piece(ctx, index)
	if err != nil {
		return Result{}, err
	}
	texts := make([]bytes.Buffer, s.Parts)
	writers := make([]*csv.Writer, s.Parts)
	for i := range writers {
		writers[i] = csv.NewWriter(&texts[i])
	}
	head, at := splitHead{}, -1
	err = eachRow(file, func(columns []string) error {
		head.Columns = columns
		if at = slices.Index(columns, s.Key); at < 0 {
			return fmt.Errorf("there is no column %s; there are %s", s.Key, strings.Join(columns, ", "))
		}
		return nil
	}, func(row []string) error {
		head.Lines++
		return errors.Join(ctx.Err(), writers[PartOf(row[at], s.Parts)].Write(row))
	})
	if err != nil {
		return Result{}, &Permanent{fmt.Errorf("%v: %w", piece, err)}
	}
	var all bytes.Buffer
	for i, w := range writers {
		w.Flush()
		all.Write(texts[i].Bytes())
		head.Ends = append(head.Ends, int64(all.Len()))
		head.Sums = append(head.Sums, crc32.Checksum(texts[i].Bytes(), castagnoli))
	}
	text, err := json.Marshal(head)
	if err != nil {
		return Result{}, err
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(text, castagnoli))
	return Result{append(append(out, text...), all.Bytes()...), head.Lines}, nil
}

// eachRow calls row for every row of a table, and header once before it.
func eachRow(file string, header, row func([]string) error) error {
	switch strings.ToLower(path.Ext(file)) {
	case ".csv":
		return eachLine(file, ',', header, row)
	case ".tsv", ".tab":
		return eachLine(file, '\t', header, row)
	case ".parquet", ".pq":
		return eachRecord(file, header, row)
	}
	return errors.New("rows are grouped by a column of csv, tsv or Parquet files")
}

func eachLine(file string, comma rune, header, row func([]string) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.Comma, in.ReuseRecord = comma, true
	first, err := in.Read()
	if err != nil {
		return fmt.Errorf("there is no header: %w", err)
	}
	first = slices.Clone(first)
	first[0] = strings.TrimPrefix(first[0], "\ufeff")
	if err := header(first); err != nil {
		return err
	}
	for {
		switch cells, err := in.Read(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		default:
			if err := row(cells); err != nil {
				return err
			}
		}
	}
}

func eachRecord(file string, header, row func([]string) error) error {
	in, f, err := shards.OpenParquet(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var columns []string
	for _, c := range in.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			return fmt.Errorf("column %s is a list or a group, which cannot be split", c.Name())
		}
		columns = append(columns, c.Name())
	}
	if err := header(columns); err != nil {
		return err
	}
	cells := make([]string, len(columns))
	for _, g := range in.RowGroups() {
		if err := eachOfGroup(g, cells, row); err != nil {
			return err
		}
	}
	return nil
}

func eachOfGroup(g parquet.RowGroup, cells []string, row func([]string) error) error {
	rows := g.Rows()
	defer rows.Close()
	for buf := make([]parquet.Row, 256); ; {
		n, err := rows.ReadRows(buf)
		for _, values := range buf[:n] {
			for _, v := range values {
				cells[v.Column()] = cell(v)
			}
			if err := row(cells); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// cell is the text of a value: a number reads back to the same number.
func cell(v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 64)
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	}
	return v.String()
}
