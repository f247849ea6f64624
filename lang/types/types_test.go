package types

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/math/size"
	"pgregory.net/rapid"
)

func shapeOf(names ...string) (s Shape) {
	for _, n := range names {
		s = append(s, size.Dim(n))
	}
	return s
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		small, large Shape
		ways         int
		at           []int
	}{
		{shapeOf(), shapeOf(), 1, nil},
		{shapeOf(), shapeOf("N", "P"), 1, nil},
		{shapeOf("P"), shapeOf("N", "P"), 1, []int{1}},
		{shapeOf("H"), shapeOf("H", "H"), 2, nil},
		{shapeOf("H", "H"), shapeOf("H", "H"), 1, []int{0, 1}},
		{shapeOf("N", "P"), shapeOf("P", "N"), 0, nil},
		{shapeOf("A", "C"), shapeOf("A", "B", "C", "D"), 1, []int{0, 2}},
		{shapeOf("A", "B"), shapeOf("A", "B", "B"), 2, nil},
		{shapeOf("N", "P"), shapeOf("P"), 0, nil},
	} {
		at, ways := Fit(c.small, c.large)
		if ways != c.ways || len(at) != len(c.at) {
			t.Errorf("%s in %s: %d ways at %v, want %d at %v", c.small, c.large, ways,
				at, c.ways, c.at)
			continue
		}
		for i := range at {
			if at[i] != c.at[i] {
				t.Errorf("%s in %s at %v, want %v", c.small, c.large, at, c.at)
			}
		}
	}
}

// TestFitCounts compares with a search over every way to strike sizes out.
func TestFitCounts(t *testing.T) {
	draw := rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", "C"}), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		small, large := shapeOf(draw.Draw(t, "small")...), shapeOf(draw.Draw(t, "large")...)
		want := 0
		for mask := range 1 << len(large) {
			var kept Shape
			for i, p := range large {
				if mask>>i&1 == 1 {
					kept = append(kept, p)
				}
			}
			if kept.Equal(small) {
				want++
			}
		}
		at, ways := Fit(small, large)
		if ways != min(want, 2) {
			t.Fatalf("%s in %s: %d ways, want %d", small, large, ways, want)
		}
		for i, j := range at {
			if !small[i].Equal(large[j]) || i > 0 && at[i-1] >= j {
				t.Fatalf("%s in %s at %v", small, large, at)
			}
		}
	})
}

func TestKinds(t *testing.T) {
	for k, info := range Kinds {
		if info.Name == "" {
			continue
		}
		if got, ok := KindNamed(info.Name); !ok || got != Kind(k) {
			t.Errorf("KindNamed(%s) = %v", info.Name, got)
		}
		if info.Doc == "" || info.Entry == Invalid {
			t.Errorf("%s lacks its doc or entry", info.Name)
		}
		if info.Own > 0 && info.Sizes < 1 {
			t.Errorf("%s has axes of its own and no size", info.Name)
		}
		if e := Kinds[info.Entry]; e.Own > 0 {
			t.Errorf("an entry of %s is no number", info.Name)
		}
	}
	for _, name := range []string{"", "tuple", "Real"} {
		if _, ok := KindNamed(name); ok {
			t.Errorf("%q is no type", name)
		}
	}
}

func TestSubst(t *testing.T) {
	n, k := size.Dim("N"), size.Dim("K")
	by := map[string]Size{"N": k, "K": n.Add(size.Const(1))}
	got := SubstSize(n.Mul(k).Add(size.Const(2)), by)
	want := k.Mul(n.Add(size.Const(1))).Add(size.Const(2))
	if !got.Equal(want) {
		t.Errorf("got %s, want %s: all at once", got, want)
	}
	if d, i := SplitRagged(Ragged("T", "s")); d != "T" || i != "s" {
		t.Errorf("T(s) splits into %s and %s", d, i)
	}
}
