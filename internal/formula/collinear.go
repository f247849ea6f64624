package formula

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// mostCondition is the condition number of the standardised columns above which they are
// called collinear: Belsley, Kuh and Welsch (1980) speak of strong dependencies above 30.
const mostCondition = 30

// collinear says which columns nearly determine each other; "" where none do. The condition
// number is that of the columns with their means taken off, where there is an intercept, and
// divided by their lengths.
func collinear(all []covariate, intercept bool) string {
	labels, rows := make([]string, len(all)), make([][]float64, len(all))
	for i, c := range all {
		labels[i], rows[i] = c.label, c.rows
	}
	return Collinear(labels, rows, intercept)
}

// Collinear says which of some columns nearly determine each other; "" where none do.
func Collinear(labels []string, all [][]float64, intercept bool) string {
	k := len(all)
	if k < 2 {
		return ""
	}
	gram := mat.NewSymDense(k, nil)
	columns := make([][]float64, k)
	for i, rows := range all {
		middle := 0.0
		if intercept {
			middle = mean(rows)
		}
		x, length := make([]float64, len(rows)), 0.0
		for n, v := range rows {
			x[n] = v - middle
			length = math.Hypot(length, x[n])
		}
		for n := range x {
			x[n] /= length
		}
		columns[i] = x
		for j := range i + 1 {
			sum := 0.0
			for n, v := range x {
				sum += v * columns[j][n]
			}
			gram.SetSym(i, j, sum)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return ""
	}
	values := eigen.Values(nil) // rising
	condition := math.Inf(1)
	if values[0] > 1e-14*values[k-1] {
		condition = math.Sqrt(values[k-1] / values[0])
	}
	if condition <= mostCondition {
		return ""
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	var names []string
	for i, label := range labels { // those that the direction of least length is made of
		if math.Abs(vectors.At(i, 0)) > 0.2 {
			names = append(names, label)
		}
	}
	list := strings.Join(names, ", ")
	if math.IsInf(condition, 1) {
		return fmt.Sprintf("the columns %s determine each other: only the priors tell their "+
			"slopes apart; leave one out", list)
	}
	return fmt.Sprintf("the columns %s are nearly collinear: the condition number of the "+
		"standardised design is %.0f, above %d, "+
		"and the data tell little of each slope alone; leave one out, or combine them", list,
		condition, mostCondition)
}
