package shards

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// A Spec is one --data: [NAME=]FILES[:FIELD…]. Files are a path or a URL, with * and […]
// for many; settings of a bucket follow the path of a URL after a question mark.
type Spec struct {
	Name  string // the input; "" where columns are bound by their names
	Files string
	Rest  string // from the first colon behind the files on
}

var named = regexp.MustCompile(`^[\pL_][\pL\pN_]*=`)

// ParseSpec reads a spec.
func ParseSpec(text string) (Spec, error) {
	var s Spec
	rest := text
	if m := named.FindString(text); m != "" {
		s.Name, rest = strings.TrimSuffix(m, "="), text[len(m):]
	}
	from := 0
	if k := strings.Index(rest, "://"); k >= 0 {
		from = k + len("://")
		if q := strings.IndexByte(rest, '?'); q > from { // settings have colons of their own
			from = q
			if k := fieldAfter(rest[q:]); k >= 0 {
				s.Files, s.Rest = rest[:q+k], rest[q+k:]
			} else {
				s.Files = rest
			}
			return s, s.check(text)
		}
	}
	s.Files = rest
	if k := strings.IndexByte(rest[from:], ':'); k >= 0 {
		s.Files, s.Rest = rest[:from+k], rest[from+k:]
	}
	return s, s.check(text)
}

// fieldAfter finds the colon that ends the settings of a URL. Settings that have colons,
// such as an endpoint, are escaped as those of URLs are, or have // behind the colon.
func fieldAfter(settings string) int {
	for i := range len(settings) {
		if settings[i] == ':' && !strings.HasPrefix(settings[i:], "://") && !isPort(settings[i:]) {
			return i
		}
	}
	return -1
}

var port = regexp.MustCompile(`^:[0-9]+(&|/|$|:)`)

func isPort(s string) bool { return port.MatchString(s) }

func (s Spec) check(text string) error {
	if s.Files == "" {
		return fmt.Errorf("--data %s: a file is expected, as in y=rows/*.csv:label", text)
	}
	return nil
}

// On is the spec with another file in the place of its files.
func (s Spec) On(file string) string {
	if s.Name == "" {
		return file + s.Rest
	}
	return s.Name + "=" + file + s.Rest
}

// Many reports whether the files are a pattern.
func (s Spec) Many() bool {
	location, _ := split(s.Files)
	return strings.ContainsAny(location, "*[")
}

// split cuts the settings of a bucket from a URL.
func split(files string) (location, settings string) {
	if k := strings.IndexByte(files, '?'); k >= 0 && strings.Contains(files, "://") {
		return files[:k], files[k:]
	}
	return files, ""
}

// Rows are the specs that are cut into shards, the first of them first, and the others,
// which every task reads whole. Those of rows name the same files: a pattern, or else
// the files of the first spec.
func Rows(specs []Spec) (rows, whole []Spec, err error) {
	if len(specs) == 0 {
		return nil, nil, fmt.Errorf("there is no --data")
	}
	files := specs[0].Files
	for _, s := range specs {
		switch {
		case s.Many() && !strings.ContainsAny(files, "*["):
			files = s.Files
		case s.Many() && s.Files != files:
			return nil, nil, fmt.Errorf("--data names rows in %s and in %s: all that belongs to "+
				"a row is expected in one set of files", files, s.Files)
		}
	}
	for _, s := range specs {
		if s.Files == files {
			rows = append(rows, s)
		} else {
			whole = append(whole, s)
		}
	}
	return rows, whole, nil
}

// A File is an object of data.
type File struct {
	URI  string `json:"uri"`
	Size int64  `json:"size"`
	ETag string `json:"etag"`
}

// Find lists the files of a spec, in the order of their names.
func Find(ctx context.Context, s Spec) ([]File, error) {
	at, pattern := home(s.Files)
	b, err := bucket.Open(ctx, at, false)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if !s.Many() {
		o, err := b.Stat(ctx, pattern)
		if err != nil {
			return nil, err
		}
		return []File{{s.Files, o.Size, o.ETag}}, nil
	}
	objects, err := b.List(ctx, pattern[:strings.IndexAny(pattern, "*[")])
	if err != nil {
		return nil, err
	}
	var out []File
	for _, o := range objects {
		match, err := path.Match(pattern, o.Name)
		if err != nil {
			return nil, fmt.Errorf("--data %s: the pattern is not closed", s.Files)
		}
		if !match {
			continue
		}
		if o, err = b.Stat(ctx, o.Name); err != nil {
			return nil, err
		}
		out = append(out, File{join(at, o.Name), o.Size, o.ETag})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--data %s: no file has such a name", s.Files)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.URI, b.URI) })
	return out, nil
}

// home splits the location of files into a bucket and names in it. The bucket of a
// directory is the deepest that has all of them, so that a listing is short.
func home(files string) (at, names string) {
	location, settings := split(files)
	if scheme, rest, is := strings.Cut(location, "://"); is && scheme != "file" {
		host, name, _ := strings.Cut(rest, "/")
		return scheme + "://" + host + settings, name
	}
	location = filepath.ToSlash(location)
	if u, err := url.Parse(location); err == nil && u.Scheme == "file" {
		location = u.Host + u.Path
	}
	fixed := location
	if k := strings.IndexAny(fixed, "*["); k >= 0 {
		fixed = fixed[:k]
	}
	k := strings.LastIndexByte(fixed, '/') + 1
	if k == 0 {
		return ".", location
	}
	return location[:k], location[k:]
}

// join is the location of an object of a bucket; home undoes it.
func join(at, name string) string {
	location, settings := split(at)
	switch {
	case strings.HasSuffix(location, "/"), location == "":
		return location + name + settings
	case location == ".":
		return name
	}
	return location + "/" + name + settings
}
