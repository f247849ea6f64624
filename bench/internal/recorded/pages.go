package recorded

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// A table of a page stands between "<!-- recorded FILE PATTERN -->" and "<!-- end of recorded -->":
// FILE is below record/results, without its ending. All rows are shown without PATTERN.
var place = regexp.MustCompile(
	`(?s)(<!-- recorded (\S+)(?: (\S+))? -->\n).*?(<!-- end of recorded -->\n)`)

// Pages are the pages in a directory that have tables of recordings, as they should be, by their
// paths. Results are in a directory of their own. Shown are the files that have tables.
func Pages(dir, results string) (pages map[string][]byte, shown []string, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, nil, err
	}
	pages = map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		var failed error
		made := place.ReplaceAllFunc(text, func(part []byte) []byte {
			m := place.FindSubmatch(part)
			file := filepath.Join(results, filepath.FromSlash(string(m[2]))+Suffix)
			shown = append(shown, file)
			r, err := Read(file)
			if err == nil {
				var table string
				if table, err = r.Table(string(m[3])); err == nil {
					return slices.Concat(m[1], []byte("\n"+table+"\n"), m[4])
				}
			}
			failed = fmt.Errorf("%s: %w", name, err)
			return part
		})
		if failed != nil {
			return nil, nil, failed
		}
		if place.Match(text) {
			pages[name] = made
		}
	}
	return pages, shown, nil
}
