package format

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"strings"
	"testing"
)

// TestByName: a map comes back from gob as it was, a nil one as an empty one, and two
// of the same entries are the same bytes.
func TestByName(t *testing.T) {
	for _, want := range []ByName[[]string]{{}, {"": nil, "a": {"x", ""}, "b\xff": {"y"}}} {
		raw, err := want.GobEncode()
		again, _ := want.GobEncode()
		if err != nil || !bytes.Equal(raw, again) {
			t.Fatal(err)
		}
		var got ByName[[]string]
		if err := got.GobDecode(raw); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v became %v, %v", want, got, err)
		}
	}
	var uneven bytes.Buffer
	if err := gob.NewEncoder(&uneven).Encode(lists[int]{Names: []string{"a", "b"},
		Values: []int{1}}); err != nil {
		t.Fatal(err)
	}
	var got ByName[int]
	if err := got.GobDecode(uneven.Bytes()); err == nil ||
		!strings.Contains(err.Error(), "other numbers") {
		t.Errorf("two names and a value became %v, %v", got, err)
	}
}
