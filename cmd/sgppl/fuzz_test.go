package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// FuzzEvent: whatever an engine writes, the displays of progress show it or skip
// it.
func FuzzEvent(f *testing.F) {
	for _, s := range []string{`{"event":"progress","chain":1,"step":5,"steps":10,"warmup":2,"draws":3,"draws_of":5,"seconds":1.5,"steps_per_second":4,"rows_per_second":null,"seconds_left":1e9,"step_size":0.1,"lp_est":-1,"health":[{"block":"x","statistic":"xi","value":1,"verdict":"off"}]}`,
		`{"event":"end","chain":-1}`,
		`{"chain":99,"criterion":{"of":"lp","last":1,"best":null,"best_step":3},"held_out":{"rows":1,"lpd_mean":-2,"accuracy":0.5}}`,
		"{", `{"health":[{"block":"\u001b[2J"}]}`} {
		f.Add([]byte(s))
	}
	c := sampler.DefaultConfig()
	c.Chains = 2
	f.Fuzz(func(t *testing.T, text []byte) {
		v, is := session.EventOf(text)
		if !is {
			return
		}
		var out bytes.Buffer
		e := &session.Session{Stderr: &out, Stdout: &out, Terminal: true, Now: time.Now}
		for _, mode := range []string{"plain", "json", "none"} {
			s := show.NewProgress(e, mode, &run.Record{
				Method: run.Method{Settings: c},
			})
			s.Event(v)
			s.Close()
		}
		for _, columns := range []int{0, 20, 200} {
			show.BarText(&v, columns)
		}
	})
}
