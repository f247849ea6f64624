package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A row is one thing that is measured on two sides, as a rate.
type row struct {
	group, name string
	own         func(seconds float64) float64
	peer        *peer
	ask         string // what the peer is asked for
	scale       float64
}

// A result holds the rates of all rounds.
type result struct{ own, peer, ratio []float64 }

// table measures all rows in turns and prints them.
func table(w io.Writer, rows []row) error {
	rows = slices.DeleteFunc(rows, func(r row) bool { return !strings.Contains(r.name, *only) })
	results := make([]result, len(rows))
	for range *rounds {
		for i, r := range rows {
			theirs, err := r.peer.rate(r.ask, r.scale**seconds)
			if err != nil {
				return err
			}
			ours := r.own(r.scale * *seconds)
			x := &results[i]
			x.own, x.peer = append(x.own, ours), append(x.peer, theirs)
			if theirs > 0 {
				x.ratio = append(x.ratio, ours/theirs)
			}
		}
	}
	group := ""
	for i, r := range rows {
		if r.group != group {
			group = r.group
			fmt.Fprintf(w, "\n| %s | sgppl | | peer | | ratio |\n"+
				"| --- | --- | --- | --- | --- | --- |\n", group)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", r.name, spread(results[i].own),
			spread(results[i].peer), middle(results[i].ratio, 2))
	}
	return nil
}

// spread is the median with the smallest and the largest, in two columns.
func spread(x []float64) string {
	if slices.Max(x) == 0 {
		return "– | "
	}
	return fmt.Sprintf("%s | %.3g–%.3g", middle(x, 0), slices.Min(x), slices.Max(x))
}

// middle is the median: to so many decimals, or to three digits.
func middle(x []float64, decimals int) string {
	if len(x) == 0 {
		return ""
	}
	x = slices.Sorted(slices.Values(x))
	m := (x[(len(x)-1)/2] + x[len(x)/2]) / 2
	if decimals > 0 {
		return fmt.Sprintf("%.*f", decimals, m)
	}
	return fmt.Sprintf("%.3g", m)
}
