package carry

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
	"gonum.org/v1/gonum/mat"
)

// Options say which run's posterior becomes the priors of its model, and where that goes.
type Options struct {
	Dir    string // of the run
	Out    string // the model, a file that ends in .sg
	Prefix string // begins the names of the data that the priors read
	Force  bool   // replace the files
}

// Run writes the model.
func (c *Options) Run(e *session.Session) error {
	if !strings.HasSuffix(c.Out, ".sg") {
		return session.Usagef("--out %s: the file ends in .sg", c.Out)
	}
	numbers := strings.TrimSuffix(c.Out, ".sg") + ".json"
	for _, path := range []string{c.Out, numbers} {
		if err := session.RefuseExisting(path, c.Force); err != nil {
			return err
		}
	}
	r, err := run.Read(c.Dir)
	if err != nil {
		return session.OwnStatus(err)
	}
	if r.Optimize != nil {
		return session.Usagef("%s is a run of optimize: it has a point, and a prior needs draws "+
			"of the posterior", c.Dir)
	}
	r, b, err := e.Rebind(c.Dir)
	if err != nil {
		return err
	}
	e.NoteExactness(r)
	draws, err := session.OpenDraws(c.Dir, r, b.Target, session.Choice{}, "a prior")
	if err != nil {
		return err
	}
	draws.Note(e, r)
	if slices.ContainsFunc(r.Health, func(h run.Health) bool { return h.Verdict == "off" }) {
		e.Note("the draws of %s are off: so is what is fitted to them", c.Dir)
	}
	n := nextModel{src: b.Src, prefix: c.Prefix, binding: b}
	if err := n.find(e); err != nil {
		return err
	}
	if err := n.fit(e, draws); err != nil {
		return err
	}
	text := n.text()
	if compiled, diags := driver.Compile(source.New(c.Out, text),
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim,
			Sampled: r.Sampled}); compiled == nil {
		e.Diagnose(diags)
		return session.Failf(session.ExitModel,
			"the model with these priors does not compile: nothing is written")
	}
	on := disk.Or(e.Disk)
	if len(n.priors.Data) > 0 {
		list, err := json.MarshalIndent(n.priors.Data, "", " ")
		if err != nil {
			return session.Failf(session.ExitRun, "%v", err)
		}
		if err := disk.WriteFile(on, numbers, append(list, '\n')); err != nil {
			return session.FilesError(err)
		}
		e.Note("%s has the numbers of its priors: --data %s, with the new data", numbers, numbers)
	}
	if err := disk.WriteFile(on, c.Out, []byte(text)); err != nil {
		return session.FilesError(err)
	}
	return e.Print("%s\n", c.Out)
}

// A nextModel is a model on its way to have other priors.
type nextModel struct {
	src     *source.File
	file    *ast.File
	binding *session.Binding
	prefix  string
	params  []Param // in the order of their declarations
	shapes  map[string][]int
	priors  *Priors
	drop    []source.Span // statements that were priors
	kept    []string      // which priors stay, and why
}

// find finds the params whose priors are replaced, and says which stay.
func (n *nextModel) find(e *session.Session) error {
	n.file, _ = parser.Parse(n.src)
	parts, diags, err := driver.Break(n.binding.Compiled.Check)
	if parts == nil || err != nil {
		e.Diagnose(diags)
		return session.Failf(session.ExitModel, "the priors of the model cannot be told apart")
	}
	depends := map[string]bool{}
	for _, p := range parts.Parts {
		if p.Kind == posterior.PriorPart && slices.ContainsFunc(p.Reads, func(name string) bool {
			return name != p.Name
		}) {
			depends[p.Name] = true
		}
	}
	supports := map[string]string{}
	for _, p := range n.binding.Compiled.Spec.Params {
		supports[p.Name] = p.Support
	}
	var stay, other []string
	for _, s := range n.file.Stmts {
		d, is := s.(*ast.ParamDecl)
		if !is {
			continue
		}
		for _, g := range d.Groups {
			for _, v := range g.Vars {
				name := v.Name.Name
				support := supports[name]
				switch {
				case depends[name]:
					stay = append(stay, name)
				case support != "real" && support != "positive" || len(g.Type.Sizes) > 0:
					other = append(other,
						fmt.Sprintf("%s (%s)", name, n.src.Text[g.Type.Start:g.Type.End]))
				default:
					p := Param{Name: name, Positive: support == "positive"}
					for _, size := range v.Sizes {
						p.Sizes = append(p.Sizes, n.src.Text[size.Pos().Start:size.Pos().End])
					}
					n.params = append(n.params, p)
				}
			}
		}
	}
	if len(n.params) == 0 {
		return session.Failf(session.ExitModel,
			"no param is a number or an array of reals or positive numbers with a prior of its "+
				"own: there is nothing to carry on")
	}
	if len(stay) > 0 {
		n.kept = append(n.kept, "the prior depends on other params and stays: "+
			strings.Join(stay, ", ")+". What the data said of these entries is lost, and what "+
			"they said of the params above is kept")
	}
	if len(other) > 0 {
		n.kept = append(n.kept, "the prior stays, as no normal distribution is fitted to the "+
			"type: "+strings.Join(other, ", ")+". What the data said of these is lost")
	}
	for _, note := range n.kept {
		e.Note("%s", note)
	}
	return n.statements()
}

// statements finds priors that are written as statements: those of the file's top level are
// taken out.
func (n *nextModel) statements() error {
	replaced := map[string]bool{}
	for _, p := range n.params {
		replaced[p.Name] = true
	}
	var inside error
	for _, s := range n.file.Stmts {
		ast.Inspect(s, func(node ast.Node) bool {
			t, is := node.(*ast.Tilde)
			if !is {
				return true
			}
			left := t.Left
			if x, is := left.(*ast.Index); is {
				left = x.X
			}
			if x, is := left.(*ast.Name); is && replaced[x.Name] {
				if ast.Stmt(t) != s {
					at := n.src.Position(t.Start)
					inside = session.Failf(session.ExitModel,
						"%s:%v: the prior of %s is a statement in a plate: write it where %s is declared", n.src.Name,
						at, x.Name, x.Name)
				}
				n.drop = append(n.drop, t.Span)
			}
			return true
		})
	}
	return inside
}

// fit reads the draws and fits the priors.
func (n *nextModel) fit(e *session.Session, draws *session.RunDraws) error {
	m := draws.Model
	out, eval := make([]float64, m.OutputLen()), m.NewEvaluator(1)
	at := map[string][2]int{}
	n.shapes = map[string][]int{}
	for _, o := range m.Outputs() {
		at[o.Name], n.shapes[o.Name] = [2]int{o.Offset, o.Len}, o.Shape
	}
	for i := range n.params {
		n.params[i].Draws = mat.NewDense(draws.Total(), max(1, at[n.params[i].Name][1]), nil)
	}
	for k := range draws.Total() {
		p, err := draws.Read(k)
		if err != nil {
			return err
		}
		eval.Constrain(p.X, out)
		for i := range n.params {
			a := at[n.params[i].Name]
			n.params[i].Draws.SetRow(k, out[a[0]:a[0]+a[1]])
		}
	}
	var err error
	if n.priors, err = Fit(n.params, n.prefix); err != nil {
		return session.Failf(session.ExitRun, "%v", err)
	}
	for _, p := range n.params {
		n.priors.Shaped(n.prefix+p.Name, n.shapes[p.Name])
	}
	if math.Abs(n.priors.Lost) > 0.1 {
		e.Note("arrays of positive numbers and of several axes have entries on their own: "+
			"correlations of up to %.2f are lost (%s and %s)", n.priors.Lost, n.priors.From,
			n.priors.To)
	}
	return nil
}
