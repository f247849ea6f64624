package build

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// A bom is a bill of materials in the format CycloneDX 1.5, as far as it is used here:
// https://cyclonedx.org/docs/1.5/json/
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	URL        string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref     string   `json:"ref"`
	Depends []string `json:"dependsOn,omitempty"`
}

const module = "github.com/sgppl/sgppl"

// SBOM returns the bill of materials of a binary. The same binary gives the same bytes: it has
// no serial number, and its time is that of the commit.
func (i Info) SBOM() ([]byte, error) {
	main := component{Type: "application", Name: "sgppl", Version: i.Version,
		URL: url(module, "v"+i.Version)}
	main.Ref = main.URL
	main.Properties = []property{{"go:version", i.Go}, {"go:system", i.System}}
	if i.Commit != "" {
		main.Properties = append(main.Properties, property{"vcs:commit", i.Commit})
	}
	out := bom{Schema: "http://cyclonedx.org/schema/bom-1.5.schema.json", Format: "CycloneDX",
		Spec: "1.5", Version: 1,
		Metadata: metadata{i.Time, main}, Components: []component{}}
	of := dependency{Ref: main.Ref}
	deps := append([]Dep{{Path: "std", Version: strings.TrimPrefix(i.Go, "go")}}, i.Deps...)
	for _, d := range deps {
		c := component{Type: "library", Name: d.Path, Version: d.Version,
			URL: url(d.Path, d.Version), Hashes: hashes(d.Sum)}
		c.Ref = c.URL
		out.Components = append(out.Components, c)
		of.Depends = append(of.Depends, c.Ref)
		out.Dependencies = append(out.Dependencies, dependency{Ref: c.Ref})
	}
	out.Dependencies = append([]dependency{of}, out.Dependencies...)
	b, err := json.MarshalIndent(out, "", "  ")
	return append(b, '\n'), err
}

// url is the package URL of a Go module: https://github.com/package-url/purl-spec
func url(path, version string) string {
	escape := strings.NewReplacer("%", "%25", "+", "%2B", "@", "%40", " ", "%20")
	return "pkg:golang/" + escape.Replace(path) + "@" + escape.Replace(version)
}

// hashes has the SHA-256 of a sum of go.sum, which is of the tree of the module's files.
func hashes(sum string) []hash {
	text, is := strings.CutPrefix(sum, "h1:")
	b, err := base64.StdEncoding.DecodeString(text)
	if !is || err != nil || len(b) != 32 {
		return nil
	}
	return []hash{{"SHA-256", hex.EncodeToString(b)}}
}
