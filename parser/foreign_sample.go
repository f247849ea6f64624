package parser

import (
	"strings"

	"github.com/sgppl/sgppl/lang/foreign"
)

// pythonSample is mu = pm.Normal("mu", 0, 1) and numpyro.sample("y", dist.Normal(mu, 1), obs=y).
func (p *phrase) pythonSample() ([]token, bool) {
	i, name := 0, ""
	if p.at(0).kind == tIdent && p.at(1).is("=") {
		name, i = p.at(0).text, 2
	}
	open := i + 3
	if p.at(i).kind != tIdent || !p.at(i+1).is(".") ||
		p.at(i+2).kind != tIdent && !p.at(i+2).is("factor") || !p.at(open).is("(") ||
		!isString(p.at(open+1)) {
		return nil, false
	}
	end := p.close(open)
	if end != len(p.t)-1 {
		return nil, false
	}
	if name == "" {
		name = strings.Trim(p.at(open+1).text, `"'`)
	}
	called, parts, ok := p.sampleOf(p.at(i+2).text, p.list(open+1, end)[1:])
	if !ok {
		return nil, false
	}
	args, observed, size := p.pythonArgs(parts)
	span := p.span(0, len(p.t))
	l, known := foreign.Laws[strings.ToLower(strings.ReplaceAll(called, "_", ""))]
	if !known {
		l = foreign.Law{Kind: "real", Name: strings.ToLower(called)}
	}
	list := strings.Join(args, ", ")
	switch {
	case called == "Deterministic" || called == "deterministic":
		p.say("E0101", span, "a value that is stored with every draw is a `track`").Suggest(span,
			"track "+name+" = "+list)
	case called == "Potential" || called == "factor":
		p.say("E0101", span, "a term is added to the log density with `factor`").Suggest(span,
			"factor "+list)
	case observed != "":
		p.say("E0101", span,
			"what is observed stands before `~`, and its distribution after it").Suggest(span,
			observed+" ~ "+l.Name+"("+l.Lead+list+")")
	case l.Name == "uniform":
		p.say("E0101", span, "an unknown is declared with its type and its prior").Suggest(span,
			"param "+name+size+" : interval("+list+")")
	default:
		p.say("E0101", span, "an unknown is declared with its type and its prior").
			Suggest(span, "param "+name+size+" : "+l.Kind+" ~ "+l.Name+"("+l.Lead+list+")")
	}
	return nil, true
}

// sampleOf replaces sample("mu", dist.Normal(0, 1), …) by the distribution that it draws from:
// its name, and its arguments before the other arguments of sample.
func (p *phrase) sampleOf(called string, parts [][2]int) (string, [][2]int, bool) {
	if called != "sample" || len(parts) == 0 {
		return called, parts, true
	}
	a, b := parts[0][0], parts[0][1]
	for a+1 < b && p.at(a+1).is(".") {
		a += 2
	}
	if !p.at(a + 1).is("(") {
		return "", nil, false
	}
	inner := p.close(a + 1)
	if inner < 0 || inner >= b {
		return "", nil, false
	}
	parts = parts[1:]
	if inner > a+2 {
		parts = append(p.list(a+2, inner), parts...)
	}
	return p.at(a).text, parts, true
}

// pythonArgs are the arguments of a distribution in Python, what it is observed as, and the
// sizes of what it draws; names of arguments are left away.
func (p *phrase) pythonArgs(parts [][2]int) (args []string, observed, size string) {
	for _, part := range parts {
		a, b := part[0], part[1]
		if a >= b {
			continue
		}
		if b-a > 2 && p.at(a).kind == tIdent && p.at(a+1).is("=") {
			switch p.at(a).text {
			case "obs", "observed":
				observed = p.text(a+2, b)
				continue
			case "shape":
				size = "[" + strings.Trim(p.text(a+2, b), "()") + "]"
				continue
			case "dims", "initval", "testval", "infer", "rng_key", "sample_shape":
				continue
			}
			a += 2
		}
		args = append(args, p.text(a, b))
	}
	return args, observed, size
}

func isString(t token) bool {
	return t.kind == tOp && t.text != "" && (t.text[0] == '"' || t.text[0] == '\'') &&
		len(t.text) > 1
}
