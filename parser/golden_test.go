package parser

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A goldenFile is one file of an archive in the txtar form: lines `-- name --`
// with each file's text after its own.
type goldenFile struct{ name, text string }

func readArchive(t testing.TB, path string) (comment string, files []goldenFile) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.SplitAfter(string(text), "\n") {
		name, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		if name, marked := strings.CutSuffix(name, " --"); ok && marked {
			files = append(files, goldenFile{name: name})
		} else if len(files) == 0 {
			comment += line
		} else {
			files[len(files)-1].text += line
		}
	}
	return comment, files
}

func writeArchive(t *testing.T, path, comment string, files []goldenFile) {
	t.Helper()
	var b strings.Builder
	b.WriteString(comment)
	for _, f := range files {
		b.WriteString("-- " + f.name + " --\n" + f.text)
		if !strings.HasSuffix(f.text, "\n") {
			b.WriteByte('\n')
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// golden compares what run makes of every .sg file of an archive with the file
// of the same name and the given ending; with -update it rewrites the archive.
func golden(
	t *testing.T, path, ending string, least int, run func(t *testing.T, name, text string) string,
) {
	t.Helper()
	comment, files := readArchive(t, path)
	want := map[string]string{}
	for _, f := range files {
		want[f.name] = f.text
	}
	var out []goldenFile
	for _, f := range files {
		base, ok := strings.CutSuffix(f.name, ".sg")
		if !ok {
			continue
		}
		got := run(t, f.name, f.text)
		out = append(out, f, goldenFile{base + ending, got})
		if want[base+ending] != got && !*update {
			t.Errorf("%s: want\n%s\ngot\n%s", f.name, want[base+ending], got)
		}
	}
	if len(out)/2 < least {
		t.Errorf("%s has only %d programs", path, len(out)/2)
	}
	if *update {
		writeArchive(t, path, comment, out)
	}
}
