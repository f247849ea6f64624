package run

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/predictive"
)

// Completed names the protocol of a CompletionScore.
const Completed = "document completion: latent values of rows are fitted to the entries that are " +
	"known, the others are scored"

// Unknown names the protocol for rows of which nothing is known.
const Unknown = "importance sampling from the prior of the locals: the probability of a row is " +
	"averaged over draws of its latent values"

// A CompletionScore is the JSON of `score --observed --json`.
type CompletionScore struct {
	Protocol string `json:"protocol"`
	Rows     int    `json:"rows"`
	Entries  int    `json:"entries"`
	Draws    int    `json:"draws"`    // of the params, used, of all chains
	LPDMean  Float  `json:"lpd_mean"` // of an entry
	// Of categories, counts and the like: exp(−lpd_mean).
	Perplexity *Float `json:"perplexity,omitempty"`
	// Of whole rows: −lpd_mean, the log-perplexity of the literature on documents.
	LogPerplexity *Float               `json:"log_perplexity,omitempty"`
	Sites         map[string]SiteEntry `json:"sites,omitempty"` // where there are several
}

// A SiteEntry is of one observed name.
type SiteEntry struct {
	Entries int   `json:"entries"`
	LPDMean Float `json:"lpd_mean"`
}

// CompletionOf returns the score of a completion from m, the means over draws of the values that
// its evaluators write. prior reports whether none of the values of the rows were given.
func CompletionOf(c *model.Completion, m *predictive.Mean, prior bool) *CompletionScore {
	spec := c.Spec()
	out := &CompletionScore{Protocol: Completed, Rows: c.Rows(), Draws: int(m.Draws())}
	total, sites, discrete := 0.0, map[string]SiteEntry{}, true
	for i := range c.Width() {
		k, weight := c.Entry(i)
		if weight == 0 {
			continue
		}
		l := float64(weight * m.Log(i))
		name := spec.Entries[k].Site
		s := sites[name]
		s.Entries, s.LPDMean = s.Entries+int(weight), s.LPDMean+Float(l)
		sites[name] = s
		total, out.Entries = total+l, out.Entries+int(weight)
	}
	for name, s := range sites {
		s.LPDMean /= Float(s.Entries)
		sites[name] = s
		in := spec.Schema.Input(name)
		discrete = discrete && in != nil &&
			(in.Kind == data.Index || in.Kind == data.Bool || in.Kind == data.Count ||
				in.Kind == data.Int)
	}
	mean := total / float64(out.Entries)
	if len(spec.Entries) == 1 && len(spec.Entries[0].Shape) == 0 && prior {
		out.Protocol = Unknown
		log := Float(-mean)
		out.LogPerplexity, discrete = &log, false
	}
	if out.LPDMean = Float(mean); discrete {
		p := Float(math.Exp(-mean))
		out.Perplexity = &p
	}
	if len(sites) > 1 {
		out.Sites = sites
	}
	return out
}
