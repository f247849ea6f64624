package driver

import (
	"fmt"

	"github.com/sgppl/sgppl/ir/posterior"
	"github.com/sgppl/sgppl/ir/stage"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Completion is a model made ready for predicting entries of rows of which
// others are known (see posterior.Completion).
type Completion struct {
	Observed, Scored *Compiled

	keys [2]fittedKeys // find their fitted values among the run's
}

// Complete compiles a model for the completion of rows. With errors among the
// diagnostics the Completion is nil.
func Complete(src *source.File, o Options) (*Completion, diag.List) {
	_, m := Check(src, o)
	if m.Diags.Errors() {
		return nil, m.Diags
	}
	observed, scored, diags := completion(m, o)
	diags = append(m.Diags, diags...)
	if diags.Errors() {
		return nil, diags
	}
	run := constantsOf(src, o)
	c := &Completion{}
	for i, part := range []struct {
		module *stage.Module
		to     **Compiled
	}{{observed, &c.Observed}, {scored, &c.Scored}} {
		out := &Compiled{Source: src, Check: m, Spec: part.module.Spec, Fitted: part.module.Fitted}
		out.Spec.Name = Name(src.Name)
		var d *diag.Diagnostic
		if out.Programs, d = plans(m, part.module); d != nil {
			return nil, append(diags, d)
		}
		*part.to = out
		c.keys[i] = keysOf(part.module, run)
	}
	return c, diags
}

// completion lowers and stages a model for the known entries and for the others.
func completion(m *check.Model, o Options) (observed, scored *stage.Module, diags diag.List) {
	low, diags := posterior.Complete(m, lowering(o))
	if diags.Errors() {
		return nil, nil, diags
	}
	observed, refused := stageChain(&low.RowChain, nil)
	if diags = append(diags, refused...); diags.Errors() {
		return nil, nil, diags
	}
	others, diags := low.Score()
	if diags.Errors() {
		return nil, nil, diags
	}
	return observed, stageScored(others), diags
}

// bindFitted binds a model with the values of a run that it needs, which keys find.
func (c *Compiled) bindFitted(
	bound *data.Bound, ran Recorded, keys fittedKeys,
) (*model.Model, error) {
	fitted := map[string][]float64{}
	for _, name := range c.Fitted {
		v, ok := keys.value(name, ran)
		if !ok {
			return nil, fmt.Errorf("a value that was computed from the rows of the run is not in "+
				"its record: %s", name)
		}
		fitted[name] = v
	}
	return c.VM(bound, fitted)
}

// Bind binds the known entries and the others of the same rows. ran has values such as mean(x) of
// the run.
func (c *Completion) Bind(
	observed, scored *data.Bound, ran Recorded,
) (known *model.Model, both *model.Completion, err error) {
	var parts [2]*model.Model
	for i, x := range []struct {
		c     *Compiled
		bound *data.Bound
	}{{c.Observed, observed}, {c.Scored, scored}} {
		if parts[i], err = x.c.bindFitted(x.bound, ran, c.keys[i]); err != nil {
			return nil, nil, err
		}
	}
	both, err = model.NewCompletion(parts[0], parts[1])
	return parts[0], both, err
}
