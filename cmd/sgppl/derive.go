package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type deriveCmd struct {
	Dir         string   `arg:"" name:"run" help:"A run directory."`
	Expressions []string `arg:"" name:"expression" help:"NAME = EXPRESSION, or an expression without a name, over what the model declares."`
	Data        []string `sep:"none" placeholder:"SPEC" help:"Rows at which expressions are evaluated that read data; the run's own without. May be repeated."`
	Set         []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these rows. Consts are the run's."`
	Out         string   `placeholder:"FILE" help:"Also write the draws, as FILE.json, FILE.csv or FILE.zarr."`
	Save        bool     `help:"Also store the draws in the run, as the group derived of its store."`
	Draws       int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads     int      `help:"Draws at once; 0 is as many as there are processors."`
	Force       bool     `help:"Replace the FILE of --out, or what --save stored before."`
	JSON        bool     `name:"json" help:"Print one JSON object."`
}

func (c *deriveCmd) Help() string {
	return `Quantities of stored draws: contrasts, odds, means of groups, predictions at values. An expression is written in the
language of the model, over its params, lets, dims and data; arrays have a summary for every entry. Draws that
--keep left out are not there to be read.

  sgppl derive runs/logistic-1 'exp(beta[1]) - exp(beta[0])'
  sgppl derive runs/linear-1 'slope = b' 'at_two = a + 2 * b' --out slopes.csv
  sgppl derive runs/linear-1 'mu = a + b * x' --data grid.csv --json`
}

// Run evaluates the expressions.
func (c *deriveCmd) Run(e *session.Session) error {
	quantities, labels, err := c.quantities()
	if err != nil {
		return err
	}
	format, err := c.check()
	if err != nil {
		return err
	}
	d, err := openDerived(e, c.Dir, quantities, c.Data, c.Set, session.Choice{Limit: c.Draws})
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
		if err := d.save(e, c.Dir, c.Force); err != nil {
			return err
		}
	}
	if c.Out != "" {
		w := &predictedDraws{sites: d.sites, chains: d.draws.Chains, each: d.draws.Each,
			numbers: d.draws.Numbers(), record: d.record, bound: d.bound}
		if err := w.write(e, c.Out, format, d.each); err != nil {
			return err
		}
	}
	return c.print(e, d)
}

// check checks the flags that say what is written.
func (c *deriveCmd) check() (format string, err error) {
	switch {
	case c.Draws < 0:
		return "", session.Usagef("--draws %d: at least 1", c.Draws)
	case c.Save && (c.Draws > 0 || len(c.Data)+len(c.Set) > 0):
		return "", session.Usagef("--save stores a value for every draw of the run, at the run's " +
			"own data: it does not go with --draws, --data and --set")
	case c.Out == "":
		return "", nil
	}
	for _, format := range []string{"json", "csv", "zarr"} {
		if strings.HasSuffix(c.Out, "."+format) {
			return format, session.RefuseExisting(c.Out, c.Force)
		}
	}
	return "", session.Usagef("--out %s: the ending says what is written, and is one of .json, "+
		".csv and .zarr", c.Out)
}

// named matches NAME = EXPRESSION; a second = would be a comparison.
var named = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z_0-9]*)\s*=([^=].*)$`)

// quantities reads the expressions: the names that the model is to know them by, and those
// that they are shown by.
func (c *deriveCmd) quantities() (out []driver.Quantity, labels []string, err error) {
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
func (c *deriveCmd) print(e *session.Session, d *derived) error {
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

// summaries summarises every entry of every quantity.
func (d *derived) summaries() ([]show.SummaryVar, error) {
	names, labels := []string{}, []string{}
	for i := range d.sites {
		s := &d.sites[i]
		axes := session.AxisNames(session.VariableOf(s), d.bound.Labels)
		for k, name := range session.EntryNames(s) {
			names, labels = append(names, name), append(labels, session.EntryName(s.Shape, axes, k))
		}
	}
	all, err := diagnose.SummarizeMany(len(names), d.draws.Chains, d.draws.Each, 0,
		func(i int, dst [][]float64) error {
			for k := range d.draws.Total() {
				dst[k/d.draws.Each][k%d.draws.Each] = d.values[k*d.width+i]
			}
			return nil
		})
	return namedSummaries(names, labels, all), err
}

// namedSummaries are summaries with the names of what they are of; labels may be nil.
func namedSummaries(names, labels []string, all []diagnose.Summary) []show.SummaryVar {
	f := func(x float64) run.Float { return run.Float(x) }
	var out []show.SummaryVar
	for i, x := range all {
		v := show.SummaryVar{Name: names[i], Mean: f(x.Mean), SD: f(x.SD), MCSEMean: f(x.MCSEMean),
			MCSESD: f(x.MCSESD),
			Q5:     f(x.Q5), Q50: f(x.Q50), Q95: f(x.Q95), ESSBulk: f(x.ESSBulk),
			ESSTail: f(x.ESSTail), Rhat: f(x.Rhat)}
		if labels != nil {
			v.Label = labels[i]
		}
		out = append(out, v)
	}
	return out
}
