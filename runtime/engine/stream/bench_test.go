package stream

import (
	"os"
	"strconv"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// BenchmarkPages reads pages of a table of 20 columns and a class, in turn: as text, and as numbers
// that are stored, with the memory of pages used again. What a page of numbers takes is also
// measured in parts: its bytes alone, these with their check sums, and these put into their place.
func BenchmarkPages(b *testing.B) {
	b.Chdir(b.TempDir())
	var text []byte
	for k := range 20 {
		text = append(strconv.AppendInt(append(text, "x."...), int64(k), 10), ',')
	}
	text = append(text, "y\n"...)
	for i := range 200_000 {
		for k := range 20 {
			x := float64((i*7+k*31)%1000)/333 - 1.5
			text = append(strconv.AppendFloat(text, x, 'f', 5, 64), ',')
		}
		text = append(strconv.AppendInt(text, int64(i%2), 10), '\n')
	}
	if err := os.WriteFile("t.csv", text, 0o666); err != nil {
		b.Fatal(err)
	}
	source := func(b *testing.B, cache bool) *Source {
		files, _ := data.NewRowBinder(table, []string{"t.csv"}, "N", probe)
		p, _, errs := Make(table, files, "N", Options{Cache: cache, Spool: b.TempDir()})
		if errs != nil {
			b.Fatal(Errors(errs))
		}
		src, errs := Open(p, table, nil)
		if errs != nil {
			b.Fatal(Errors(errs))
		}
		return src
	}
	each := func(b *testing.B, src *Source, page func(blocks []int) error) {
		l := src.Plan.Layout
		rows, at := 0, 0
		for b.Loop() {
			var blocks []int
			for len(blocks) < l.Window {
				lo, hi := l.Span(at)
				rows += hi - lo
				blocks = append(blocks, at)
				at = (at + 1) % l.Blocks()
			}
			if err := page(blocks); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
	}
	load := func(b *testing.B, src *Source) {
		r := src.Reader()
		var before, last *data.Bound
		each(b, src, func(blocks []int) error {
			if before != nil {
				r.Reuse(before)
			}
			page, err := r.Load(nil, blocks)
			before, last = last, page
			return err
		})
	}
	b.Run("text", func(b *testing.B) {
		src := source(b, false)
		defer src.Close()
		load(b, src)
	})
	src := source(b, true)
	defer src.Close()
	b.Run("numbers", func(b *testing.B) { load(b, src) })
	f := &src.Plan.Files[0]
	var room []byte
	parts := func(b *testing.B, block func(at int, k int, x *Block) error) {
		each(b, src, func(blocks []int) error {
			at := 0
			for _, k := range blocks {
				x := &f.Blocks[k]
				text, err := f.read(src.files[0], x, room)
				if room = text; err != nil {
					return err
				}
				if err := block(at, k, x); err != nil {
					return err
				}
				at += x.Rows
			}
			return nil
		})
	}
	b.Run("numbers/read", func(b *testing.B) {
		parts(b, func(int, int, *Block) error { return nil })
	})
	b.Run("numbers/checked", func(b *testing.B) {
		parts(b, func(_, _ int, x *Block) error {
			if crcOf(room) != x.CRC {
				return f.differs(x)
			}
			return nil
		})
	})
	b.Run("numbers/placed", func(b *testing.B) {
		var rows [2]*format.Rows
		now := 0
		parts(b, func(at, _ int, x *Block) error {
			if at == 0 {
				now = 1 - now
				most := 2 * src.Plan.Layout.Window * src.Plan.Layout.Block
				got, err := f.Room(most, rows[now])
				if err != nil {
					return err
				}
				rows[now] = got
			}
			if crcOf(room) != x.CRC {
				return f.differs(x)
			}
			if err := rows[now].Fill(at, format.Piece{Text: room, First: x.First,
				Rows: x.Rows}); err != nil {
				return err
			}
			return nil
		})
	})
}
