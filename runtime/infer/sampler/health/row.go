// Package health has the rows of the health table of a run, with their verdicts: the series that
// they are averaged from, the convergence of chains, what each statistic is, and the advice in
// sentences that follows from the rows.
package health

// A Row is one statistic of one block.
type Row struct {
	Block     string // "all" for what concerns the whole state
	Statistic string
	Value     float64
	Expected  float64 // NaN where theory gives no number
	MCSE      float64 // Monte Carlo error of Value; +Inf in a run too short to tell
	// Verdict is "ok", "off" where the miss is above both what matters and four
	// errors, "unsure" where the run is too short to tell, "" for what has no
	// expectation.
	Verdict string
}

// Judged returns a row with the verdict of Judge.
func Judged(block, statistic string, value, expected, mcse, allowed float64) Row {
	return Row{block, statistic, value, expected, mcse, Judge(value, expected, mcse, allowed)}
}

// Severity orders verdicts: 2 is off, 1 unsure, 0 the others.
func Severity(verdict string) int {
	switch verdict {
	case "off":
		return 2
	case "unsure":
		return 1
	}
	return 0
}
