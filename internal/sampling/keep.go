package sampling

import (
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// keep reads --keep.
func (c *Sample) keep() (session.Kept, error) {
	var k session.Kept
	for _, text := range c.Keep {
		number, last := strings.CutPrefix(text, "last=")
		switch {
		case text == "moments":
			k.Moments = true
		case !last:
			k.Globs = append(k.Globs, text)
		case k.Last > 0:
			return k, session.Usagef("--keep last= is given twice")
		default:
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil || n < 1 {
				return k, session.Usagef("--keep %s: last=K is expected, K a whole number of at least 1", text)
			}
			k.Last = n
		}
	}
	k.Reservoir, k.Sketch = c.Reservoir, -1
	switch {
	case c.Reservoir < 0:
		return k, session.Usagef("--reservoir %d: the number of draws of each chain to store",
			c.Reservoir)
	case c.Reservoir > 0 && k.Last > 0:
		return k, session.Usagef("--reservoir stores draws from all over a chain, and --keep "+
			"last=%d the last ones: one of them", k.Last)
	case c.Sketch != nil && !k.Moments:
		return k, session.Usagef("--sketch is of --keep moments")
	case c.Sketch != nil && *c.Sketch != 0 &&
		(*c.Sketch < sketch.MinEntries || *c.Sketch > sketch.MaxEntries):
		return k, session.Usagef("--sketch %d: from %d to %d entries, or 0 for none", *c.Sketch,
			sketch.MinEntries, sketch.MaxEntries)
	case c.Sketch != nil:
		k.Sketch = *c.Sketch
	}
	if c.SaveWarmup && (k.Moments || k.Last > 0 || k.Reservoir > 0) {
		return k, session.Usagef("--save-warmup stores every state of the warm-up, and --keep " +
			"moments or last=K and --reservoir are for runs that do not store every draw")
	}
	return k, nil
}
