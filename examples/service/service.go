package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sgppl/sgppl/examples/service/churn"
)

// A Service has the newest posterior and makes newer ones. Its fields are set before it is
// used; its methods may be called by several goroutines at once.
type Service struct {
	Runs string                // the directory of all fits
	Read func() (Table, error) // the customers as they are now
	Now  func() time.Time

	newest atomic.Pointer[fit] // nil before the first
	one    sync.Mutex          // held by the fit under way
}

// A fit is a posterior with what it was made of. It never changes: requests that have begun
// with one end with it.
type fit struct {
	model     *churn.Model
	posterior *churn.Posterior
	made      time.Time
	dir       string
}

// errBusy says that a fit is under way.
var errBusy = errors.New("a fit is under way")

// form is the name of the directory of a fit, by its time.
const form = "20060102T150405.000"

// Fit reads the customers, samples, saves the run and puts it in the place of the newest fit.
// A posterior that its health speaks against is saved, and not used.
func (s *Service) Fit(ctx context.Context) error {
	if !s.one.TryLock() {
		return errBusy
	}
	defer s.one.Unlock()
	table, err := s.Read()
	if err != nil {
		return err
	}
	m, err := churn.New(churn.Data{X: table.X, Left: table.Left})
	if err != nil {
		return err
	}
	began := s.Now()
	p, err := m.Sample(ctx, churn.WithSeed(uint64(began.Unix())))
	if err != nil {
		return err
	}
	dir := filepath.Join(s.Runs, began.UTC().Format(form))
	if err := p.SaveRun(dir); err != nil {
		return err
	}
	for _, h := range p.Health() {
		if h.Verdict == "off" {
			return fmt.Errorf("the fit in %s is not used: %s of %s is %.4g", dir, h.Statistic,
				h.Block, h.Value)
		}
	}
	s.newest.Store(&fit{m, p, began, dir})
	slog.Info("fitted", "rows", len(table.Left), "draws", p.Chains()*p.Len(), "took",
		s.Now().Sub(began), "run", dir)
	return nil
}

// Restore uses the newest fit that is saved, so that a service that starts again answers at
// once.
func (s *Service) Restore() error {
	table, err := s.Read()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(s.Runs)
	if err != nil {
		return err
	}
	why := errors.New("there is none")
	for i := len(entries) - 1; i >= 0; i-- { // by name, and so by time
		dir := filepath.Join(s.Runs, entries[i].Name())
		made, err := time.Parse(form, entries[i].Name())
		if err != nil {
			continue // something else
		}
		m, err := churn.New(churn.Data{X: table.X, Left: table.Left})
		if err != nil {
			return err
		}
		p, err := m.LoadRun(dir)
		if err != nil {
			why = err
			continue
		}
		s.newest.Store(&fit{m, p, made, dir})
		slog.Info("restored", "run", dir)
		return nil
	}
	return why
}

// Nightly fits at an hour of every night until ctx is done.
func (s *Service) Nightly(ctx context.Context, hour int) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(until(s.Now(), hour)):
		}
		if err := s.Fit(ctx); err != nil && ctx.Err() == nil {
			slog.Error("no fit tonight", "error", err) // the old one stays
		}
	}
}

// until is the time from now to an hour of the day, more than 0.
func until(now time.Time, hour int) time.Duration {
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	if !at.After(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at.Sub(now)
}
