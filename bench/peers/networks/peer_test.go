package main

import (
	"os/exec"
	"strings"
	"testing"
)

// A peer is asked line by line, in turns with ours; one that is missing leaves
// its columns empty.
func TestTable(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to play the peer:", err)
	}
	p, err := start(exec.Command(sh, "-c",
		`echo a peer; while read what seconds; do case $what in slow) echo 2;; *) echo 4;; esac; done`))
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	if p.title != "a peer" {
		t.Errorf("the peer calls itself %q", p.title)
	}
	own := func(float64) float64 { return 3 }
	var out strings.Builder
	rows := []row{{group: "g", name: "one", own: own, peer: p, ask: "slow", scale: 1},
		{group: "g", name: "two", own: own, peer: p, ask: "fast", scale: 1},
		{group: "g", name: "three", own: own}}
	if err := table(&out, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| one | 3 | 3–3 | 2 | 2–2 | 1.50 |",
		"| two | 3 | 3–3 | 4 | 4–4 | 0.75 |", "| three | 3 | 3–3 | – |  |  |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no row %q in\n%s", want, out.String())
		}
	}
	broken, err := start(exec.Command(sh, "-c", "echo here"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := broken.rate("slow", 1); err == nil {
		t.Error("a peer that has ended has a rate")
	}
	if _, err := start(exec.Command(sh, "-c", "exit 1")); err == nil {
		t.Error("a peer that says nothing is one")
	}
}

func TestMiddle(t *testing.T) {
	if got := middle([]float64{3, 1, 2, 10}, 2); got != "2.50" {
		t.Errorf("the median of four is %s", got)
	}
	if got := middle(nil, 2); got != "" {
		t.Errorf("the median of nothing is %q", got)
	}
}
