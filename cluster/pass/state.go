package pass

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
)

// A State says how far a pass is.
type State struct {
	Dir          string    `json:"pass"`
	Kind         string    `json:"kind"`
	Tasks        int       `json:"tasks"`
	Done         int       `json:"done"`
	Running      int       `json:"running"` // that began, and have not ended
	Resumed      int       `json:"resumed"` // that were begun more than once
	Failed       int       `json:"failed"`  // by mistakes that another attempt would find again
	Rows         int64     `json:"rows"`    // of the tasks that are done
	Seconds      float64   `json:"seconds"`
	First, Last  time.Time `json:"-"`
	Slowest      string    `json:"slowest,omitempty"` // the task that took the longest
	SlowestTakes float64   `json:"slowest_seconds,omitempty"`
}

// Passes says how far the passes of a run are, in their order.
func (e *Env) Passes(ctx context.Context) ([]State, error) {
	objects, err := e.Bucket.List(ctx, "pass/")
	if err != nil {
		return nil, err
	}
	at := map[string]*State{}
	var out []*State
	for _, o := range objects {
		if path.Base(o.Name) != "request.json" {
			continue
		}
		req, _, err := e.request(ctx, path.Dir(o.Name))
		if err != nil {
			return nil, err
		}
		s := &State{Dir: path.Dir(o.Name), Kind: req.Kind, Tasks: req.Tasks}
		at[s.Dir] = s
		out = append(out, s)
	}
	for _, o := range objects {
		s := at[path.Dir(o.Name)]
		switch {
		case s == nil:
		case strings.HasSuffix(o.Name, ".failed"):
			s.Failed++
			s.Running--
		case strings.HasSuffix(o.Name, ".begun"):
			s.Running++
			text, err := e.Bucket.Get(ctx, o.Name)
			if err != nil {
				return nil, err
			}
			var b Begun
			if json.Unmarshal(text, &b) == nil && b.Attempt > 1 {
				s.Resumed++
			}
		case strings.HasSuffix(o.Name, ".done"):
			text, err := e.Bucket.Get(ctx, o.Name)
			if err != nil {
				return nil, err
			}
			var d Done
			if json.Unmarshal(text, &d) == nil {
				s.take(strings.TrimSuffix(o.Name, ".done"), &d)
			}
		}
	}
	slices.SortFunc(out, func(a, b *State) int { return cmp.Compare(a.Dir, b.Dir) })
	list := make([]State, len(out))
	for i, s := range out {
		list[i] = *s
	}
	return list, nil
}

// take adds a task that is done.
func (s *State) take(name string, d *Done) {
	s.Done++
	s.Running--
	s.Rows += d.Rows
	s.Seconds += d.Seconds
	if begun := d.At.Add(-time.Duration(d.Seconds * 1e9)); s.First.IsZero() || begun.Before(s.First) {
		s.First = begun
	}
	if d.At.After(s.Last) {
		s.Last = d.At
	}
	if d.Seconds > s.SlowestTakes {
		s.Slowest, s.SlowestTakes = name, d.Seconds
	}
}

// Rate is how many rows went through the pass each second, from the begin of its first task
// to the end of its last.
func (s *State) Rate() float64 {
	if d := s.Last.Sub(s.First).Seconds(); d > 0 {
		return float64(s.Rows) / d
	}
	return 0
}
