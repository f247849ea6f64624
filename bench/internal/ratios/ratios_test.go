package ratios

import (
	"strings"
	"testing"
)

// TestPage: a page has the rows whose names match, and how they were measured.
func TestPage(t *testing.T) {
	all := []Measurement{
		{Row: Rows[0].Name, CPU: "A", Sides: map[string][]float64{Sgppl: {1, 2, 3}}},
		{Row: Rows[1].Name, CPU: "B", Sides: map[string][]float64{Sgppl: {1}}},
	}
	name := strings.ReplaceAll(Rows[0].Name, " ", ".")
	got, err := page([]byte("<!-- ratios ^"+name+"$ -->\n<!-- end of ratios -->\n"+
		"a\n<!-- ratios -->\nold\n<!-- end of ratios -->\n"), all)
	if err != nil {
		t.Fatal(err)
	}
	one, two, _ := strings.Cut(string(got), "\na\n")
	if strings.Contains(one, "| "+Rows[1].Name) || !strings.Contains(one, "| "+Rows[0].Name) ||
		!strings.Contains(one, "Rounds: 3. Measured by `go run ./bench/table` on A.\n") {
		t.Errorf("got\n%s", one)
	}
	if !strings.Contains(two, "| "+Rows[1].Name) || strings.Contains(two, "old") ||
		!strings.Contains(two, "Rounds: 1 to 3. Measured by `go run ./bench/table` on A and on B.\n") {
		t.Errorf("got\n%s", two)
	}
	if _, err := page([]byte("<!-- ratios nothing -->\n<!-- end of ratios -->\n"), all); err == nil {
		t.Error("a pattern that nothing matches is no error")
	}
}

func TestTable(t *testing.T) {
	row := Rows[0]
	got := Table([]Measurement{{Row: row.Name, Date: "2026-01-02", Commit: "12345678",
		Sides: map[string][]float64{
			Sgppl:     {2e-6, 3e-6, 4e-6},
			C:         {1e-6, 1e-6, 4e-6},
			"NumPy":   {8e-6, 9e-6, 8e-6},
			"PyTorch": {9e-6, 9e-6, 9e-6},
		}}})
	want := "| work | sgppl | C | sgppl / C | target | best peer | peer / sgppl | measured |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n" +
		"| " + row.Name + " | 3,000 ns | 1,000 ns | 2 [1–3] | ≤ 1.3 | NumPy 8,000 ns | " +
		"3 [2–4] | 2026-01-02, 12345678 |\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
