// Command service predicts which customers leave. It fits a model every night, answers while
// it does, and puts the new posterior in the place of the old one without a stop.
//
//	go run . -data customers.csv -runs runs
//	curl -d '{"x": [[0.5, -1.2, 0.3]]}' localhost:8080/predict
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

//go:generate sgppl compile churn.sg

func main() {
	addr := flag.String("addr", "localhost:8080", "where to listen")
	file := flag.String("data", "customers.csv",
		"the customers: columns of numbers, the last one is left, 0 or 1")
	runs := flag.String("runs", "runs", "where fits are kept")
	hour := flag.Int("hour", 2, "the hour of the night at which to fit")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := &Service{Runs: *runs, Read: func() (Table, error) { return ReadTable(*file) },
		Now: time.Now}
	if err := run(ctx, s, *addr, *hour); err != nil {
		slog.Error("the service ends", "error", err)
		os.Exit(1)
	}
}

// run serves until ctx is done, and ends gracefully then: requests that have begun are
// answered, and a fit that is under way is dropped.
func run(ctx context.Context, s *Service, addr string, hour int) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	slog.Info("listening", "addr", listener.Addr().String())

	if err := s.Restore(); err != nil { // then the first fit is due now
		slog.Info("no saved fit is used", "why", err)
		if err := s.Fit(ctx); err != nil && ctx.Err() == nil {
			slog.Error("the first fit failed", "error", err)
		}
	}
	fitted := make(chan struct{})
	go func() {
		defer close(fitted)
		s.Nightly(ctx, hour)
	}()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err = server.Shutdown(end)
	<-fitted
	return errors.Join(err)
}
