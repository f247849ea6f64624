package format

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Source is a table that another program reads for this one: a table or a query of a
// database, or a file in a format that takes a large library. It is written as a spec,
//
//	sqlite:FILE:TABLE            sqlite:FILE?query=SELECT …
//	postgres://…?table=TABLE     mysql://…?query=SELECT …
//
// in which a query reaches to the end, and @FILE names a file that has it.
type Source struct {
	Kind    string `json:"kind"`    // sqlite, postgres, mysql or arrow
	Address string `json:"address"` // a path, or a URL without a password
	Table   string `json:"table,omitempty"`
	Query   string `json:"query,omitempty"`
}

// databases are the schemes of URLs.
var databases = map[string]string{"postgres": "postgres", "postgresql": "postgres",
	"mysql": "mysql", "mariadb": "mysql"}

// DatabaseURL returns the scheme and the rest of a URL of a database.
func DatabaseURL(text string) (scheme, rest string, is bool) {
	scheme, rest, is = strings.Cut(text, "://")
	return scheme, rest, is && databases[scheme] != ""
}

// SourceOf reads a spec, with the columns that may stand behind it: behind a table and a
// colon, or behind a query that ends with a semicolon, and a colon. is tells whether the
// text is one; a file of that name is none.
func SourceOf(text string) (s Source, field string, is bool) {
	if present(text) {
		return Source{}, "", false
	}
	if scheme, _, is := DatabaseURL(text); is {
		s = Source{Kind: databases[scheme], Address: text}
		at := len(text)
		for _, key := range []string{"?query=", "&query=", "?table=", "&table="} {
			if k := strings.Index(text, key); k >= 0 {
				at = min(at, k)
			}
		}
		s.Address = text[:at]
		field = s.what(text[at:])
		return s, field, true
	}
	rest, named := strings.CutPrefix(text, "sqlite:")
	at := databaseEnds(rest, named)
	if at < 0 {
		return Source{}, "", false
	}
	s = Source{Kind: "sqlite", Address: rest[:at]}
	field = s.what(rest[at:])
	return s, field, true
}

// databaseEnds finds the end of the path of a file of sqlite, −1 where the text has none:
// without the scheme it must be there, and have an ending of sqlite.
func databaseEnds(text string, named bool) int {
	first := -1
	for k := range len(text) + 1 {
		if k < len(text) && text[k] != ':' && text[k] != '?' || k == 0 {
			continue
		}
		if k == 1 && len(text) > 2 && text[k] == ':' && (text[2] == '\\' || text[2] == '/') {
			continue // the drive of Windows
		}
		if (named || k < len(text) && isSQLite(text[:k])) && present(text[:k]) {
			return k
		}
		if first < 0 && named {
			first = k
		}
	}
	return first
}

// endingsSQLite are those of files of sqlite.
var endingsSQLite = []string{".db", ".sqlite", ".sqlite3"}

// isSQLite reports whether a path has an ending of sqlite.
func isSQLite(path string) bool {
	return slices.ContainsFunc(endingsSQLite,
		func(e string) bool { return strings.EqualFold(filepath.Ext(path), e) })
}

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// what reads what stands behind the address, and returns the columns behind that.
func (s *Source) what(text string) (field string) {
	if text == "" {
		return ""
	}
	if query, is := strings.CutPrefix(text[1:], "query="); is && text[0] != ':' {
		s.Query = query
		if k := strings.LastIndex(query, ";:"); k >= 0 {
			s.Query, field = query[:k], query[k+2:]
		}
		return field
	}
	text = text[1:]
	text = strings.TrimPrefix(text, "table=")
	s.Table, field, _ = strings.Cut(text, ":")
	return field
}

// Spec is the source as it is written.
func (s Source) Spec() string {
	out := s.Address
	if s.Kind == "sqlite" {
		out = "sqlite:" + out
	}
	sign := "?"
	if s.Kind != "sqlite" && strings.Contains(out, "?") {
		sign = "&"
	}
	switch {
	case s.Query != "":
		return out + sign + "query=" + s.Query
	case s.Table != "" && s.Kind == "sqlite":
		return out + ":" + s.Table
	case s.Table != "":
		return out + sign + "table=" + s.Table
	}
	return out
}

// IsFile reports whether the address is a path.
func (s Source) IsFile() bool { return s.Kind == "sqlite" || s.Kind == "arrow" }

// AbsolutePath makes a path absolute, and those of a spec of a source.
func AbsolutePath(path string) string {
	s, _, is := SourceOf(path)
	if !is {
		return absolutePath(path)
	}
	if s.IsFile() {
		s.Address = absolutePath(s.Address)
	}
	if file, is := strings.CutPrefix(s.Query, "@"); is {
		s.Query = "@" + absolutePath(file)
	}
	return s.Spec()
}

func absolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
