package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The lines between which the table of the page stands.
const tableBegins, tableEnds = "<!-- runs -->\n", "<!-- end of runs -->\n"

// writePage writes the table of tall.md and the picture from the runs.
func writePage(here string) error {
	file := filepath.Join(here, "tall.md")
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	runs, err := readRuns(filepath.Join(here, "tall", "runs.csv"))
	if err != nil {
		return err
	}
	text, err := withTable(string(page), runs)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(here, "tall.svg"), []byte(picture(runs)), 0o666)
}

// withTable returns the page with the table of the runs in its place.
func withTable(page string, runs []result) (string, error) {
	before, rest, begins := strings.Cut(page, tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", fmt.Errorf("tall.md has no lines %q and %q", tableBegins, tableEnds)
	}
	return before + tableBegins + "\n" + table(runs) + "\n" + tableEnds + after, nil
}

// table is what came out of the runs, in Markdown.
func table(runs []result) string {
	var b strings.Builder
	b.WriteString("| N | way | sampler that ran | set-up, s | rest, s | least ESS | seconds to " +
		"400 | row gradients | bias of means, of log sd | health |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range runs {
		setup, evaluated, bias := "–", "–", "–"
		if r.setup > 0 {
			setup = digits(r.setup)
		}
		if r.evaluated > 0 {
			evaluated = fmt.Sprintf("%.2g", r.evaluated)
		}
		if r.biasMean != 0 || r.biasSD != 0 {
			bias = fmt.Sprintf("%.2g, %.2g", r.biasMean, r.biasSD)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %.0f | %s | %s | %s | %s |\n",
			thousands(r.rows), names[r.way], r.sampler, setup, digits(r.seconds-r.setup), r.ess,
			digits(r.to400()), evaluated, bias, r.verdicts)
	}
	return b.String()
}

// names of the ways on the page and in the picture.
var names = map[string]string{"auto": "no settings", "nuts": "`nuts`", "msgnht": "`msgnht`"}

// digits are three significant ones, without an exponent.
func digits(x float64) string {
	s := strconv.FormatFloat(x, 'g', 3, 64)
	if strings.Contains(s, "e") {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return s
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
