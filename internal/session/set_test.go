package session

import (
	"maps"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
)

const setModel = `dim N, K = 3
const scale = 2
data y[N] : real
param mu[K] : real ~ normal(0, scale)
for n in N { y[n] ~ normal(mu[0], 1) }
`

// TestSet: of --set a compilation takes the numbers; sizes are whole, and names are those of
// consts and dims.
func TestSet(t *testing.T) {
	set := Numbers([]string{"K=4", " scale = 2.5 ", "y=file", "novalue"})
	if !maps.Equal(set, SetMap{"K": 4, "scale": 2.5}) {
		t.Errorf("%v", set)
	}
	src := source.New("m.sg", setModel)
	_, m := driver.Check(src, driver.Options{})
	if err := set.Known(m); err != nil {
		t.Error(err)
	}
	for name, says := range map[string]string{"scal": "did you mean scale?",
		"mu": "no const or dim"} {
		if err := (SetMap{name: 1}).Known(m); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		set SetMap
		ok  bool
	}{
		{SetMap{"K": 0}, true}, {SetMap{"K": 2.5}, false}, {SetMap{"K": -1}, false},
		{SetMap{"scale": 2.5}, true}, {SetMap{"scale": -1, "N": 1e300}, false},
	} {
		if err := c.set.Sizes(src); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.set, err)
		}
	}
	if err := ConstsStay(m, []string{"K=4"}); err != nil {
		t.Error(err)
	}
	if err := ConstsStay(m, []string{"scale =1"}); err == nil {
		t.Error("a const may change")
	}
}

// TestMemorySize: units are powers of 1024, whatever their case; what is not a size of at least
// a mebibyte is refused.
func TestMemorySize(t *testing.T) {
	for text, want := range map[string]int64{
		"500M": 500 << 20, "2G": 2 << 30, "1.5GiB": 3 << 29, "2gb": 2 << 30, "1T": 1 << 40,
		"4194304": 4 << 20,
	} {
		if n, err := MemorySize(text); n != want || err != nil {
			t.Errorf("%s is %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"lots", "-1G", "1K", "NaN", "1e99", "5%", ""} {
		if n, err := MemorySize(text); err == nil {
			t.Errorf("%q is %d", text, n)
		}
	}
}
