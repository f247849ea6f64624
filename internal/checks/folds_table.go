package checks

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A cvJSON is the JSON of `cv --json`.
type cvJSON struct {
	Run          string     `json:"run"`
	Dir          string     `json:"dir"` // of the folds
	Model        string     `json:"model"`
	Axis         string     `json:"axis"`
	By           string     `json:"by,omitempty"`
	Observations int        `json:"observations"`
	ELPD         run.Float  `json:"elpd_kfold"`
	SE           run.Float  `json:"se_elpd_kfold"`
	Folds        []foldJSON `json:"folds"`
}

type foldJSON struct {
	Dir     string    `json:"run"`
	Seed    uint64    `json:"seed"`
	Rows    int       `json:"rows"` // left out
	ELPD    run.Float `json:"elpd"`
	Verdict string    `json:"verdict"` // the worst of its health
}

// print shows the sum, and the folds.
func (v *validation) print(e *session.Session, asJSON bool) error {
	n := float64(len(v.elpd))
	mean, square := 0.0, 0.0
	for _, x := range v.elpd {
		mean += x / n
	}
	for _, x := range v.elpd {
		square += (x - mean) * (x - mean)
	}
	out := cvJSON{Run: v.of, Dir: v.dir, Model: v.record.Model, Axis: v.likely.Axis, By: v.by,
		Observations: len(v.elpd),
		ELPD:         run.Float(mean * n), SE: run.Float(math.Sqrt(n * square / (n - 1)))}
	var off []string
	for k := range v.folds {
		f := &v.folds[k]
		worst := "ok"
		for _, h := range f.record.Health {
			if h.Verdict == "off" || h.Verdict == "unsure" && worst == "ok" {
				worst = h.Verdict
			}
		}
		if worst == "off" {
			off = append(off, f.dir)
		}
		out.Folds = append(out.Folds,
			foldJSON{f.dir, f.seed, len(f.left), run.Float(f.elpd), worst})
	}
	if len(off) > 0 {
		e.Note("the draws of %d of %d folds are off, and so may be their part of elpd_kfold: "+
			"sgppl summary %s", len(off), len(v.folds), off[0])
	}
	var err error
	if asJSON {
		err = json.NewEncoder(e.Stdout).Encode(out)
	} else {
		err = out.print(e)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

func (c *cvJSON) print(e *session.Session) error {
	by := ""
	if c.By != "" {
		by = ", whole groups of " + c.By
	}
	if err := e.Print("%s: %d rows of %s left out in %d folds%s\n\n", c.Model, c.Observations,
		c.Axis, len(c.Folds), by); err != nil {
		return err
	}
	t := show.Table{Head: []string{"", "estimate", "se"}}
	t.Add("elpd_kfold", show.Format("%.4f", c.ELPD), show.Format("%.4f", c.SE))
	if err := t.Write(e.Stdout); err != nil {
		return err
	}
	if err := e.Print("\n"); err != nil {
		return err
	}
	f := show.Table{Head: []string{"fold", "rows", "elpd", "health"},
		Left: map[string]bool{"health": true}}
	for k, x := range c.Folds {
		f.Add(strconv.Itoa(k), strconv.Itoa(x.Rows), show.Format("%.2f", x.ELPD), x.Verdict)
	}
	return f.Write(e.Stdout)
}

// pointwise writes the observations.
func (v *validation) pointwise(path string) error {
	return trace.WriteStream(path, func(b *bufio.Writer) error {
		b.WriteString("name,fold,elpd_kfold\n")
		for i, x := range v.elpd {
			name := fmt.Sprintf("%s[%d]", v.likely.Arrays[0].Name, i)
			session.WriteQuoted(b, name, strings.Contains(name, "["))
			fmt.Fprintf(b, ",%d", v.fold[i])
			b.Write(trace.AppendNumber(append(b.AvailableBuffer(), ','), x))
			b.WriteByte('\n')
		}
		return session.WriteError(b.Flush())
	})
}
