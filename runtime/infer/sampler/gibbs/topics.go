package gibbs

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A topics sweeps over the topics z of words with their distributions integrated out: z is k with
// weight (n[d, k] + α)(m[k, w] + β) / (m[k] + Σ β), where n and m count the other words of document
// d with topic k, and the words w with it (Griffiths and Steyvers 2004, equation 5).
type topics struct {
	z, theta, phi *target.Conditional
	k             int
	// of every word that counts: where its topic is in z, its document and which word it is
	at, document, word []int32
	// priors and counts, added: by document and topic, by word and topic, by topic
	alpha, beta, sum []float64
	n, m, total      []float64
	inverse, weights []float64
}

// newTopics finds the topic model in a list of conditionals, and reads its data; nil without one.
func newTopics(
	eval target.ConditionalEvaluator, list []target.Conditional, values []float64,
) *topics {
	t := &topics{}
	var numbers []float64
	for i := range list {
		switch c := &list[i]; c.Law {
		case target.TopicsLaw:
			t.z, t.k, numbers = c, c.Values, make([]float64, c.Len())
			eval.Conditional(i, values, numbers)
		case target.TopicsRowLaw:
			t.theta = c
		case target.TopicsColumnLaw:
			t.phi = c
		}
	}
	if t.z == nil {
		return nil
	}
	l := t.z.Lens
	document, word, counts := numbers[:l[0]], numbers[l[0]:2*l[0]], numbers[2*l[0]:3*l[0]]
	for i, count := range counts {
		if count != 0 {
			t.at = append(t.at, int32(i))
			t.document = append(t.document, int32(document[i]))
			t.word = append(t.word, int32(word[i]))
		}
	}
	prior := numbers[3*l[0]:]
	t.alpha, t.beta = make([]float64, l[3]), make([]float64, l[4])
	for i, a := range prior[:l[3]] {
		t.alpha[i] = a + 1
	}
	words := l[4] / max(t.k, 1)
	t.sum = make([]float64, t.k)
	for k := range t.k {
		for w := range words {
			b := prior[l[3]+k*words+w] + 1
			t.beta[w*t.k+k] = b
			t.sum[k] += b
		}
	}
	t.n, t.m = make([]float64, l[3]), make([]float64, l[4])
	t.total, t.inverse = make([]float64, t.k), make([]float64, t.k)
	t.weights = make([]float64, t.k)
	return t
}

// count counts the topics of all words, so that no rounding error of a sweep is in the next.
func (t *topics) count(z []float64) {
	copy(t.n, t.alpha)
	copy(t.m, t.beta)
	copy(t.total, t.sum)
	for i, at := range t.at {
		k := int(z[at])
		t.n[int(t.document[i])*t.k+k]++
		t.m[int(t.word[i])*t.k+k]++
		t.total[k]++
	}
}

// sweep draws the topic of one word after another, given those of all others.
func (t *topics) sweep(src *rng.Source, z []float64) {
	t.count(z)
	for k, x := range t.total {
		t.inverse[k] = 1 / x
	}
	size := t.k
	p, inverse := t.weights[:size], t.inverse[:size]
	for i, at := range t.at {
		d, w := int(t.document[i])*size, int(t.word[i])*size
		n, m := t.n[d:d+size:d+size], t.m[w:w+size:w+size]
		old := int(z[at])
		n[old]--
		m[old]--
		t.total[old]--
		inverse[old] = 1 / t.total[old]
		var s0, s1, s2, s3 float64
		k := 0
		for ; k+4 <= size; k += 4 {
			p0 := float64(float64(n[k]*m[k]) * inverse[k])
			p1 := float64(float64(n[k+1]*m[k+1]) * inverse[k+1])
			p2 := float64(float64(n[k+2]*m[k+2]) * inverse[k+2])
			p3 := float64(float64(n[k+3]*m[k+3]) * inverse[k+3])
			p[k], p[k+1], p[k+2], p[k+3] = p0, p1, p2, p3
			s0, s1, s2, s3 = s0+p0, s1+p1, s2+p2, s3+p3
		}
		for ; k < size; k++ {
			p[k] = float64(float64(n[k]*m[k]) * inverse[k])
			s0 += p[k]
		}
		u := src.Float64() * (s0 + s1 + s2 + s3)
		now := 0
		for ; now < size-1; now++ {
			if u -= p[now]; u < 0 {
				break
			}
		}
		z[at] = float64(now)
		n[now]++
		m[now]++
		t.total[now]++
		inverse[now] = 1 / t.total[now]
	}
}

// draw draws the distributions of topics and of their words, given the topics of all words.
func (t *topics) draw(s *Sampler) string {
	z := s.entries(t.z)
	t.count(z)
	theta := s.entries(t.theta)
	for at := 0; at+t.k <= len(theta); at += t.k {
		a := t.weights
		for k := range a {
			a[k] = t.n[at+k] - 1
		}
		if problem := s.dirichlet(theta[at:at+t.k], a); problem != "" {
			return problem
		}
	}
	phi := s.entries(t.phi)
	words := t.phi.Size
	for k := range t.k {
		row := s.out[:words]
		for w := range row {
			row[w] = t.m[w*t.k+k] - 1
		}
		if problem := s.dirichlet(phi[k*words:(k+1)*words], row); problem != "" {
			return problem
		}
	}
	return ""
}
