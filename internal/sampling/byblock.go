package sampling

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// BlockFlagNames are the names of the flags whose values may differ by block.
func BlockFlagNames() []string {
	var out []string
	for _, f := range blockFlags {
		out = append(out, f.name)
	}
	return out
}

// values are what a configuration file says of a flag, and behind it what the
// command line does, which counts: for all blocks, and for those that it names.
func (f *blockFlag) values(c *Sample) []string {
	var out []string
	for _, file := range c.Configs.List {
		out = append(out, file.Of(f.name)...)
	}
	return append(out, f.of(c)...)
}

// byBlock reads the flags that may differ by block.
func (c *Sample) byBlock() (sampler.Config, error) {
	cfg := sampler.DefaultConfig()
	for i := range blockFlags {
		f := &blockFlags[i]
		for _, spec := range f.values(c) {
			params, value, named := cutBlock(spec)
			if !named {
				if err := f.set(&cfg, spec); err != nil {
					return cfg, err
				}
				continue
			}
			if value == "" || slices.Contains(params, "") {
				return cfg, session.Usagef("--%s %s: BLOCK=VALUE is expected, BLOCK a param or "+
					"several apart by commas", f.name, spec)
			}
			if err := f.own(cfg.For(params...), value); err != nil {
				return cfg, err
			}
		}
	}
	if strings.Contains(c.Metric, "=") {
		return cfg, session.Usagef("--metric %s: the warm-up that finds a metric is a run of "+
			"nuts on all blocks at once, so no block can have its own; give steps instead: "+
			"--step BLOCK=H", c.Metric)
	}
	return cfg, nil
}

// cutBlock splits BLOCK=VALUE.
func cutBlock(spec string) (params []string, value string, named bool) {
	names, value, named := strings.Cut(spec, "=")
	for _, n := range strings.Split(names, ",") {
		params = append(params, strings.TrimSpace(n))
	}
	return params, strings.TrimSpace(value), named
}

// knownBlocks refuses blocks that the model has not.
func (c *Sample) knownBlocks(compiled *driver.Compiled) error {
	var names []string
	for i := range compiled.Spec.Params {
		names = append(names, compiled.Spec.Params[i].Name)
	}
	for i := range blockFlags {
		for _, spec := range blockFlags[i].values(c) {
			params, _, named := cutBlock(spec)
			for _, p := range params {
				if !named {
					break
				}
				if err := settings.KnownParam(blockFlags[i].name, spec, p, names); err != nil {
					return session.Refused(err)
				}
			}
		}
	}
	return nil
}

// chartsFor are the charts of params that their samplers need, where the model
// asks for none: a sampler that runs on one space alone has simplexes there.
func chartsFor(
	e *session.Session, src *source.File, set []string, cfg *sampler.Config,
) map[string]string {
	mirrored := func(name string) bool {
		row, ok := table.Lookup(name)
		return ok && row.Space == "mirrored"
	}
	some := mirrored(cfg.Sampler)
	for i := range cfg.Blocks {
		some = some || mirrored(cfg.Blocks[i].Sampler)
	}
	if !some { // the model need not be looked at
		return nil
	}
	charts := map[string]string{}
	_, m := driver.Check(src, driver.Options{Set: session.Numbers(set)})
	if m == nil || m.Diags.Errors() {
		return nil
	}
	for _, s := range m.Symbols {
		if s.Kind != check.Param || s.By != "" || s.Type.Kind != types.Simplex {
			continue
		}
		own := cfg.Of(s.Name)
		if mirrored(own.Sampler) {
			charts[s.Name] = "expanded_mean"
			e.Note("%s by expanded_mean, the chart that %s runs on", s.Name, own.Sampler)
		}
	}
	if len(charts) == 0 {
		return nil
	}
	return charts
}
