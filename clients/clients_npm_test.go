package clients

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/playground"
)

// TestNpm packs the npm package, installs the file in an empty project without network, and
// runs its tests there: draws have the bytes of the command.
func TestNpm(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	e, err := playground.Build(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	files, err := e.Package(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	source, project := filepath.Join(work, "package"), filepath.Join(work, "project")
	for _, dir := range []string{source, project} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		save(t, filepath.Join(source, name), text)
	}
	pack := exec.Command(npm, "pack", source)
	pack.Dir = work
	do(t, pack)
	packed := filepath.Join(work, "sgppl-"+sgppl.Version+".tgz")
	info, err := os.Stat(packed)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes; the engine %d, packed %d", filepath.Base(packed), info.Size(),
		len(e.Wasm), len(files["engine.wasm.gz"]))
	said := regexp.MustCompile(`The file has (\d+\.\d) MB`).FindSubmatch(files["README.md"])
	if said == nil {
		t.Fatal("README.md does not say how large the file is")
	}
	if mb, err := strconv.ParseFloat(string(said[1]), 64); err != nil ||
		math.Abs(float64(info.Size())/1e6-mb) > 0.3 {
		t.Errorf("README.md says %s MB, and the file has %d bytes", said[1], info.Size())
	}
	save(t, filepath.Join(project, "package.json"), []byte(`{"private": true, "type": "module"}`))
	install := exec.Command(npm, "install", "--offline", "--ignore-scripts", "--no-audit",
		"--no-fund", packed)
	install.Dir = project
	do(t, install)
	for name := range files {
		if _, err := os.Stat(filepath.Join(project, "node_modules", "sgppl", name)); err != nil {
			t.Errorf("the file of the package lacks %s", name)
		}
	}
	text, err := os.ReadFile(filepath.Join("js", "test", "engine.test.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	save(t, filepath.Join(project, "engine.test.mjs"), text)
	tests := exec.Command(node, "--test", "engine.test.mjs")
	tests.Dir = project
	tests.Env = append(os.Environ(), "SGPPL="+command(t),
		"SGPPL_SCHOOLS="+filepath.Join(root, "examples", "models", "eight_schools.sg"))
	do(t, tests)
}

func save(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
