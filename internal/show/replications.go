package show

import (
	"fmt"
	"time"

	"github.com/sgppl/sgppl/internal/session"
)

// Replications returns what tells how far the replications are: a line that stays in its place on a
// terminal, elsewhere one every ten seconds.
func Replications(e *session.Session, progress string) func(done, of int) {
	if progress == "none" {
		return nil
	}
	start := e.Now()
	last := start
	return func(done, of int) {
		every, end := PlainEvery, "\n"
		if moving := progress == "auto" && e.Terminal; moving {
			every, end = time.Second/10, "\x1b[K\r"
			if done == of {
				end = "\x1b[K\n"
			}
		} else if done == of {
			return
		}
		now := e.Now()
		if now.Sub(last) < every && done < of {
			return
		}
		last = now
		left := now.Sub(start).Seconds() / float64(done) * float64(of-done)
		fmt.Fprintf(e.Screen, "calibration: %d of %d replications, %s left%s", done, of,
			session.Duration(left), end)
	}
}
