package recorded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// Results has the recordings, below the directory of pages.
const Results = "record/results"

// A table of a page stands between "<!-- recorded FILE ROWS UNITS -->" and
// "<!-- end of recorded -->": FILE is below Results, without its ending, the others are patterns of
// what is shown. All is shown without them.
var place = regexp.MustCompile(
	`(?s)(<!-- recorded (\S+)(?: (\S+))?(?: (\S+))? -->\n).*?(<!-- end of recorded -->\n)`)

// Pages are the pages in a directory that show what is stored, as they should be, by their paths.
// Shown are the files that they show. With update, results that changed are stamped anew.
func Pages(dir string, update bool) (pages map[string][]byte, shown []string, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, nil, err
	}
	notes, err := Notes(dir, update)
	if err != nil {
		return nil, nil, err
	}
	pages = map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		tables, of, err := withTables(text, filepath.Join(dir, filepath.FromSlash(Results)))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		made, ofNotes, err := withNotes(tables, notes)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(of)+len(ofNotes) > 0 {
			pages[name] = made
		}
		for _, file := range ofNotes {
			of = append(of, filepath.Join(dir, filepath.FromSlash(file)))
		}
		shown = append(shown, of...)
	}
	for file := range notes {
		if !slices.Contains(shown, filepath.Join(dir, filepath.FromSlash(file))) {
			return nil, nil, fmt.Errorf("no page has a note of %s", file)
		}
	}
	return pages, shown, nil
}

// withTables puts tables of recordings into a page.
func withTables(page []byte, results string) (_ []byte, shown []string, err error) {
	made := place.ReplaceAllFunc(page, func(part []byte) []byte {
		m := place.FindSubmatch(part)
		if bytes.Count(part, []byte("<!-- ")) > 2 {
			err = fmt.Errorf("a table has a beginning and no end: %s", m[1])
			return part
		}
		file := filepath.Join(results, filepath.FromSlash(string(m[2]))+Suffix)
		shown = append(shown, file)
		r, failed := Read(file)
		if failed == nil {
			var table string
			if table, failed = r.Table(string(m[3]), string(m[4])); failed == nil {
				return slices.Concat(m[1], []byte("\n"+table+"\n"), m[5])
			}
		}
		err = errors.Join(err, failed)
		return part
	})
	return made, shown, err
}
