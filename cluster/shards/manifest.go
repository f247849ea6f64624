// Package shards cuts files of rows into pieces that tasks read: ranges of lines of texts,
// row groups of Parquet, and whole files of what cannot be cut. The list of the pieces,
// the manifest, decides the order of every fold, and so the bits of every result.
package shards

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// A Shard is a piece of a file: all of it, bytes of a text, or row groups of Parquet.
type Shard struct {
	File string `json:"file"`
	ETag string `json:"etag"`
	// From and To are the bytes of the lines of a text. Both are 0 of a whole file.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`
	// Header is how many bytes the header of the file has, which comes before the lines.
	Header int64 `json:"header,omitempty"`
	// Groups are the row groups lo ≤ g < hi; both are 0 of what is not cut by groups.
	Groups [2]int `json:"groups,omitzero"`
	// Size is what has to be read, in bytes.
	Size int64 `json:"size"`
}

// String names the piece as messages do.
func (s Shard) String() string {
	switch {
	case s.Groups[1] > 0:
		return fmt.Sprintf("%s, row groups %d to %d", s.File, s.Groups[0], s.Groups[1]-1)
	case s.To > 0:
		return fmt.Sprintf("%s, bytes %d to %d", s.File, s.From, s.To-1)
	}
	return s.File
}

// A Manifest lists the pieces of the rows, in their order.
type Manifest struct {
	Data   []string `json:"data"` // as given
	Shards []Shard  `json:"shards"`
	// Whole are the files that every task reads whole, by their place in Data.
	Whole map[int]Shard `json:"whole,omitempty"`
}

// Identity is a digest of the manifest: results belong to one.
func (m *Manifest) Identity() string {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // numbers and texts can be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// Bytes is the size of all pieces.
func (m *Manifest) Bytes() (n int64) {
	for _, s := range m.Shards {
		n += s.Size
	}
	return n
}
