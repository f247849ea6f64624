package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// Digests is the value of the field digests in run.json for a run whose files have digests. Runs of
// older versions lack the field, and their files cannot be checked.
const Digests = "crc32c"

// A JSON file of a run has its own digest as its last field. The digest is the CRC-32C of the file
// with noDigest in this field.
const (
	digestKey = `"digest":`
	noDigest  = Digests + ":00000000"
)

func digestOf(b []byte) string {
	return fmt.Sprintf("%s:%08x", Digests, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// seal returns the JSON text of v with its digest. The last field of v must be noDigest.
func seal(v any, indent string) ([]byte, error) {
	marshal := json.Marshal
	if indent != "" {
		marshal = func(v any) ([]byte, error) { return json.MarshalIndent(v, "", indent) }
	}
	b, err := marshal(v)
	if err != nil {
		return nil, err
	}
	b = append(b, '\n')
	at := bytes.LastIndex(b, []byte(noDigest))
	if at < 0 {
		return nil, errors.New("a value without a digest")
	}
	copy(b[at:], digestOf(b))
	return b, nil
}

// unseal checks the digest within a JSON text. A text without a digest is an error if must is true.
func unseal(b []byte, must bool) error {
	at := bytes.LastIndex(b, []byte(digestKey))
	if at < 0 {
		if must {
			return errors.New("its digest is gone")
		}
		return nil
	}
	rest := bytes.TrimLeft(b[at+len(digestKey):], " ")
	if len(rest) < len(noDigest)+2 || rest[0] != '"' || rest[len(noDigest)+1] != '"' {
		return errors.New("its digest is damaged")
	}
	said := string(rest[1 : 1+len(noDigest)])
	blank := bytes.Clone(b)
	copy(blank[len(b)-len(rest)+1:], noDigest)
	if digestOf(blank) != said {
		return errors.New("it was changed or damaged since it was written: its digest does not fit")
	}
	return nil
}
