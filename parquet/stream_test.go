package parquet

import (
	"errors"
	"os"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/stream"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// TestRows: of the columns those are stored that inputs take; what is wrong with
// others does not matter, and what is wrong with these leaves nothing behind.
func TestRows(t *testing.T) {
	t.Chdir(t.TempDir())
	list, _ := rows(300)
	list[250].Text = "twelve"
	if err := os.WriteFile("x.parquet", fileOf(t, list, 120), 0o666); err != nil {
		t.Fatal(err)
	}
	make := func(specs ...string) (*stream.Plan, []*data.Error) {
		n, p := size.Dim("N"), size.Dim("P")
		s := &data.Schema{Dims: []data.Dim{{Name: "N"}, {Name: "P"}},
			Inputs: []data.Input{{Name: "x", Kind: data.Real, Shape: []size.Poly{n, p}},
				{Name: "y", Kind: data.Real, Shape: []size.Poly{n}}}}
		b, errs := data.NewRowBinder(s, specs, "N", formats.Probe)
		if errs != nil {
			return nil, errs
		}
		plan, _, errs := stream.Make(s, b, "N", stream.Options{Block: 40, Spool: "rows"})
		return plan, errs
	}
	plan, errs := make("x=x.parquet", "y=x.parquet:x.1")
	if errs != nil {
		t.Fatal(errs)
	}
	if info, err := os.Stat("rows/0.text"); err != nil || info.Size() != 300*2*8 ||
		plan.Dims["P"] != 2 {
		t.Errorf("stored are %v, %v", info, err)
	}
	if whole, _ := os.ReadFile("x.parquet"); plan.Files[0].Print.Bytes != int64(len(whole)) {
		t.Error("the fingerprint is not of the file")
	}
	plan.Unstore()
	for spec, code := range map[string]string{"y=x.parquet:text": "D0106",
		"y=x.parquet:list": "D0162", "y=x.parquet:none": "D0111"} {
		if _, errs := make("x=x.parquet", spec); len(errs) == 0 || errs[0].Code != code {
			t.Errorf("%s: %v", spec, errs)
		}
		if _, err := os.Stat("rows"); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%s: something is left", spec)
		}
	}
}
