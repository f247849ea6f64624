// Package health has the rows of a run's health table and their verdicts: the series that
// statistics are averaged from, the convergence of chains, the documentation of each statistic, and
// the advice that follows from the rows.
package health

// A Row is one statistic of one block.
type Row struct {
	Block     string // "all" for statistics of the whole state
	Statistic string
	Value     float64
	Expected  float64 // NaN if theory gives no number
	MCSE      float64 // Monte Carlo error of Value; +Inf if the run is too short to estimate it
	// Verdict is "ok"; "off" if the difference exceeds both the tolerance and four errors; "unsure" if
	// the run is too short to tell; "" if there is no expected value.
	Verdict string
}

// Judged returns a row with the verdict that Judge gives.
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
