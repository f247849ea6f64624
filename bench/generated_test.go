package bench

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

// The models and their generated packages below internal.
const (
	sparseModel, sparsePackage   = "../examples/models/logistic.sg", "logistic"
	denseModel, densePackage     = "models/logistic_dense.sg", "logisticdense"
	schoolsModel, schoolsPackage = "../examples/models/eight_schools.sg", "eightschools"
	radonModel, radonPackage     = "models/radon.sg", "radon"
	networkModel, networkPackage = "models/network.sg", "network"
	pixelsModel, pixelsPackage   = "models/network_sparse.sg", "networksparse"
	lenetModel, lenetPackage     = "models/lenet.sg", "lenet"
	gruModel, gruPackage         = "models/gru.sg", "gru"
	topicsModel, topicsPackage   = "models/topics.sg", "topics"
	samModel, samPackage         = "models/sam.sg", "sam"
)

// single ends the names of packages in single precision.
const single = "32"

var update = flag.Bool("update", false, "write the generated packages anew")

func compile(t testing.TB, path string) *driver.Compiled {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, diags := driver.Compile(source.New(path, string(text)), driver.Options{Sampled: true})
	if diags.Errors() {
		t.Fatal(diags)
	}
	return c
}

// The packages that are measured are those that the compiler makes now:
//
//	go test ./bench -run Fresh -update
func TestFresh(t *testing.T) {
	for _, m := range [][2]string{
		{sparseModel, sparsePackage}, {denseModel, densePackage}, {schoolsModel, schoolsPackage},
		{radonModel, radonPackage},
		{sparseModel, sparsePackage + single},
		{networkModel, networkPackage}, {networkModel, networkPackage + single},
		{pixelsModel, pixelsPackage}, {pixelsModel, pixelsPackage + single},
		{lenetModel, lenetPackage}, {lenetModel, lenetPackage + single},
		{gruModel, gruPackage}, {gruModel, gruPackage + single},
		{topicsModel, topicsPackage},
		{samModel, samPackage},
	} {
		c := compile(t, m[0])
		if strings.HasSuffix(m[1], single) {
			if err := c.ToSingle(); err != nil {
				t.Fatal(err)
			}
		}
		files, err := codegen.Generate(codegen.Input{Spec: c.Spec, Programs: c.Programs,
			Package: m[1]})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join("internal", m[1])
		have, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range have {
			if files[filepath.Base(path)] != nil {
				continue
			}
			if !*update {
				t.Errorf("%s is no longer generated: go test ./bench -run Fresh -update", path)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range files {
			path := filepath.Join(dir, name)
			if *update {
				if err := os.WriteFile(path, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, text) {
				t.Errorf("%s is not what the compiler makes of %s: go test ./bench -run Fresh -update", path,
					m[0])
			}
		}
	}
}
