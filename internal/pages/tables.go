package pages

import (
	"fmt"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/internal/formula"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/types"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// Tables returns every table, which are read once.
var Tables = sync.OnceValue(readTables)

// readTables reads every table from its own source.
func readTables() []Table {
	dists, fns, layers := libraryDocs()
	return append([]Table{
		{"distributions", "after ~, and normal.logpdf(x, 0, 1) as a function", dists},
		{"functions", "of numbers entry by entry, reductions, and of arrays",
			append(builtinDocs(), fns...)},
		{"layers", "pieces with weights of their own, after `use nn`", layers},
		{"types", "of data, parameters and locals", typeDocs()},
		{"samplers", "for sgppl sample --sampler NAME", samplerDocs()},
		{"algorithms", "for sgppl optimize --algorithm NAME", algorithmDocs()},
		{"methods", "for sgppl approximate --method NAME", methodDocs()},
		{"formats", "of files for --data; .gz and .bz2 of any", formatDocs()},
		{"notations", "that become models", []Entry{{
			Name: "formula", Aliases: []string{"regression", "brms", "bambi"},
			Line: "formulas of regressions, for sgppl formula: terms, families and priors",
			Page: formula.Page(),
		}}},
	}, Glossary()...)
}

func typeDocs() []Entry {
	var out []Entry
	for _, k := range types.Kinds {
		if k.Name == "" {
			continue
		}
		page := sentence(k.Doc) + "\n\n"
		switch {
		case k.Sizes < 0:
			page += fmt.Sprintf("%s[N] is an array of N of them.\n", k.Name)
		case k.Name == "index":
			page += "Its bracket is a range, not an axis: z[N] : index[K] are N indices.\n"
		case k.Sizes == 1:
			page += fmt.Sprintf("The bracket holds the size of one value; x[N] : %s[K] is a "+
				"family of N of them.\n", k.Name)
		default:
			page += fmt.Sprintf("The bracket holds the %d sizes of one value; a family has its "+
				"own, before the colon.\n", k.Sizes)
		}
		if !k.Open && !k.Discrete {
			page += "A distribution of numbers cannot stand on it, since its entries are not " +
				"free of each other.\n"
		}
		out = append(out, Entry{Name: k.Name, Line: k.Doc, Page: page})
	}
	return out
}

func samplerDocs() []Entry {
	var out []Entry
	for _, r := range table.Table {
		var schemes []string
		for _, s := range r.Schemes {
			schemes = append(schemes, s.Name+" ("+s.Word+")")
		}
		var grains []string
		for _, g := range r.Grains {
			grains = append(grains, g.String())
		}
		page := sentence(r.Doc) + "\n\n"
		if len(r.Aliases) > 0 {
			page += "also      " + strings.Join(r.Aliases, ", ") + "\n"
		}
		if !r.Conditionals && !r.Still {
			page += "schemes   " + strings.Join(schemes, ", ") + "\n"
		}
		if r.Thermostat() {
			page += "--thermostat " + strings.Join(grains, ", ") + "\n"
		}
		if r.Still {
			page += "runs on   models without params\n"
		} else if r.Conditionals {
			page += "runs on   models all of whose unknowns have full conditionals (docs/samplers.md)\n"
		} else if r.Space != "" {
			page += "runs on   blocks on the space " + r.Space +
				", which simplexes by expanded_mean are\n"
		} else if r.Curved {
			page += "runs on   any product of manifolds\n"
		} else {
			page += "runs on   R^n\n"
		}
		page += "samples   " + r.Stationary + "\n"
		page += "source    " + r.Source + "\n"
		out = append(out, Entry{Name: r.Name, Aliases: r.Aliases, Line: r.Doc, Page: page})
	}
	return out
}

func algorithmDocs() []Entry {
	var out []Entry
	for _, r := range optimize.Table {
		page := sentence(r.Doc) + "\n\n"
		if len(r.Aliases) > 0 {
			page += "also      " + strings.Join(r.Aliases, ", ") + "\n"
		}
		page += "runs on   R^n, in the model's own coordinates: without the Jacobian of " +
			"transforms\n"
		page += "a step    " + r.Update + "\n"
		for _, s := range optimize.Settings {
			x, ok := r.Uses[s.Name]
			if !ok {
				continue
			}
			page += "--" + s.Name + "  " + s.Doc
			if x == x { // else its doc says what the default is
				page += fmt.Sprintf(" (default %g)", x)
			}
			page += "\n"
		}
		page += "source    " + r.Source + "\n"
		out = append(out, Entry{Name: r.Name, Aliases: r.Aliases, Line: r.Doc, Page: page})
	}
	return out
}

func methodDocs() []Entry {
	var out []Entry
	for _, m := range approximate.Table {
		rows := "all rows at once"
		if m.Name == "advi" {
			rows = "all rows at once, or minibatches"
		}
		page := sentence(m.Doc) + "\n\n" + "runs on   R^n, and curved spaces in charts; " + rows + "\n" +
			fmt.Sprintf("--paths   where it begins (default %d)\n", m.Paths) +
			"source    " + m.Source + "\n" + "verdict   sgppl doc " + m.Judged() + "\n"
		if hint, has := foreign.Dists[m.Name]; has && hint.Name != "" {
			page += "not       a distribution of the language: the distribution is " + hint.Name + "\n"
		}
		out = append(out, Entry{Name: m.Name, Line: m.Doc, Page: page})
	}
	return out
}

func formatDocs() []Entry {
	var out []Entry
	for _, f := range formats.Formats {
		line := "files ending in " + strings.Join(f.Endings, " ")
		if f.Prefix != "" {
			line = "files called " + f.Prefix + "* or ending in " + strings.Join(f.Endings, " ")
		}
		field := "--data NAME=FILE"
		if f.Fields != "none" {
			field += ":FIELD, where FIELD is " + f.Fields
		}
		page := "F" + line[1:] + ", and .gz and .bz2 of them.\n\n" + field + ".\n"
		if f.Sniff != nil {
			page += "Files with other endings are recognised by their first bytes.\n"
		}
		page += "Behind it may stand :rows=SELECTION or :skip=SELECTION, and :format=" + f.Name +
			"; see docs/data.md.\n"
		out = append(out, Entry{Name: f.Name, Line: line + "; FIELD: " + f.Fields, Page: page})
	}
	return out
}
