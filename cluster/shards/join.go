package shards

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Join has the rows of several pieces as one file in a directory, in the order of the pieces,
// and returns its path. Texts are decompressed, and have the header of the first. A piece that
// is alone is returned as Fetch has it.
func Join(ctx context.Context, pieces []Shard, dir string) (string, error) {
	if len(pieces) == 1 {
		return Fetch(ctx, pieces[0], dir)
	}
	sum := sha256.New()
	for _, s := range pieces {
		fmt.Fprintf(sum, "%s %s %d %d %v\n", s.File, s.ETag, s.From, s.To, s.Groups)
	}
	ending := plainEnding(pieces[0].File)
	to := filepath.Join(dir, "joined-"+hex.EncodeToString(sum.Sum(nil)[:8])+ending)
	var files []string
	for _, s := range pieces {
		if plainEnding(s.File) != ending {
			return "", fmt.Errorf("%s and %s are files of different formats: rows in one format "+
				"are expected", pieces[0].File, s.File)
		}
		file, err := Fetch(ctx, s, dir)
		if err != nil {
			return "", err
		}
		files = append(files, file)
	}
	if isFile(to) {
		return to, nil
	}
	return to, place(to, func(f *os.File) error {
		k := slices.IndexFunc(kinds, func(k kind) bool { return slices.Contains(k.endings, ending) })
		switch {
		case ending == ".parquet" || ending == ".pq":
			return joinGroups(ctx, files, f)
		case k < 0:
			return fmt.Errorf("%s: files that end in %q cannot be joined", pieces[0].File, ending)
		}
		return joinLines(ctx, files, kinds[k].header, f)
	})
}

// plainEnding is the ending of a file without that of its compression.
func plainEnding(uri string) string {
	location, _ := split(uri)
	ending := path.Ext(location)
	if ending == ".gz" || ending == ".bz2" {
		ending = path.Ext(strings.TrimSuffix(location, ending))
	}
	return strings.ToLower(ending)
}

// open opens a text, decompressed.
func open(file string) (io.Reader, io.Closer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	switch path.Ext(file) {
	case ".gz":
		z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<16))
		if err != nil {
			f.Close()
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		return z, f, nil
	case ".bz2":
		return bzip2.NewReader(bufio.NewReaderSize(f, 1<<16)), f, nil
	}
	return f, f, nil
}

func joinLines(ctx context.Context, files []string, header bool, to io.Writer) error {
	out := bufio.NewWriterSize(to, 1<<16)
	var first []byte
	for i, file := range files {
		head, err := appendLines(ctx, file, header, i > 0, out)
		if err != nil {
			return err
		}
		if i == 0 {
			first = head
		} else if !bytes.Equal(head, first) {
			return fmt.Errorf("%s has the columns %q, and the files before it %q", file, head, first)
		}
	}
	return out.Flush()
}

// appendLines copies a text, whose last line gets an end. With a header it returns that, and
// leaves it out of what it copies where later is set.
func appendLines(
	ctx context.Context, file string, header, later bool, to *bufio.Writer,
) (head []byte, err error) {
	text, f, err := open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(text, 1<<16)
	begin, err := in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if bytes.HasPrefix(begin, []byte("\xff\xfe")) || bytes.HasPrefix(begin, []byte("\xfe\xff")) {
		return nil, fmt.Errorf("%s is UTF-16, which is not joined with other files: write it as "+
			"UTF-8", file)
	}
	if bytes.Equal(begin, []byte("\ufeff")) {
		in.Discard(3)
	}
	if header {
		if head, err = in.ReadBytes('\n'); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		head = bytes.TrimRight(head, "\r\n")
		if !later {
			to.Write(append(slices.Clone(head), '\n'))
		}
	}
	last := byte('\n')
	for buf := make([]byte, 1<<16); ; {
		n, err := in.Read(buf)
		if n > 0 {
			last = buf[n-1]
			if _, err := to.Write(buf[:n]); err != nil {
				return nil, err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if last != '\n' {
		err = to.WriteByte('\n')
		return head, err
	}
	return head, nil
}

func joinGroups(ctx context.Context, files []string, to io.Writer) error {
	var out *parquet.Writer
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := appendGroups(file, to, &out); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return out.Close()
}

// OpenParquet opens a file of Parquet. Who calls it closes the file f that it reads from.
func OpenParquet(file string) (in *parquet.File, f *os.File, err error) {
	if f, err = os.Open(file); err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		in, err = parquet.OpenFile(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return in, f, nil
}

func appendGroups(file string, to io.Writer, out **parquet.Writer) error {
	in, f, err := OpenParquet(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if *out == nil {
		*out = parquet.NewWriter(to, in.Schema())
	} else if !parquet.EqualNodes((*out).Schema(), in.Schema()) {
		return errors.New("has other columns than the files before it")
	}
	for _, g := range in.RowGroups() {
		if _, err := (*out).WriteRowGroup(g); err != nil {
			return err
		}
	}
	return nil
}
