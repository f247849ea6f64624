package ratios

import "testing"

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
