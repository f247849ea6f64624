package trace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// greek is a store whose names and texts are not ASCII.
func greek(t *testing.T) *Store {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "draws.zarr"), []Variable{
		{Group: "posterior", Name: "β", Doc: "‖v‖²/d, \"𝛽\" & <mean>", Dims: []string{"Größe"},
			Shape: []int{2}},
		{Group: "sample_stats", Name: "𝜉", Doc: "Тепло\n"},
	}, 1, 3, 0, map[string]any{"model": "modèle"})
	if err != nil {
		t.Fatal(err)
	}
	a := appender(t, s, 0, 0)
	for d := range 3 {
		if err := a.Append([][]float64{{float64(d), -1}, {0.5}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// Readers of Zarr that take ASCII alone can read what is written here.
func TestMetadataIsASCII(t *testing.T) {
	s := greek(t)
	files := 0
	err := filepath.WalkDir(s.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), ".z") {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		for i, c := range b {
			if c >= 0x80 {
				t.Errorf("%s: byte %d is %#x", path, i, c)
				break
			}
		}
		return err
	})
	if err != nil || files != 21 {
		t.Errorf("%d files of metadata: %v", files, err)
	}
	back, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	v, ok := back.Lookup("posterior", "β")
	if !ok || v.Doc != "‖v‖²/d, \"𝛽\" & <mean>" || v.Dims[0] != "Größe" ||
		back.Attrs()["model"] != "modèle" {
		t.Errorf("read back: %+v, %v", v, back.Attrs())
	}
	a, err := back.Read("sample_stats", "𝜉")
	if err != nil || a.Doc != "Тепло\n" || len(a.Data) != 3 || a.Data[2] != 0.5 {
		t.Errorf("%+v %v", a, err)
	}
}
