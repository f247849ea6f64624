package cpu

import "testing"

func TestChoose(t *testing.T) {
	amd64 := []Level{Portable, AVX2, AVX512}
	arm64 := []Level{Portable, NEON}
	for _, c := range []struct {
		name string
		can  []Level
		want Level
	}{
		{"", amd64[:2], AVX2}, {"portable", amd64, Portable}, {"avx2", amd64, AVX2},
		{"avx512", amd64[:2], AVX2}, {"avx512", amd64, AVX512},
		{"avx2", amd64[:1], Portable}, {"sse", amd64[:2], AVX2}, {"neon", amd64, AVX512},
		{"", arm64, NEON}, {"portable", arm64, Portable}, {"neon", arm64, NEON},
		{"avx2", arm64, NEON},
	} {
		if got := choose(c.name, c.can); got != c.want {
			t.Errorf("choose(%q, %v) = %v, want %v", c.name, c.can, got, c.want)
		}
	}
	if all := Levels(); all[0] != Portable || all[len(all)-1] != Best {
		t.Errorf("Levels() = %v, Best = %v", all, Best)
	}
}
