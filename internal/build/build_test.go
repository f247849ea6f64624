package build

import (
	"bytes"
	"encoding/json"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

var info = &debug.BuildInfo{
	GoVersion: "go1.26.1", Main: debug.Module{Path: module, Version: "v0.2.0"},
	Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc123"},
		{Key: "vcs.modified", Value: "true"}, {Key: "vcs.time", Value: "2026-11-23T10:00:00Z"}},
	Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.2.3+incompatible",
			Sum: "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
		{Path: "example.com/old", Version: "v1.0.0",
			Replace: &debug.Module{Path: "example.com/fork", Version: "v1.1.0"}},
	},
}

func TestVersion(t *testing.T) {
	for _, c := range []struct {
		b    *debug.BuildInfo
		want string
	}{
		{info, `^sgppl 0\.1\.0\nmodule v0\.2\.0\ncommit abc123 of 2026-11-23T10:00:00Z, with changes\nbuilt by go1\.26\.1 for \w+/\w+\n$`},
		{nil, `^sgppl 0\.1\.0\nbuilt by go\S+.* for \w+/\w+\n$`},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, `^sgppl 0\.1\.0\nbuilt by go`},
		{&debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}}, `^sgppl 0\.1\.0\nbuilt by go`},
	} {
		if got := Of("0.1.0", c.b).String(); !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%q does not match %s", got, c.want)
		}
	}
}

// TestSBOM holds a bill of materials against what CycloneDX 1.5 demands of its fields: those
// that are required, the forms of references, hashes and times, and that each reference of a
// dependency is to a component.
func TestSBOM(t *testing.T) {
	for _, b := range []*debug.BuildInfo{info, nil} {
		i := Of("0.1.0", b)
		text, err := i.SBOM()
		if err != nil {
			t.Fatal(err)
		}
		Valid(t, text)
		again, _ := i.SBOM()
		if !bytes.Equal(text, again) {
			t.Error("twice the same binary gives two bills")
		}
		if b == nil {
			continue
		}
		for _, want := range []string{"pkg:golang/example.com/a@v1.2.3%2Bincompatible",
			"pkg:golang/example.com/fork@v1.1.0",
			"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
			"pkg:golang/std@1.26.1", `"timestamp": "2026-11-23T10:00:00Z"`} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s is missing in\n%s", want, text)
			}
		}
	}
}

// Valid checks a bill of materials.
func Valid(t *testing.T, text []byte) {
	t.Helper()
	var b bom
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Spec != "1.5" || b.Version < 1 {
		t.Errorf("%+v", b)
	}
	if b.Metadata.Timestamp != "" &&
		!regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`).MatchString(b.Metadata.Timestamp) {
		t.Error(b.Metadata.Timestamp)
	}
	refs := map[string]bool{}
	for _, c := range append([]component{b.Metadata.Component}, b.Components...) {
		if c.Name == "" || c.Ref == "" || refs[c.Ref] ||
			c.Type != "library" && c.Type != "application" {
			t.Errorf("%+v", c)
		}
		if !regexp.MustCompile(`^pkg:golang/[^@\s]+@[^@\s+]+$`).MatchString(c.URL) {
			t.Errorf("%s is no package URL", c.URL)
		}
		for _, h := range c.Hashes {
			if h.Algorithm != "SHA-256" ||
				!regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(h.Content) {
				t.Errorf("%+v", h)
			}
		}
		refs[c.Ref] = true
	}
	for _, d := range b.Dependencies {
		if !refs[d.Ref] {
			t.Errorf("%s is no component", d.Ref)
		}
		for _, on := range d.Depends {
			if !refs[on] {
				t.Errorf("%s is no component", on)
			}
		}
	}
}
