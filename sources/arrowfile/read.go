// Package arrowfile reads files and streams of Arrow's IPC format, and Feather version 2, which
// is the same.
package arrowfile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/sgppl/sgppl/sources/table"
)

// Read writes the rows of a file, or, with head, its columns alone. Its errors are *table.Failure,
// except for those of the writer.
func Read(ctx context.Context, path string, head bool, w *table.Writer) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case error:
			err = damaged(x)
		default:
			err = damaged(fmt.Errorf("%v", x))
		}
	}()
	f, err := os.Open(path)
	if err != nil {
		return &table.Failure{Message: err.Error()}
	}
	defer f.Close()
	magic := make([]byte, 6)
	n, _ := io.ReadFull(f, magic)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return &table.Failure{Message: err.Error()}
	}
	if bytes.HasPrefix(magic[:n], []byte("FEA1")) {
		return &table.Failure{Message: "the file is Feather version 1, which pandas wrote " +
			"before 2020: write it as version 2"}
	}
	if string(magic[:n]) == "ARROW1" {
		r, err := ipc.NewFileReader(f)
		if err != nil {
			return damaged(err)
		}
		defer r.Close()
		b := begin(r.Schema(), w)
		for i := 0; i < r.NumRecords() && !head && ctx.Err() == nil; i++ {
			record, err := r.RecordBatch(i)
			if err != nil {
				return damaged(err)
			}
			if err := b.add(record); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	r, err := ipc.NewReader(f)
	if err != nil {
		return damaged(err)
	}
	defer r.Release()
	b := begin(r.Schema(), w)
	for !head && ctx.Err() == nil && r.Next() {
		if err := b.add(r.RecordBatch()); err != nil {
			return err
		}
	}
	if err := r.Err(); err != nil && err != io.EOF {
		return damaged(err)
	}
	return ctx.Err()
}

func damaged(err error) error {
	return &table.Failure{Message: "the file is damaged, or not of Arrow: " + err.Error()}
}

// A batches writes record batches of one schema.
type batches struct {
	w     *table.Writer
	sizes []int // of each column, how many numbers a row has; 0 of plain ones
}

// begin names the columns. A list of a fixed size is a vector: name.0, name.1, …
func begin(s *arrow.Schema, w *table.Writer) *batches {
	b := &batches{w: w}
	var names []string
	for _, f := range s.Fields() {
		list, is := f.Type.(*arrow.FixedSizeListType)
		if !is || list.Len() == 0 {
			names, b.sizes = append(names, f.Name), append(b.sizes, 0)
			continue
		}
		for k := range int(list.Len()) {
			names = append(names, fmt.Sprintf("%s.%d", f.Name, k))
		}
		b.sizes = append(b.sizes, int(list.Len()))
	}
	w.Columns(names)
	return b
}

// add writes the rows of a batch.
func (b *batches) add(record arrow.RecordBatch) error {
	for row := range int(record.NumRows()) {
		at := 0
		for k, column := range record.Columns() {
			if b.sizes[k] == 0 {
				add(b.w.Column(at), column, row)
				at++
				continue
			}
			list := column.(*array.FixedSizeList)
			from, _ := list.ValueOffsets(row)
			for i := range b.sizes[k] {
				if list.IsNull(row) {
					b.w.Column(at).Missing()
				} else {
					add(b.w.Column(at), list.ListValues(), int(from)+i)
				}
				at++
			}
		}
		if err := b.w.Row(); err != nil {
			return err
		}
	}
	return nil
}

// A cell takes an entry of a column.
type cell interface {
	Missing()
	Double(float64)
	Int(int64)
	Text(string)
	Refuse(string)
}

// add adds an entry of an array.
func add(c cell, a arrow.Array, i int) {
	if a.IsNull(i) {
		c.Missing()
		return
	}
	switch a := a.(type) {
	case *array.Boolean:
		if a.Value(i) {
			c.Int(1)
		} else {
			c.Int(0)
		}
	case *array.Int8:
		c.Int(int64(a.Value(i)))
	case *array.Int16:
		c.Int(int64(a.Value(i)))
	case *array.Int32:
		c.Int(int64(a.Value(i)))
	case *array.Int64:
		c.Int(a.Value(i))
	case *array.Uint8:
		c.Int(int64(a.Value(i)))
	case *array.Uint16:
		c.Int(int64(a.Value(i)))
	case *array.Uint32:
		c.Int(int64(a.Value(i)))
	case *array.Uint64:
		if a.Value(i) > math.MaxInt64 {
			c.Refuse("has whole numbers beyond 2^63; cast it to double")
		} else {
			c.Int(int64(a.Value(i)))
		}
	case *array.Float16:
		c.Double(float64(a.Value(i).Float32()))
	case *array.Float32:
		c.Double(float64(a.Value(i)))
	case *array.Float64:
		c.Double(a.Value(i))
	case *array.String:
		c.Text(a.Value(i))
	case *array.LargeString:
		c.Text(a.Value(i))
	case *array.StringView:
		c.Text(a.Value(i))
	case *array.Dictionary:
		add(c, a.Dictionary(), a.GetValueIndex(i))
	case array.ExtensionArray:
		add(c, a.Storage(), i)
	default:
		addOther(c, a, i)
	}
}

// addOther adds dates and decimals, and refuses what is left.
func addOther(c cell, a arrow.Array, i int) {
	const day, moment = "2006-01-02", "2006-01-02T15:04:05.999999999Z"
	switch a := a.(type) {
	case *array.Date32:
		c.Text(a.Value(i).ToTime().UTC().Format(day))
	case *array.Date64:
		c.Text(a.Value(i).ToTime().UTC().Format(day))
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		c.Text(a.Value(i).ToTime(unit).UTC().Format(moment))
	case *array.Decimal128:
		decimal(c, a.Value(i).ToString(a.DataType().(*arrow.Decimal128Type).Scale))
	case *array.Decimal256:
		decimal(c, a.Value(i).ToString(a.DataType().(*arrow.Decimal256Type).Scale))
	case *array.List, *array.LargeList, *array.ListView, *array.LargeListView:
		c.Refuse("has lists; columns of one number a row can be read, and lists of a fixed size " +
			"as a vector")
	default:
		c.Refuse(fmt.Sprintf("holds %s, no numbers and no text", a.DataType().Name()))
	}
}

// decimal adds the number that is nearest to a decimal, as csv does.
func decimal(c cell, text string) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		c.Double(x)
	} else {
		c.Text(text)
	}
}
