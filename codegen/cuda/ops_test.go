package cuda

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/ir"
)

// checkOps computes ops at all pairs of points by a program that g++ makes of their texts.
func checkOps(t *testing.T, names []string, points []float64) {
	t.Helper()
	gxx, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("g++, which compiles the kernels for a processor, is not installed")
	}
	header, err := filepath.Abs("testdata/emulate.h")
	if err != nil {
		t.Fatal(err)
	}
	var body strings.Builder
	for _, number := range []string{"double", "float"} {
		for _, name := range names {
			fmt.Fprintf(&body, "  for (double p : points) for (double q : points) {\n"+
				"    %[1]s x = p, y = q, z = 7;\n    printf(\"%%.17g\\n\", (double)(%[1]s)(%[2]s));\n  }\n",
				number, printed(name, "x", "y", "z"))
		}
	}
	var list []string
	for _, p := range points {
		list = append(list, strconv.FormatFloat(p, 'g', -1, 64))
	}
	dir := t.TempDir()
	text := fmt.Sprintf("#include %q\n%s\nint main() {\n  double points[] = {%s};\n%s}\n", header,
		prelude, strings.Join(list, ", "), body.String())
	file := filepath.Join(dir, "ops.cpp")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "ops")
	if out, err := exec.Command(gxx, "-std=c++17", "-O1", "-w", "-U_FORTIFY_SOURCE", "-o", program,
		file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, cut(string(out)))
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	for _, near := range []float64{1e-13, 2e-6} {
		for _, name := range names {
			op, _ := ir.Lookup(name)
			for _, p := range points {
				for _, q := range points {
					got, err := strconv.ParseFloat(strings.ReplaceAll(lines[0], "-nan", "nan"), 64)
					if err != nil {
						t.Fatal(err)
					}
					lines = lines[1:]
					x := [3]float64{p, q, 7}
					if near > 1e-10 { // the arguments are rounded
						x = [3]float64{float64(float32(p)), float64(float32(q)), 7}
					}
					want := op.Eval(x)
					if !agrees(got, want, near) {
						t.Errorf("%s of %v and %v is %v, want %v", name, p, q, got, want)
					}
				}
			}
		}
	}
}

// printed is the text of an op, of as many arguments as it has.
func printed(name string, args ...any) string {
	op, _ := ir.Lookup(name)
	return fmt.Sprintf(ops[name], args[:op.Arity]...)
}

// agrees compares numbers, infinities and NaN.
func agrees(got, want, near float64) bool {
	switch {
	case want != want || math.IsInf(want, 0):
		return got != got && want != want || got == want || near > 1e-10 && math.IsInf(want, 0) &&
			math.Abs(got) > 1e30
	case near > 1e-10 && math.Abs(want) > math.MaxFloat32:
		return math.IsInf(got, 0)
	}
	return math.Abs(got-want) <= near*(1+math.Abs(want))
}
