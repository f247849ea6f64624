package sketch

import "math"

// A Chain is the summary of one number in one chain, as Sketch.Chain and the store of a run give
// it.
type Chain struct {
	Count          float64 // draws
	Mean, Variance float64 // the divisor of the variance is Count − 1; NaN below two draws
	Batches        float64 // full batches
	Length         float64 // draws of a batch
	// Spread is Length times the variance of the batch means, NaN where there are too few of them.
	Spread float64
	// Half is the mean of the first ⌊Batches/2⌋ batches.
	Half float64
	// Value are the entries of the quantile sketch, rising, Low and High the bounds of their ranks
	// among the Count draws.
	Value, Low, High []float64
}

// Chain writes the summary of number i into c, whose slices are used again.
func (k *Sketch) Chain(i int, c *Chain) {
	*c = Chain{Count: float64(k.count), Mean: k.mean[i], Variance: math.NaN(), Spread: math.NaN(),
		Half:  math.NaN(),
		Value: c.Value[:0], Low: c.Low[:0], High: c.High[:0]}
	if k.count > 1 {
		c.Variance = k.square[i] / float64(k.count-1)
	}
	if k.ranks.entries == 0 || k.count == 0 {
		return
	}
	c.Batches, c.Length = float64(k.batches.full), float64(k.batches.length)
	c.Spread, c.Half = k.batches.spread(i), k.origin[i]+k.batches.half(i)
	for _, e := range k.ranks.entry(i, uint32(min(k.count, k.ranks.most))) {
		c.Value = append(c.Value, k.origin[i]+float64(e.value))
		c.Low, c.High = append(c.Low, float64(e.low)), append(c.High, float64(e.high))
	}
}

// A Summary is the summary of one number over all chains. Statistics that cannot be computed are
// NaN.
type Summary struct {
	Count    float64 // draws of all chains
	Mean, SD float64
	// MCSEMean is the Monte Carlo standard error of the mean, by replicated batch means (Argon and
	// Andradóttir 2006, "Replicated batch means for steady-state simulations"): deviations are
	// those from the mean of all chains. Where chains disagree by more than batches explain, their
	// distance is part of it. It has about as many degrees of freedom as there are batches, 8 to 15
	// a chain.
	MCSEMean float64
	// ESSMean is the effective sample size for the mean that this error is that of, at most Count ·
	// log10(Count).
	ESSMean float64
	// Rhat is the potential scale reduction of the two halves of every chain (Gelman et al. 2013,
	// Bayesian Data Analysis, §11.4), of the draws themselves and not of their ranks; the halves
	// meet at the end of a batch.
	Rhat float64
	// Quantile are those of Targets, Bound the bounds of the errors of their ranks, as Quantile has
	// them.
	Quantile, Bound []float64
}

// Join summarises one number over chains that ran independently of one another.
func Join(chains []Chain) Summary {
	nan := math.NaN()
	s := Summary{Mean: nan, SD: nan, MCSEMean: nan, ESSMean: nan, Rhat: nan}
	n, mean, square := pool(chains)
	s.Count = n
	for range Targets {
		s.Quantile, s.Bound = append(s.Quantile, nan), append(s.Bound, nan)
	}
	if n == 0 || math.IsNaN(mean-mean) { // a draw that is not finite makes all NaN
		return s
	}
	s.Mean = mean
	if n > 1 {
		s.SD = math.Sqrt(square / (n - 1))
	}
	for i, p := range Targets {
		s.Quantile[i], s.Bound[i] = Quantile(chains, p)
	}
	if !(square > 0) {
		return s
	}
	spread := replicated(chains, n, mean)
	s.MCSEMean = math.Sqrt(spread / n)
	if s.ESSMean = square / (n - 1) * n / spread; s.ESSMean > n*math.Log10(n) {
		s.ESSMean = n * math.Log10(n)
	}
	s.Rhat = rhat(chains)
	return s
}

// pool joins the moments (Chan, Golub and LeVeque 1979, "Updating formulae and a pairwise algorithm
// for computing sample variances", eq. 1.5).
func pool(chains []Chain) (n, mean, square float64) {
	for i := range chains {
		c := &chains[i]
		if c.Count == 0 {
			continue
		}
		q := 0.0
		if c.Count > 1 {
			q = c.Variance * (c.Count - 1)
		}
		d := c.Mean - mean
		mean += d * c.Count / (n + c.Count)
		square += q + float64(d*d*n*c.Count/(n+c.Count))
		n += c.Count
	}
	return n, mean, square
}

// replicated is the asymptotic variance of the mean of n draws by batches of all chains. The means
// of chains may differ by more than the batches explain, by four standard deviations of the χ² of
// their spread. Then the chains do not sample one law, and the variance between them is added to
// that of the batches.
func replicated(chains []Chain, n, mean float64) float64 {
	sum, batches, within, freedom := 0.0, 0.0, 0.0, 0.0
	count, average, between, inverse, squares := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range chains {
		c := &chains[i]
		if c.Count == 0 {
			continue
		}
		d := c.Mean - mean
		sum += float64((c.Batches-1)*c.Spread) + float64(c.Length*c.Batches*d*d)
		within += float64((c.Batches - 1) * c.Spread)
		batches, freedom = batches+c.Batches, freedom+c.Batches-1
		count++
		d = c.Mean - average
		average += d / count
		between += float64(d * (c.Mean - average))
		inverse, squares = inverse+1/c.Count, squares+float64(c.Count*c.Count)
	}
	spread := sum / (batches - 1)
	if count < 2 {
		return spread
	}
	between /= count - 1
	within /= freedom
	noise := within * inverse / count
	if between <= noise*(1+float64(4*math.Sqrt(2/(count-1)))) {
		return spread
	}
	return within + float64((between-noise)*squares/n)
}

// rhat is split R-hat; the within variance is that of all halves pooled.
func rhat(chains []Chain) float64 {
	within, freedom, length, halves, average, between := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	add := func(mean float64) {
		halves++
		d := mean - average
		average += d / halves
		between += float64(d * (mean - average))
	}
	for i := range chains {
		c := &chains[i]
		first := float64(c.Length * math.Floor(c.Batches/2))
		rest := c.Count - first
		if first < 2 || rest < 2 {
			return math.NaN()
		}
		second := c.Half + (c.Mean-c.Half)*c.Count/rest
		a, b := c.Half-c.Mean, second-c.Mean
		within += float64(c.Variance*(c.Count-1)) - float64(first*a*a) - float64(rest*b*b)
		freedom, length = freedom+c.Count-2, length+c.Count
		add(c.Half)
		add(second)
	}
	length /= halves
	return math.Sqrt((length-1)/length + between/(halves-1)*freedom/within)
}
