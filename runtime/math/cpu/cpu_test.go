package cpu

import "testing"

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name string
		have Level
		want Level
	}{
		{"", AVX2, AVX2}, {"portable", AVX512, Portable}, {"avx2", AVX512, AVX2},
		{"avx512", AVX2, AVX2}, {"avx512", AVX512, AVX512},
		{"avx2", Portable, Portable}, {"sse", AVX2, AVX2},
	} {
		if got := choose(c.name, c.have); got != c.want {
			t.Errorf("choose(%q, %v) = %v, want %v", c.name, c.have, got, c.want)
		}
	}
	if all := Levels(); all[0] != Portable || all[len(all)-1] != Best {
		t.Errorf("Levels() = %v, Best = %v", all, Best)
	}
}
