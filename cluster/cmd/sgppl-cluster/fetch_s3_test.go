//go:build !noclouds

package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// A run in S3 is fetched whole: its draws are those of the run in a directory. A bucket without a
// run and a directory that is there are errors in words.
func TestFetchS3(t *testing.T) {
	back := s3mem.New()
	if err := back.CreateBucket("lake"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(back).Server())
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "us-east-1")
	at := func(name string) string {
		return "s3://lake/" + name + "?endpoint=" + server.URL + "&use_path_style=true"
	}
	dir := t.TempDir()
	rows, model := table(t, dir, 400), filepath.Join(dir, "m.sg")
	text := strings.Replace(regression, "y[n] ~ bernoulli_logit(dot(x[n], w))",
		"y[n] ~ normal(dot(x[n], w), 1)", 1)
	text = strings.Replace(text, "y: bool[N]", "y: real[N]", 1)
	if err := os.WriteFile(model, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	here, cache := filepath.Join(dir, "here"), "--cache="+filepath.Join(dir, "cache")
	for _, out := range []string{here, at("run")} {
		if code, _, said := command(t, nil, "sample", model, "--data", rows, "--shard-size", "5K",
			"--chains", "2", "--draws", "300", cache, "--out", out); code != 0 {
			t.Fatalf("status %d: %s", code, said)
		}
	}
	to := filepath.Join(dir, "to")
	if code, _, said := command(t, nil, "fetch", at("run"), to); code != 0 {
		t.Fatalf("status %d: %s", code, said)
	}
	sameFiles(t, here, to)
	if _, err := os.Stat(filepath.Join(to, "pass")); err == nil {
		t.Error("the passes are fetched too")
	}
	code, copied, said := command(t, nil, "fetch", "--cached", at("run"), cache)
	if code != 0 {
		t.Fatalf("status %d: %s", code, said)
	}
	sameFiles(t, here, strings.TrimSpace(copied))
	for want, args := range map[string][]string{
		"is there already":            {at("run"), to},
		"has no run that is complete": {at("nothing"), filepath.Join(dir, "other")},
		"fetch takes a directory":     {at("run")},
	} {
		if code, _, said := command(t, nil, append([]string{"fetch"}, args...)...); code != exitUsage ||
			!strings.Contains(said, want) {
			t.Errorf("%q: status %d: %s", args, code, said)
		}
	}
}
