package show

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// named is how many statistics a verdict names.
const named = 3

// Verdict says in a sentence what the health of a run comes to: ok, unsure or off, as the
// worst row says, and which rows those are. It is empty where no row has a verdict.
func Verdict(rows []run.Health) string {
	by, judged := map[string][]string{}, 0
	for _, h := range rows {
		if h.Verdict == "" {
			continue
		}
		judged++
		of := h.Statistic
		if h.Block != "all" {
			of += " of " + h.Block
		}
		by[h.Verdict] = append(by[h.Verdict], of)
	}
	off, unsure := by["off"], by["unsure"]
	switch {
	case judged == 0:
		return ""
	case len(off) > 0:
		return fmt.Sprintf("off: these are not draws of the posterior, by %s (%s)",
			share(len(off), judged), some(off))
	case len(unsure) > 0:
		return fmt.Sprintf("unsure: the run is too short to tell, or looks suspicious, by %s (%s)",
			share(len(unsure), judged), some(unsure))
	}
	if judged == 1 {
		return "ok: the one statistic does not speak against these draws"
	}
	return "ok: none of " + count(judged) + " speaks against these draws"
}

func share(part, of int) string { return fmt.Sprintf("%d of %s", part, count(of)) }

func count(n int) string {
	if n == 1 {
		return "1 statistic"
	}
	return fmt.Sprintf("%d statistics", n)
}

// some joins the first few names.
func some(names []string) string {
	if n := len(names) - named; n > 0 {
		return strings.Join(names[:named], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}
