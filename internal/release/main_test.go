package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestManifests: the manifests have the archive and the check sum of every system of a
// release, and a release that lacks one has no manifests.
func TestManifests(t *testing.T) {
	dir := t.TempDir()
	checksums := filepath.Join(dir, "checksums.txt")
	var lines []string
	for i, target := range targets {
		ending := map[bool]string{true: "zip", false: "tar.gz"}[target.system == "windows"]
		lines = append(lines, fmt.Sprintf("%064x  sgppl_9.8.7_%s_%s.%s", i+1, target.system,
			target.cpu, ending))
	}
	write := func(lines []string) {
		t.Helper()
		if err := os.WriteFile(checksums, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(lines)
	out := filepath.Join(dir, "out")
	if err := run([]string{"manifests", "9.8.7", checksums, out}, "../../packaging"); err != nil {
		t.Fatal(err)
	}
	brew, err := os.ReadFile(filepath.Join(out, "sgppl.rb"))
	if err != nil {
		t.Fatal(err)
	}
	scoop, err := os.ReadFile(filepath.Join(out, "sgppl.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Version      string
		Architecture map[string]struct{ URL, Hash string }
		Bin          []string
	}
	if err := json.Unmarshal(scoop, &s); err != nil {
		t.Fatalf("%v\n%s", err, scoop)
	}
	for i, target := range targets {
		sum, name := fmt.Sprintf("%064x", i+1), "_"+target.system+"_"+target.cpu+"."
		if target.scoop != "" {
			if a := s.Architecture[target.scoop]; a.Hash != sum || !strings.Contains(a.URL, name) {
				t.Errorf("%+v", a)
			}
			continue
		}
		block := regexp.MustCompile(`on_` + target.block + ` do\s+on_` + target.brew +
			` do\s+url "\S+` + regexp.QuoteMeta(name) + `tar\.gz"\s+sha256 "` + sum + `"`)
		if !block.Match(brew) {
			t.Errorf("%s %s is not in\n%s", target.system, target.cpu, brew)
		}
	}
	if strings.Count(string(brew), " do\n") != strings.Count(string(brew), "\n  end")+
		strings.Count(string(brew), "\n    end")-1 {
		t.Errorf("blocks do not end:\n%s", brew)
	}
	write(lines[1:])
	if err := run([]string{"manifests", "9.8.7", checksums, out}, "../../packaging"); err == nil ||
		!strings.Contains(err.Error(), "darwin_amd64") {
		t.Errorf("a release that lacks an archive: %v", err)
	}
}

// TestSBOMOfFile: the bill of materials of a binary names what that was built for.
func TestSBOMOfFile(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "b.json")
	if err := run([]string{"sbom", self, file}, ""); err != nil {
		t.Fatal(err)
	}
	var b struct {
		BomFormat string
		Metadata  struct {
			Component struct {
				Properties []struct{ Name, Value string }
			}
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &b) != nil || b.BomFormat != "CycloneDX" {
		t.Fatalf("%v %s", err, text)
	}
	if p := b.Metadata.Component.Properties; len(p) < 2 || !strings.Contains(p[1].Value, "/") ||
		strings.HasPrefix(p[1].Value, "/") {
		t.Errorf("%+v", p)
	}
	if err := run([]string{"sbom", "main_test.go", file}, ""); err == nil {
		t.Error("a file that is no binary has a bill")
	}
	if err := run(nil, ""); err == nil {
		t.Error("nothing was asked for")
	}
}

// TestTargets: releases are for the systems that .ci/run vets and builds, and goreleaser
// builds the same ones; all that its configuration names is there.
func TestTargets(t *testing.T) {
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list := func(key string) []string {
		m := regexp.MustCompile(key + `: \[([^\]]*)\]`).FindSubmatch(config)
		if m == nil {
			t.Fatalf("no %s", key)
		}
		return strings.Split(strings.ReplaceAll(string(m[1]), " ", ""), ",")
	}
	var built []string
	for _, system := range list("goos") {
		for _, cpu := range list("goarch") {
			built = append(built, system+"/"+cpu)
			if system+"/"+cpu != "linux/amd64" &&
				!strings.Contains(string(ci), " "+system+"/"+cpu) {
				t.Errorf(".ci/run does not build %s/%s", system, cpu)
			}
		}
	}
	for _, target := range targets {
		if !slices.Contains(built, target.system+"/"+target.cpu) {
			t.Errorf("goreleaser does not build %s/%s", target.system, target.cpu)
		}
	}
	if len(built) != len(targets) {
		t.Errorf("goreleaser builds %v", built)
	}
	for _, path := range []string{"LICENSE", "README.md", "CHANGELOG.md", "cmd/sgppl",
		"internal/release"} {
		if _, err := os.Stat(filepath.Join("../..", path)); err != nil ||
			!strings.Contains(string(config), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	docker, err := os.ReadFile("../../packaging/Dockerfile")
	if err != nil || !strings.Contains(string(docker), "\nFROM scratch\n") ||
		!strings.Contains(string(docker), "CGO_ENABLED=0") {
		t.Error("the image has more than the program", err)
	}
}
