package stream

import "testing"

// TestUnknownFormat: an index that names no format of rows is damaged.
func TestUnknownFormat(t *testing.T) {
	for _, s := range plans(t) {
		p, err := Unmarshal(s.raw)
		if err != nil {
			t.Fatal(err)
		}
		p.Files[0].Format = "idx"
		raw, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Unmarshal(raw); err == nil {
			t.Error("an index of a format without rows was taken")
		}
	}
}
