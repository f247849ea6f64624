package opt

import "github.com/sgppl/sgppl/ir"

// An Optimiser runs the passes on functions of one builder.
type Optimiser struct {
	B *ir.Builder
	// Dump, which may be nil, is called with every function after every phase. After a pass, the phase
	// is "opt:" and the name of the pass.
	Dump func(phase string, f *ir.Func)
}

// Run applies all passes to a function.
func (o *Optimiser) Run(f *ir.Func) *ir.Func {
	return o.run(f, func(pass string, f *ir.Func) { o.Show("opt:"+pass, f) })
}

// RunSilently applies all passes to a part of a function, without Dump.
func (o *Optimiser) RunSilently(f *ir.Func) *ir.Func { return o.run(f, nil) }

// Show calls Dump, if there is one.
func (o *Optimiser) Show(phase string, f *ir.Func) {
	if o.Dump != nil {
		o.Dump(phase, f)
	}
}

func (o *Optimiser) run(f *ir.Func, dump func(pass string, f *ir.Func)) *ir.Func {
	out, err := Run(o.B, f, dump)
	if err != nil {
		panic("sgppl: compiler bug: " + err.Error())
	}
	return out
}
