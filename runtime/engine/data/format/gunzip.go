package format

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
)

// errTrailing is the error of bytes after the compressed data.
var errTrailing = errors.New("other bytes follow the compressed text, which itself is whole: the " +
	"file was appended to, or two files were joined; cut them off, or decompress it yourself")

// A gunzip reads members of gzip one after another, and tells what follows them
// from a member that is damaged.
type gunzip struct {
	in  *bufio.Reader
	z   *gzip.Reader
	err error // comes again
}

func openGzip(r io.Reader) (io.Reader, error) {
	in, is := r.(*bufio.Reader)
	if !is {
		in = bufio.NewReaderSize(r, 1<<16)
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{in: in, z: z}, nil
}

func (g *gunzip) Read(b []byte) (n int, err error) {
	if g.err == nil {
		n, g.err = g.read(b)
	}
	return n, g.err
}

func (g *gunzip) read(b []byte) (int, error) {
	for {
		n, err := g.z.Read(b)
		if err != io.EOF || n > 0 {
			if err == io.EOF {
				err = nil // it comes again
			}
			return n, err
		}
		head, err := g.in.Peek(2)
		if len(head) == 0 {
			return 0, err // io.EOF, or why nothing more can be read
		}
		if !bytes.Equal(head, []byte{0x1f, 0x8b}) {
			return 0, errTrailing
		}
		if err := g.z.Reset(g.in); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		g.z.Multistream(false)
	}
}

// openBzip2 reads bzip2. The library reports bytes after a stream only by a word in the text of its
// error.
func openBzip2(r io.Reader) (io.Reader, error) { return &bunzip{r: bzip2.NewReader(r)}, nil }

type bunzip struct {
	r   io.Reader
	err error // comes again
}

func (z *bunzip) Read(b []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	n, err := z.r.Read(b)
	var damage bzip2.StructuralError
	if errors.As(err, &damage) && damage == "bad magic value in continuation file" {
		err = errTrailing
	}
	z.err = err
	return n, err
}
