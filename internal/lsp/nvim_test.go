package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the binary of the tests be the server that clients start.
func TestMain(m *testing.M) {
	if os.Getenv("SGPPL_TEST_SERVER") != "" {
		if Serve(os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestNeovim: a real editor shows the diagnostics, hovers, goes to a definition, renames, formats,
// and follows what is typed.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("nvim is not installed: the server is not tested with it")
	}
	dir := t.TempDir()
	model, out := filepath.Join(dir, "m.sg"), filepath.Join(dir, "out.json")
	text := strings.Replace(logistic, "[P] :", "[P]   :", 1) + "let z = 𝛼 + wrong\n"
	if err := os.WriteFile(model, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/nvim.lua")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nvim, "--headless", "--clean", "-c", "luafile "+script)
	cmd.Env = append(os.Environ(), "SGPPL_TEST_SERVER=1", "SERVER="+exe, "MODEL="+model, "OUT="+out,
		"HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir)
	said, err := cmd.CombinedOutput()
	raw, missing := os.ReadFile(out)
	if err != nil || missing != nil {
		t.Fatalf("%v, %v: %s", err, missing, said)
	}
	var got struct {
		Diagnostics []struct {
			Line, Column int
			Code         string
		}
		Hover, Renamed, Formatted string
		Definition                []int
		Left                      int
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if d := got.Diagnostics; len(d) != 2 || d[0].Line != 9 || d[0].Column != 8 ||
		d[0].Code != "E0201" {
		t.Errorf("diagnostics %+v", d)
	}
	if !strings.Contains(got.Hover, "let eta : real[N]") {
		t.Errorf("hover %q", got.Hover)
	}
	if len(got.Definition) != 2 || got.Definition[0] != 8 || got.Definition[1] != 4 {
		t.Errorf("definition at %v", got.Definition)
	}
	if strings.Count(got.Renamed, "slope") != 2 || strings.Contains(got.Renamed, "w[P]") {
		t.Errorf("renamed:\n%s", got.Renamed)
	}
	if got.Left != 0 {
		t.Errorf("%d diagnostics are left after the mistake is mended", got.Left)
	}
	if !strings.Contains(got.Formatted, "param slope[P] : real") {
		t.Errorf("formatted:\n%s", got.Formatted)
	}
}
