package sources_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// writeArrow writes the policies as a.arrow, a.feather, compressed, and a stream, a.arrows,
// in record batches of 1000 rows.
func writeArrow(t *testing.T, dir string, list []policy) {
	t.Helper()
	words := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
		ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "region", Type: words},
		{Name: "age", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "loss", Type: arrow.PrimitiveTypes.Float64},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32},
		{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String)},
	}, nil)
	for name, options := range map[string][]ipc.Option{"a.arrow": nil,
		"a.feather": {ipc.WithZstd()}, "a.arrows": {ipc.WithLZ4()}} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, ipc.WithSchema(schema), ipc.WithDictionaryDeltas(true))
		var w interface {
			Write(arrow.RecordBatch) error
			Close() error
		}
		if name == "a.arrows" {
			w = ipc.NewWriter(f, options...)
		} else if w, err = ipc.NewFileWriter(f, options...); err != nil {
			t.Fatal(err)
		}
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for i, p := range list {
			b.Field(0).(*array.Int64Builder).Append(int64(p.id))
			if err := b.Field(1).(*array.BinaryDictionaryBuilder).AppendString(p.region); err != nil {
				t.Fatal(err)
			}
			if p.age != p.age {
				b.Field(2).AppendNull()
			} else {
				b.Field(2).(*array.Float64Builder).Append(p.age)
			}
			b.Field(3).(*array.Float64Builder).Append(p.loss)
			day, err := time.Parse("2006-01-02", p.day)
			if err != nil {
				t.Fatal(err)
			}
			b.Field(4).(*array.Date32Builder).Append(arrow.Date32FromTime(day))
			b.Field(5).(*array.ListBuilder).Append(true)
			if i%1000 == 999 {
				if err := w.Write(b.NewRecordBatch()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
