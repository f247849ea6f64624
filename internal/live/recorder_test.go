package live

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// A played run gives the events that a sampler would: chains of independent draws of three
// numbers, of which the second has another mean in the last chain.
type played struct {
	*Recorder
	chains int
	draws  []int64
	source *rand.Rand
	shift  float64
}

func play(chains int, shift float64) *played {
	numbers := []run.Number{{Array: "a", Name: "a"}, {Array: "w", Name: "w[0]"},
		{Array: "w", Element: 1, Name: "w[1]"}}
	head := Head{Run: "runs/m-1", Model: "m", Method: "nuts", Stop: true, ID: "ID"}
	return &played{Recorder: NewRecorder(head, chains, numbers, 10), chains: chains,
		draws: make([]int64, chains), source: rand.New(rand.NewPCG(1, 2)), shift: shift}
}

// draw has a chain take so many draws of 1000, each after 10 steps, and tells every k-th.
func (p *played) draw(chain int, n, k int64) {
	d := &run.Drawn{Every: k}
	for range n {
		if i := p.draws[chain]; i%k == 0 {
			d.Draws = append(d.Draws, i)
			w := p.source.NormFloat64()
			if chain == p.chains-1 {
				w += p.shift
			}
			d.Values = append(d.Values, p.source.NormFloat64(), w, p.source.NormFloat64())
		}
		p.draws[chain]++
	}
	at := p.draws[chain]
	e := run.Event{Event: "progress", Chain: chain, Step: 500 + 10*at, Steps: 10500, Warmup: 500,
		Draws: at, Of: 1000, Seconds: float64(at) / 100, StepsRate: 1000, RowsRate: 1e5,
		Left: run.Float(10 - float64(at)/100), StepSize: 0.1,
		LogDensity: run.Float(-100 + p.source.Float64()),
		Drawn:      d, HeldOut: &run.HeldOutEvent{Draws: at, LPDMean: run.Float(-1 - 1/float64(at))},
		Health: []run.Health{{Block: "w", Statistic: "xi_variance", Value: 1, Expected: 1,
			MCSE: 0.1, Verdict: "ok"}}}
	if at >= 1000 {
		e.Event = "end"
	}
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	var back run.Event
	if err := json.Unmarshal(b, &back); err != nil {
		panic(err)
	}
	p.Event(back)
}

func (p *played) all(n, k int64) {
	for c := range p.chains {
		p.draw(c, n, k)
	}
}

// view is the view now, judged anew.
func (p *played) view(t *testing.T) *View {
	t.Helper()
	p.judge.next = time.Time{}
	v := p.View()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), `":null,"`) && strings.Contains(string(b), `"charts":null`) {
		t.Errorf("a list is null: %s", b)
	}
	back := &View{}
	if err := json.Unmarshal(b, back); err != nil {
		t.Fatal(err)
	}
	return back
}

// TestRecorder: a run that goes well, from its set-up to its end.
func TestRecorder(t *testing.T) {
	p := play(4, 0)
	if v := p.view(t); v.State != SettingUp || v.Share != 0 || !v.Stop || len(v.Chains) != 4 {
		t.Errorf("at first: %+v", v)
	}
	p.Event(run.Event{Event: "phase", Text: "set-up: pilot", Seconds: 3})
	p.Event(run.Event{Event: "note", Text: "sampler auto"})
	if v := p.view(t); v.Words != "set-up: pilot (3s)" || v.Notes[0] != "sampler auto" {
		t.Errorf("in the set-up: %+v", v)
	}
	p.all(20, 1)
	v := p.view(t)
	if v.State != Running || v.Verdict != "early" || !strings.Contains(v.Sentence, "there are 20") {
		t.Errorf("early: %q %q", v.Verdict, v.Sentence)
	}
	if v.StepsRate != 4000 || v.RowsRate != 4e5 || math.Abs(float64(v.Left)-9.8) > 1e-6 ||
		v.Draws != 80 ||
		v.Of != 4000 || math.Abs(float64(v.Share)-700./10500) > 1e-9 {
		t.Errorf("progress: %+v", v.Progress)
	}
	p.all(480, 1)
	v = p.view(t)
	if v.Verdict != "ok" || !strings.HasPrefix(v.Sentence, "ok so far: none of ") {
		t.Errorf("%q %q", v.Verdict, v.Sentence)
	}
	if v.From != "R-hat and effective sizes are of 250 draws of each chain, evenly spread over "+
		"the 499 so far, and of 3 of 10 numbers" {
		t.Error(v.From)
	}
	var kinds []string
	for _, c := range v.Charts {
		kinds = append(kinds, c.Kind)
		if len(c.Lines) != 4 {
			t.Errorf("%s has %d lines", c.Title, len(c.Lines))
		}
	}
	if fmt.Sprint(kinds) != "[trace trace trace held_out lp]" {
		t.Error(kinds)
	}
	for _, h := range v.Health {
		if strings.HasPrefix(h.Statistic, "ess") != h.AtLeast {
			t.Errorf("%+v", h)
		}
	}
	p.all(500, 1)
	if v := p.view(t); v.Stop || !strings.HasPrefix(v.Words, "all chains are complete") {
		t.Errorf("complete: %+v", v.Head)
	}
	end := p.End(Ended{State: Done, Words: "all draws are stored", Judgement: JudgementOf(
		&run.Record{Outcome: run.Outcome{Health: []run.Health{{Block: "a", Statistic: "rhat",
			Value: 1.2, Verdict: "off"}}}}, "off: these are not draws")})
	if end.State != Done || end.Verdict != "off" || len(end.Health) != 1 || end.Stop ||
		end.Left != 0 || len(end.Charts) != 5 {
		t.Errorf("the end: %+v", end)
	}
	if v := p.view(t); v.State != Done || v.Words != "all draws are stored" {
		t.Errorf("after the end: %+v", v.Head)
	}
}

// TestDisagreement: a chain that is elsewhere is seen, named first, and called off; one that is
// far behind the others is left out of R-hat, and that is said.
func TestDisagreement(t *testing.T) {
	p := play(4, 3)
	p.all(300, 1)
	v := p.view(t)
	if v.Verdict != "off" || !strings.Contains(v.Sentence, "rhat of w[0]") ||
		v.Charts[0].Title != "w[0]" || !strings.Contains(v.Charts[0].Caption, "R-hat 1.") {
		t.Errorf("%q, first %s (%s)", v.Sentence, v.Charts[0].Title, v.Charts[0].Caption)
	}
	for c := range 3 {
		p.draw(c, 400, 1)
	}
	v = p.view(t)
	if v.Verdict != "ok" || !strings.Contains(v.From, "3 of 4 chains") {
		t.Errorf("%q %q", v.Sentence, v.From)
	}
	if n := len(v.Charts[0].Lines); n != 4 {
		t.Errorf("%d of 4 chains are shown", n)
	}
}

// TestBeginsAnew: draws that a run drops, as after an attempt that was off or at a resumed
// checkpoint, are dropped here too.
func TestBeginsAnew(t *testing.T) {
	p := play(2, 0)
	p.all(200, 1)
	for c := range p.draws {
		p.draws[c] = 0
	}
	p.all(60, 1)
	if v := p.view(t); !strings.Contains(v.From, "60 draws of each chain") ||
		len(v.Charts[0].Lines[1].X) != 60 {
		t.Errorf("%s: %d draws", v.From, len(v.Charts[0].Lines[1].X))
	}
	p.draws[0] = 40 // a checkpoint
	p.draw(0, 30, 1)
	if l := p.view(t).Charts[0].Lines[0]; len(l.X) != 70 || l.X[69] != 69 {
		t.Errorf("%v", l.X)
	}
}

// TestBounded: whatever the run does, a view stays small.
func TestBounded(t *testing.T) {
	p := play(16, 0)
	for range 100 {
		p.all(1000, 1)
	}
	for range 100 {
		p.Event(run.Event{Event: "note", Text: "again"})
	}
	v := p.view(t)
	b, _ := json.Marshal(v)
	if len(b) > 1<<20 || len(v.Notes) != mostNotes {
		t.Errorf("%d bytes, %d notes", len(b), len(v.Notes))
	}
	p.Event(run.Event{Event: "progress", Chain: 16})
	p.Event(run.Event{Event: "progress", Chain: -1})
	p.Event(run.Event{Event: "progress", Chain: 1, Drawn: &run.Drawn{Draws: []int64{1}}})
}

// TestUneven: chains that tell other draws, at other strides, have R-hat of those that all told.
func TestUneven(t *testing.T) {
	p := play(3, 0)
	p.draw(0, 300, 1)
	p.draw(1, 10, 1)
	p.draw(1, 290, 4)
	p.draw(2, 300, 2)
	if v := p.view(t); !strings.Contains(v.From,
		"75 draws of each chain, evenly spread over the 297") {
		t.Error(v.From)
	}
}

// TestMistake: a mistake of the display ends the display and not the run.
func TestMistake(t *testing.T) {
	s := serve(t, nil)
	w := Begin(t.Context(), &Recorder{numbers: make([]run.Number, 1)}, s, nil, nil)
	w.Recorder.chains = append(w.Recorder.chains, nil)
	w.group.Wait() // the mistake ends what shows the run
	if err := w.End(nil, Ended{}); err == nil {
		t.Error("no mistake")
	}
	w.Event(run.Event{Event: "note"}) // does not wait for ever
}

func BenchmarkView(b *testing.B) {
	p := play(4, 0)
	p.all(1000, 1)
	for b.Loop() {
		v := p.View()
		if _, err := json.Marshal(v); err != nil {
			b.Fatal(err)
		}
	}
}
