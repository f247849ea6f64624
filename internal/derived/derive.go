// Package derived computes quantities at the draws of a run and summarises them: expressions of
// the language, effects of inputs on expected responses, and how much a posterior moves when its
// priors or its likelihood are raised to a power.
package derived

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
)

// Expressions are quantities of a run, in the language of its model.
type Expressions struct {
	Dir         string   // of the run
	Expressions []string // NAME = EXPRESSION, or an expression
	Data        []string // rows at which expressions are evaluated; none: those of the run
	Set         []string // dims and scalar inputs of these rows
	Out         string   // a file of the draws; "" for none
	Save        bool     // store the draws in the run
	Draws       int      // how many are used; 0: all
	Threads     int      // 0: as many as there are processors
	Force       bool     // replace a file, or what is stored
	JSON        bool     // print one JSON object
}

// Run evaluates the expressions.
func (c *Expressions) Run(e *session.Session) error {
	quantities, labels, err := c.quantities()
	if err != nil {
		return err
	}
	format, err := c.check()
	if err != nil {
		return err
	}
	d, err := openValues(e, c.Dir, quantities, c.Data, c.Set, session.Choice{Limit: c.Draws})
	if err != nil {
		return err
	}
	for i := range d.sites {
		if d.sites[i].Name = labels[i]; labels[i] != quantities[i].Name &&
			len(d.sites[i].Shape) > 0 {
			d.sites[i].Name = "(" + labels[i] + ")" // its entries are (…)[0], (…)[1], …
		}
	}
	stop, release := e.Stopper()
	defer release()
	d.draws.Stop = stop
	if err := d.compute(c.Threads); err != nil {
		return err
	}
	if c.Save {
		k := &keeper{group: "derived", holds: "derived quantities", flag: "--save: ", dir: c.Dir,
			record: d.record, draws: d.draws, bound: d.bound, sites: d.sites}
		if err := k.save(e, c.Force, d.each); err != nil {
			return err
		}
	}
	if c.Out != "" {
		w := &predict.Draws{Sites: d.sites, Chains: d.draws.Chains, Each: d.draws.Each,
			Numbers: d.draws.Numbers(), Record: d.record, Bound: d.bound}
		if err := w.Write(e, c.Out, format, d.each); err != nil {
			return err
		}
	}
	return c.print(e, d)
}

// check checks the flags that say what is written.
func (c *Expressions) check() (format string, err error) {
	switch {
	case c.Draws < 0:
		return "", session.Usagef("--draws %d: at least 1", c.Draws)
	case c.Save && (c.Draws > 0 || len(c.Data)+len(c.Set) > 0):
		return "", session.Usagef("--save stores a value for every draw of the run, at the run's " +
			"own data: it does not go with --draws, --data and --set")
	case c.Out == "":
		return "", nil
	}
	return fileFormat(c.Out, c.Force)
}

// named matches NAME = EXPRESSION; a second = would be a comparison.
var named = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z_0-9]*)\s*=([^=].*)$`)

// quantities reads the expressions: the names that the model is to know them by, and those
// that they are shown by.
func (c *Expressions) quantities() (out []driver.Quantity, labels []string, err error) {
	seen := map[string]bool{}
	for i, text := range c.Expressions {
		q, label := driver.Quantity{Name: fmt.Sprintf("quantity_%d", i+1),
			Text: strings.TrimSpace(text)}, strings.TrimSpace(text)
		if m := named.FindStringSubmatch(text); m != nil {
			q, label = driver.Quantity{Name: m[1], Text: strings.TrimSpace(m[2])}, m[1]
		} else if c.Save || strings.HasSuffix(c.Out, ".zarr") {
			return nil, nil, session.Usagef("arrays of a store have names: write NAME = %s",
				strings.TrimSpace(text))
		}
		if q.Text == "" {
			return nil, nil, session.Usagef("expression %d is empty", i+1)
		}
		if seen[label] {
			return nil, nil, session.Usagef("%s is there twice", label)
		}
		seen[label] = true
		out, labels = append(out, q), append(labels, label)
	}
	return out, labels, nil
}

// A derivedJSON is the JSON of `derive --json`.
type derivedJSON struct {
	Model  string            `json:"model"`
	Chains int               `json:"chains"`
	Draws  int               `json:"draws"` // of each chain
	Vars   []show.SummaryVar `json:"vars"`
}

// print shows the summary of every entry.
func (c *Expressions) print(e *session.Session, d *values) error {
	vars, err := d.summaries()
	if err != nil {
		return err
	}
	if c.JSON {
		out := json.NewEncoder(e.Stdout)
		out.SetEscapeHTML(false)
		err = out.Encode(derivedJSON{d.record.Model, d.draws.Chains, d.draws.Each, vars})
	} else {
		if err = e.Print("%s: %d chains of %d draws\n\n", d.record.Model, d.draws.Chains,
			d.draws.Each); err == nil {
			err = show.TableOf(vars).Write(e.Stdout)
		}
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	for _, v := range vars {
		if x := float64(v.Mean); x-x != 0 {
			e.Note("%s is not finite at some draws, and has no summary", v.Name)
			break
		}
	}
	return nil
}
