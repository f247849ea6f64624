package shards

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/sgppl/sgppl/cluster/bucket"
)

// magic begins and ends a Parquet file.
const magic = "PAR1"

// cutGroups cuts a Parquet file between row groups.
func cutGroups(
	ctx context.Context, b *bucket.Bucket, name string, f File, most int64, _ bool,
) ([]Shard, error) {
	meta, err := footer(ctx, b, name, f.Size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.URI, err)
	}
	return groupsOf(meta, f, [2]int{0, len(meta.RowGroups)}, most), nil
}

// groupsOf makes pieces of about most bytes of some row groups.
func groupsOf(meta *format.FileMetaData, f File, groups [2]int, most int64) []Shard {
	var out []Shard
	from, size := groups[0], int64(0)
	end := func(to int) {
		if to > from {
			out = append(out, Shard{File: f.URI, ETag: f.ETag, Groups: [2]int{from, to}, Size: size})
		}
		from, size = to, 0
	}
	for g := groups[0]; g < groups[1]; g++ {
		lo, hi := span(&meta.RowGroups[g])
		if size > 0 && size+hi-lo > most {
			end(g)
		}
		size += hi - lo
	}
	end(groups[1])
	return out
}

// footer reads the description of a Parquet file from its end.
func footer(
	ctx context.Context,
	b *bucket.Bucket,
	name string,
	size int64,
) (*format.FileMetaData, error) {
	if size < 12 {
		return nil, fmt.Errorf("is too short for a Parquet file: %d bytes", size)
	}
	tail, err := read(ctx, b, name, max(0, size-1<<16), min(size, 1<<16))
	if err != nil {
		return nil, err
	}
	if !bytes.HasSuffix(tail, []byte(magic)) {
		return nil, fmt.Errorf("is not a whole Parquet file: it does not end in %s", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[len(tail)-8:]))
	if n > size-12 {
		return nil, fmt.Errorf("is a damaged Parquet file: its footer has %d bytes, more than the file",
			n)
	}
	if n+8 > int64(len(tail)) {
		if tail, err = read(ctx, b, name, size-8-n, n+8); err != nil {
			return nil, err
		}
	}
	meta := new(format.FileMetaData)
	text := tail[int64(len(tail))-8-n : len(tail)-8]
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), text, meta); err != nil {
		return nil, fmt.Errorf("is a damaged Parquet file: %w", err)
	}
	return meta, nil
}

// span is the range of bytes of a row group.
func span(g *format.RowGroup) (lo, hi int64) {
	lo = int64(1) << 62
	for i := range g.Columns {
		m := &g.Columns[i].MetaData
		from := m.DataPageOffset
		if d := m.DictionaryPageOffset; d > 0 {
			from = min(from, d)
		}
		lo, hi = min(lo, from), max(hi, from+m.TotalCompressedSize)
	}
	if hi == 0 {
		return 0, 0
	}
	return lo, hi
}

// fetchGroups writes a Parquet file that has some row groups of an object, as they are:
// its bytes are copied, and the description at its end is that of these groups.
func fetchGroups(ctx context.Context, b *bucket.Bucket, name string, s Shard, to *os.File) error {
	o, err := b.Stat(ctx, name)
	if err != nil {
		return err
	}
	meta, err := footer(ctx, b, name, o.Size)
	if err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	if s.Groups[1] > len(meta.RowGroups) {
		return fmt.Errorf("%s: there are %d row groups, and group %d is wanted", s.File,
			len(meta.RowGroups), s.Groups[1]-1)
	}
	if _, err := to.WriteString(magic); err != nil {
		return err
	}
	groups := meta.RowGroups[s.Groups[0]:s.Groups[1]]
	at := int64(len(magic))
	meta.NumRows = 0
	for i := range groups {
		g := &groups[i]
		lo, hi := span(g)
		r, err := b.Range(ctx, name, lo, hi-lo)
		if err != nil {
			return err
		}
		n, err := io.Copy(to, r)
		r.Close()
		if err != nil {
			return err
		}
		if n != hi-lo {
			return fmt.Errorf("%s: %d of %d bytes of row group %d were read: %w", s.File, n, hi-lo,
				s.Groups[0]+i, io.ErrUnexpectedEOF)
		}
		move(g, at-lo)
		g.Ordinal = int16(i)
		at += n
		meta.NumRows += g.NumRows
	}
	meta.RowGroups = groups
	text, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		return err
	}
	text = binary.LittleEndian.AppendUint32(text, uint32(len(text)))
	_, err = to.Write(append(text, magic...))
	return err
}

// move says that the bytes of a row group stand elsewhere. Indexes of pages and Bloom
// filters, which stand outside of groups, are left out.
func move(g *format.RowGroup, by int64) {
	g.FileOffset += by
	for i := range g.Columns {
		c := &g.Columns[i]
		c.FileOffset += by
		c.OffsetIndexOffset, c.OffsetIndexLength = 0, 0
		c.ColumnIndexOffset, c.ColumnIndexLength = 0, 0
		m := &c.MetaData
		m.DataPageOffset += by
		if m.DictionaryPageOffset > 0 {
			m.DictionaryPageOffset += by
		}
		m.IndexPageOffset, m.BloomFilterOffset, m.BloomFilterLength = 0, 0, 0
	}
}
