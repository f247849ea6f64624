package shards

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// Size is about how many bytes a shard of a text has, where no other number is asked for.
const Size = 64 << 20

// A kind of file says how it is cut.
type kind struct {
	endings []string
	header  bool // the first line names the columns, and belongs to every piece
	cut     func(ctx context.Context, b *bucket.Bucket, name string, f File, most int64,
		header bool) ([]Shard, error)
}

// kinds are the formats that tasks read. Compressed files are shards as a whole.
var kinds = []kind{
	{endings: []string{".csv", ".tsv", ".tab"}, header: true, cut: cutLines},
	{endings: []string{".jsonl", ".ndjson"}, cut: cutLines},
	{endings: []string{".libsvm", ".svm", ".svmlight"}, cut: cutLines},
	{endings: []string{".ldac", ".lda-c"}, cut: cutLines},
	{endings: []string{".parquet", ".pq"}, cut: cutGroups},
}

// Cut cuts files into shards of about most bytes each, in the order of the files.
func Cut(ctx context.Context, data []string, most int64) (*Manifest, error) {
	var specs []Spec
	for _, text := range data {
		s, err := ParseSpec(text)
		if err != nil {
			return nil, err
		}
		specs = append(specs, s)
	}
	rows, _, err := Rows(specs)
	if err != nil {
		return nil, err
	}
	files, err := Find(ctx, rows[0])
	if err != nil {
		return nil, err
	}
	m := &Manifest{Data: data, Whole: map[int]Shard{}}
	for i, s := range specs {
		if slices.Contains(rows, s) {
			continue
		}
		f, err := Find(ctx, s)
		if err != nil {
			return nil, err
		}
		m.Whole[i] = Shard{File: f[0].URI, ETag: f[0].ETag, Size: f[0].Size}
	}
	for _, f := range files {
		shards, err := cutFile(ctx, f, most)
		if err != nil {
			return nil, err
		}
		m.Shards = append(m.Shards, shards...)
	}
	return m, nil
}

func cutFile(ctx context.Context, f File, most int64) ([]Shard, error) {
	at, name := home(f.URI)
	k, compressed, err := kindOf(f.URI)
	if err != nil {
		return nil, err
	}
	if f.Size <= most || compressed {
		return []Shard{{File: f.URI, ETag: f.ETag, Size: f.Size}}, nil
	}
	b, err := bucket.Open(ctx, at, false)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return k.cut(ctx, b, name, f, most, k.header)
}

// kindOf is the kind of a file, by its name.
func kindOf(uri string) (k *kind, compressed bool, err error) {
	_, name := home(uri)
	ending := path.Ext(name)
	if compressed = ending == ".gz" || ending == ".bz2"; compressed {
		ending = path.Ext(strings.TrimSuffix(name, ending))
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return slices.Contains(k.endings, ending) })
	if i < 0 {
		var known []string
		for _, k := range kinds {
			known = append(known, k.endings...)
		}
		return nil, false, fmt.Errorf("%s: rows are read from files that end in %s, with .gz or .bz2 "+
			"behind it or not", uri, strings.Join(known, ", "))
	}
	return &kinds[i], compressed, nil
}

// cutLines cuts a text behind ends of lines. Whether a line ends within quotes cannot be
// seen here; a task that reads its piece finds an odd number of quotes then, and says so.
func cutLines(
	ctx context.Context, b *bucket.Bucket, name string, f File, most int64, header bool,
) ([]Shard, error) {
	first := int64(0)
	head, err := read(ctx, b, name, 0, 4)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return []Shard{{File: f.URI, ETag: f.ETag, Size: f.Size}}, nil // UTF-16
	}
	if header {
		if first, err = lineEnd(ctx, b, name, 0, f.Size); err != nil {
			return nil, err
		}
	}
	n := max(1, (f.Size-first+most-1)/most)
	return cutRange(ctx, b, name, Shard{File: f.URI, ETag: f.ETag, From: first, To: f.Size,
		Header: first}, n)
}

// cutRange cuts the lines of a piece into about n pieces.
func cutRange(
	ctx context.Context, b *bucket.Bucket, name string, s Shard, n int64,
) ([]Shard, error) {
	var out []Shard
	for i, from := int64(1), s.From; from < s.To; i++ {
		to := max(from, s.From+(s.To-s.From)*i/n)
		if to < s.To && i < n {
			var err error
			if to, err = lineEnd(ctx, b, name, max(to, 1)-1, s.To); err != nil {
				return nil, err
			}
		} else {
			to = s.To
		}
		if to > from {
			piece := s
			piece.From, piece.To, piece.Size = from, to, to-from+s.Header
			out = append(out, piece)
		}
		from = to
	}
	return out, nil
}

// lineEnd is the offset behind the first end of a line at or behind an offset.
func lineEnd(ctx context.Context, b *bucket.Bucket, name string, from, size int64) (int64, error) {
	for step := int64(1 << 12); from < size; step = min(2*step, 1<<20) {
		text, err := read(ctx, b, name, from, min(step, size-from))
		if err != nil {
			return 0, err
		}
		if k := bytes.IndexByte(text, '\n'); k >= 0 {
			return from + int64(k) + 1, nil
		}
		from += int64(len(text))
	}
	return size, nil
}

// read returns n bytes of an object.
func read(ctx context.Context, b *bucket.Bucket, name string, from, n int64) ([]byte, error) {
	r, err := b.Range(ctx, name, from, n)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// Whole is the manifest of files that every task reads whole: there are no shards.
func Whole(ctx context.Context, data []string) (*Manifest, error) {
	m := &Manifest{Data: data, Whole: map[int]Shard{}}
	for i, text := range data {
		s, err := ParseSpec(text)
		if err != nil {
			return nil, err
		}
		f, err := Find(ctx, s)
		if err != nil {
			return nil, err
		}
		if len(f) != 1 {
			return nil, fmt.Errorf("--data %s: %d files have such names, and one is expected", text, len(f))
		}
		m.Whole[i] = Shard{File: f[0].URI, ETag: f[0].ETag, Size: f[0].Size}
	}
	return m, nil
}
