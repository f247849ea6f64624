package worker

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/typed"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// A Sampling is the body of the kind "posterior". Zero fields have the defaults of `sgppl sample`.
type Sampling struct {
	Seed    uint64 `json:"seed"`
	Chains  int    `json:"chains"`
	Warmup  int64  `json:"warmup,omitempty"`
	Draws   int64  `json:"draws"`
	Sampler string `json:"sampler,omitempty"`
}

// A Posterior describes draws, which are not kept.
type Posterior struct {
	Verdict string           `json:"verdict,omitempty"`
	Problem []string         `json:"problems,omitempty"` // rows of the health table that are not ok
	Draws   string           `json:"draws,omitempty"`    // digest of all of them
	Params  map[string]Stats `json:"params,omitempty"`
}

// Stats describe the draws of a number.
type Stats struct {
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
	Q5   Number `json:"q5"`
	Q50  Number `json:"q50"`
	Q95  Number `json:"q95"`
	ESS  Number `json:"ess"`
	Rhat Number `json:"rhat"`
}

// A Number is a float whose JSON is null where it is not finite.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler: null is NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// posterior samples the posterior of a model, and describes its draws.
func posterior(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	var b Sampling
	if err := json.Unmarshal(q.Body, &b); err != nil {
		return nil, err
	}
	s := typed.DefaultSettings()
	s.Seed, s.Chains, s.Draws, s.Threads = b.Seed, b.Chains, b.Draws, 1
	if b.Sampler != "" {
		s.Sampler = b.Sampler
	}
	if b.Warmup > 0 {
		s.Warmup = b.Warmup
	}
	set, err := typed.Collect(ctx, m, s)
	if err != nil {
		return nil, err
	}
	return json.Marshal(describe(set))
}

// describe keeps what is kept of the draws.
func describe(set *typed.Set) *Posterior {
	p := &Posterior{Verdict: "ok", Params: map[string]Stats{}}
	for _, r := range set.Summary() {
		p.Params[r.Name] = Stats{Number(r.Mean), Number(r.SD), Number(r.Q5), Number(r.Q50),
			Number(r.Q95), Number(min(r.ESSBulk, r.ESSTail)), Number(r.Rhat)}
	}
	for _, h := range set.Health() {
		if health.Severity(h.Verdict) > health.Severity("ok") {
			p.Problem = append(p.Problem, fmt.Sprintf("%s %s %.4g: %s", h.Block, h.Statistic, h.Value,
				h.Verdict))
		}
		if health.Severity(h.Verdict) > health.Severity(p.Verdict) {
			p.Verdict = h.Verdict
		}
	}
	digest := sha256.New()
	for c := range set.Chains() {
		for i := range set.Len() {
			d, err := set.Draw(c, i)
			if err != nil {
				panic(err) // both are in range
			}
			for _, v := range d.Values {
				digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
	}
	p.Draws = hex.EncodeToString(digest.Sum(nil)[:16])
	return p
}

// kept samples the posterior as calibration does.
func kept(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	var w replicate.Work
	if err := json.Unmarshal(q.Body, &w); err != nil {
		return nil, err
	}
	k, err := replicate.Sample(ctx, m, w)
	if err != nil {
		return nil, err
	}
	return json.Marshal(k)
}
