package trace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// ErrCorrupt is wrapped by errors about files whose content was cut short or changed since it was
// written.
var ErrCorrupt = errors.New("corrupt file")

// A checkpoint file is: 8 bytes magic, version (uint32), length of the payload
// (uint64), payload, CRC-32C of all before it (uint32); little endian.
const (
	checkpointMagic  = "sgpplCKP"
	checkpointHeader = len(checkpointMagic) + 4 + 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CheckpointPath is the name of a chain's checkpoint in a run directory.
func CheckpointPath(run string, chain int) string {
	return filepath.Join(run, fmt.Sprintf("chain-%d.ckpt", chain))
}

// WriteCheckpoint replaces the checkpoint at path in one step. The version is
// that of the payload's encoding, which may come in parts.
func WriteCheckpoint(on disk.FS, path string, version uint32, payload ...[]byte) error {
	n := 0
	for _, p := range payload {
		n += len(p)
	}
	return WriteCheckpoints(on, Checkpoint{path, version, n, func(w io.Writer) error {
		for _, p := range payload {
			if _, err := w.Write(p); err != nil {
				return err
			}
		}
		return nil
	}})
}

// A Checkpoint is one to write at Path. Write writes the payload of Size bytes, so that a large one
// need not be in memory twice.
type Checkpoint struct {
	Path    string
	Version uint32
	Size    int
	Write   func(w io.Writer) error
}

// WriteCheckpoints replaces checkpoints, each in one step. They are made durable together.
func WriteCheckpoints(on disk.FS, all ...Checkpoint) error {
	outputs := make([]disk.Output, len(all))
	for i, c := range all {
		outputs[i] = c.file()
	}
	return disk.Streams(on, outputs...)
}

func (c *Checkpoint) file() disk.Output { return disk.Output{Path: c.Path, Write: c.output} }

// output writes the file of a checkpoint.
func (c *Checkpoint) output(w *bufio.Writer) error {
	head := append(make([]byte, 0, checkpointHeader), checkpointMagic...)
	head = binary.LittleEndian.AppendUint32(head, c.Version)
	head = binary.LittleEndian.AppendUint64(head, uint64(c.Size))
	s := &summer{w: w}
	_, err := s.Write(head)
	if err == nil {
		err = c.Write(s)
	}
	if err != nil {
		return disk.WriteError(c.Path, err)
	}
	if have := s.n - len(head); have != c.Size {
		return fmt.Errorf("%s: a payload of %d bytes instead of %d", c.Path, have, c.Size)
	}
	_, err = w.Write(binary.LittleEndian.AppendUint32(nil, s.sum))
	return disk.WriteError(c.Path, err)
}

// A summer is a writer that counts the bytes written through it and computes their check sum.
type summer struct {
	w   io.Writer
	sum uint32
	n   int
}

func (s *summer) Write(b []byte) (int, error) {
	s.sum = crc32.Update(s.sum, castagnoli, b)
	s.n += len(b)
	return s.w.Write(b)
}

// ReadCheckpoint returns the version and the payload of a checkpoint. If the file is not a
// checkpoint, is cut short or was changed, the error wraps ErrCorrupt; if it does not exist,
// fs.ErrNotExist.
func ReadCheckpoint(on disk.FS, path string) (version uint32, payload []byte, err error) {
	b, err := disk.ReadFile(on, path)
	if err != nil {
		return 0, nil, err
	}
	bad := func(format string, args ...any) (uint32, []byte, error) {
		return 0, nil, fmt.Errorf("%s: %w: %s", path, ErrCorrupt, fmt.Sprintf(format, args...))
	}
	if len(b) < checkpointHeader {
		return bad("%d bytes are too few for a checkpoint", len(b))
	}
	if string(b[:len(checkpointMagic)]) != checkpointMagic {
		return bad("not a checkpoint of sgppl")
	}
	n := binary.LittleEndian.Uint64(b[len(checkpointMagic)+4:])
	if have := len(b) - checkpointHeader - 4; have < 0 || n != uint64(have) {
		return bad("the checkpoint should hold %d bytes and holds %d", n, max(have, 0))
	}
	end := len(b) - 4
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return bad("the checksum does not match")
	}
	return binary.LittleEndian.Uint32(b[len(checkpointMagic):]), b[checkpointHeader:end], nil
}
