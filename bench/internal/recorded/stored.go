package recorded

import (
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// stored is the list of results in formats of their own, below the directory of pages: a line a
// file, with what Recording has in its header. The sum of the bytes tells when results are new.
const stored = "record/stored.csv"

var storedHead = []string{"file", "sum", "date", "commit", "rounds", "cpu", "command"}

// A note of a page stands between "<!-- stored FILE -->" and "<!-- end of stored -->", below the
// table that another generator makes of the file.
var noted = regexp.MustCompile(`(?s)(<!-- stored (\S+) -->\n).*?(<!-- end of stored -->\n)`)

// Notes are the notes of results by their files, below a directory. A file that changed is stamped
// with the day and the commit of now, and the list is written, if update is set.
func Notes(dir string, update bool) (map[string]string, error) {
	path := filepath.Join(dir, filepath.FromSlash(stored))
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := csv.NewReader(f).ReadAll()
	f.Close()
	if err != nil || len(all) == 0 || !slices.Equal(all[0], storedHead) {
		return nil, fmt.Errorf("%s: a list with the columns %v was expected (%v)", path, storedHead,
			err)
	}
	out := map[string]string{}
	changed := false
	for _, row := range all[1:] {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(row[0])))
		if err != nil {
			return nil, err
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(text))[:16]; sum != row[1] {
			if !update {
				return nil, fmt.Errorf("%s has changed since %s: go test ./bench -run Fresh -update",
					row[0], row[2])
			}
			row[1], row[2], row[3] = sum, time.Now().Format(time.DateOnly), Commit()
			row[5], changed = Processor(), true
		}
		r := Recording{From: fromFile, Date: row[2], Commit: row[3], CPU: row[5], Command: row[6]}
		out[row[0]] = r.note(row[4])
	}
	if !changed {
		return out, nil
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(all); err != nil {
		return nil, err
	}
	return out, os.WriteFile(path, []byte(b.String()), 0o666)
}

// withNotes puts notes into a page.
func withNotes(page []byte, notes map[string]string) (_ []byte, shown []string, err error) {
	made := noted.ReplaceAllFunc(page, func(part []byte) []byte {
		m := noted.FindSubmatch(part)
		file := string(m[2])
		note, ok := notes[file]
		if !ok {
			err = fmt.Errorf("%s has no line %s", stored, file)
		}
		shown = append(shown, file)
		return slices.Concat(m[1], []byte("\n"+note+"\n\n"), m[3])
	})
	return made, shown, err
}
