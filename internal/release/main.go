// Command release writes the files that a release has in addition to its binaries: bills of
// materials, and manifests of package managers. See packaging/README.md.
//
//	go run ./internal/release sbom BINARY FILE
//	go run ./internal/release manifests VERSION CHECKSUMS DIR
package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/build"
)

func main() {
	if err := run(os.Args[1:], "packaging"); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run does what the arguments say, with the templates of a directory.
func run(args []string, templates string) error {
	switch {
	case len(args) == 3 && args[0] == "sbom":
		return sbom(args[1], args[2])
	case len(args) == 4 && args[0] == "manifests":
		return manifests(templates, args[1], args[2], args[3])
	}
	return errors.New("sbom BINARY FILE, or manifests VERSION CHECKSUMS DIR")
}

// sbom writes the bill of materials of a binary.
func sbom(binary, file string) error {
	b, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	i := build.Of(sgppl.Version, b)
	system := map[string]string{}
	for _, s := range b.Settings {
		system[s.Key] = s.Value
	}
	i.System = system["GOOS"] + "/" + system["GOARCH"]
	text, err := i.SBOM()
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// An archive is a file of a release.
type archive struct {
	URL, Sum   string
	Block, CPU string // as Homebrew has them
	Scoop      string // as Scoop has it
}

// targets are the systems of releases, each with its names in the manifests.
var targets = []struct{ system, cpu, block, brew, scoop string }{
	{"darwin", "amd64", "macos", "intel", ""}, {"darwin", "arm64", "macos", "arm", ""},
	{"linux", "amd64", "linux", "intel", ""}, {"linux", "arm64", "linux", "arm", ""},
	{"windows", "amd64", "", "", "64bit"}, {"windows", "arm64", "", "", "arm64"},
}

// manifests fills the templates with the check sums of a release, each of which must be there.
func manifests(templates, version, checksums, dir string) error {
	text, err := os.ReadFile(checksums)
	if err != nil {
		return err
	}
	sums := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if f := strings.Fields(line); len(f) == 2 && len(f[0]) == 64 {
			sums[strings.TrimPrefix(f[1], "*")] = f[0]
		}
	}
	var of struct {
		Version       string
		Unix, Windows []archive
	}
	of.Version = version
	for _, t := range targets {
		name := fmt.Sprintf("sgppl_%s_%s_%s.tar.gz", version, t.system, t.cpu)
		if t.scoop != "" {
			name = strings.TrimSuffix(name, ".tar.gz") + ".zip"
		}
		if sums[name] == "" {
			return fmt.Errorf("%s has no check sum of %s", checksums, name)
		}
		a := archive{"https://github.com/sgppl/sgppl/releases/download/v" + version + "/" + name,
			sums[name], t.block, t.brew, t.scoop}
		if t.scoop != "" {
			of.Windows = append(of.Windows, a)
		} else {
			of.Unix = append(of.Unix, a)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for file, to := range map[string]string{"homebrew.rb.tmpl": "sgppl.rb",
		"scoop.json.tmpl": "sgppl.json"} {
		t, err := template.ParseFiles(filepath.Join(templates, file))
		if err != nil {
			return err
		}
		var b strings.Builder
		if err := t.Execute(&b, of); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, to), []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
