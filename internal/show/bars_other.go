//go:build js || wasip1

package show

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// showBars is never called: no terminal here says how wide it is (Session.Terminal).
func showBars(*session.Session, *Progress, *run.Record) {}
