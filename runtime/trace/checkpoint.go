package trace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
)

// ErrCorrupt is wrapped by the errors of files whose content is not what was
// written: cut short, or changed.
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
func WriteCheckpoint(path string, version uint32, payload ...[]byte) error {
	n := 0
	for _, p := range payload {
		n += len(p)
	}
	head := append(make([]byte, 0, checkpointHeader), checkpointMagic...)
	head = binary.LittleEndian.AppendUint32(head, version)
	head = binary.LittleEndian.AppendUint64(head, uint64(n))
	return WriteStream(path, func(w *bufio.Writer) error { // what is large is not copied
		sum := uint32(0)
		for _, p := range append([][]byte{head}, payload...) {
			sum = crc32.Update(sum, castagnoli, p)
			if _, err := w.Write(p); err != nil {
				return wrapWrite(path, err)
			}
		}
		_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum))
		return wrapWrite(path, err)
	})
}

// ReadCheckpoint returns what WriteCheckpoint wrote. A file that is not a
// checkpoint, is cut short or was changed gives an error that wraps ErrCorrupt
// and says which; a file that is not there, one that wraps fs.ErrNotExist.
func ReadCheckpoint(path string) (version uint32, payload []byte, err error) {
	b, err := os.ReadFile(path)
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
