package shards

import (
	"context"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// Split cuts some shards of a manifest once more: pieces has, by the number of a shard, into how
// many. The pieces take the place of the shard, so that the order of rows stays.
func (m *Manifest) Split(ctx context.Context, pieces map[int]int) error {
	var out []Shard
	for i, s := range m.Shards {
		n, is := pieces[i]
		if !is {
			out = append(out, s)
			continue
		}
		list, err := s.split(ctx, n)
		if err != nil {
			return fmt.Errorf("shard %d (%v) cannot be cut: %w", i, s, err)
		}
		out = append(out, list...)
	}
	m.Shards = out
	return nil
}

var errWhole = errors.New("its rows cannot be read without those before them, in a compressed " +
	"text, or are one line or one row group: write them as several files")

// split cuts a shard into about n pieces, and at least two.
func (s Shard) split(ctx context.Context, n int) ([]Shard, error) {
	k, compressed, err := kindOf(s.File)
	if err != nil {
		return nil, err
	}
	if compressed {
		return nil, errWhole
	}
	at, name := home(s.File)
	b, err := bucket.Open(ctx, at, false)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	o, err := b.Stat(ctx, name)
	if err != nil {
		return nil, err
	}
	if o.ETag != s.ETag {
		return nil, &ChangedError{s}
	}
	f, most := File{URI: s.File, ETag: s.ETag, Size: o.Size}, max(1, (s.Size+int64(n)-1)/int64(n))
	var list []Shard
	switch {
	case s.Groups[1] > 0:
		meta, err := footer(ctx, b, name, o.Size)
		if err != nil {
			return nil, err
		}
		list = groupsOf(meta, f, s.Groups, most)
	case s.To > 0:
		list, err = cutRange(ctx, b, name, s, int64(n))
	default:
		list, err = k.cut(ctx, b, name, f, most, k.header)
	}
	if err == nil && len(list) < 2 {
		err = errWhole
	}
	return list, err
}
