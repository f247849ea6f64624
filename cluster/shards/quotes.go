package shards

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// errQuotes says that a piece begins or ends within quotes.
var errQuotes = errors.New("the piece has an odd number of quotes: a cell holds the end of a " +
	"line, so the file cannot be cut between lines; write it as Parquet, or take files whole " +
	"by --shard-size larger than they are")

// Quotes refuses a piece of a table of text that was cut within a cell.
func Quotes(path string) error {
	if !slices.Contains([]string{".csv", ".tsv", ".tab"}, strings.ToLower(filepath.Ext(path))) {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	odd := 0
	for buf := make([]byte, 1<<16); ; {
		n, err := f.Read(buf)
		odd += bytes.Count(buf[:n], []byte{'"'})
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if odd%2 == 1 {
		return errQuotes
	}
	return nil
}
