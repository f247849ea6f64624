package native

import "testing"

// FuzzAnswer: a line of any bytes is an answer whose states are equally long, or
// an error.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{`{"kept":{"states":[[1,2],[3,4]],"iterations":5,"ess":2.5}}`,
		`{"error":"it failed"}`, `{}`, `null`, `{"kept":{"states":[[1],[]]}}`, "{\"kept\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		kept, err := answer(line)
		if (kept == nil) == (err == nil) || err != nil && err.Error() == "" {
			t.Fatalf("%v, %v", kept, err)
		}
		if kept == nil {
			return
		}
		for _, x := range kept.States {
			if len(x) != len(kept.States[0]) {
				t.Fatal("states of different lengths")
			}
		}
	})
}
