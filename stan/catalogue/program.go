package catalogue

import (
	"regexp"
	"strings"
)

// functions are those of the program that examples call.
const functions = `functions {
  real bump(real x, real xc, array[] real th, data array[] real x_r, data array[] int x_i) {
    return exp(-square(x) * th[1]);
  }
  vector eqs(vector y, vector th) { return [y[1] - exp(th[1]), y[2] * y[1] - th[2]]'; }
  vector eqo(vector y, vector th, data array[] real x_r, data array[] int x_i) {
    return [y[1] ^ 3 + y[1] - th[1], y[2] - y[1]]';
  }
  vector fall(real t, vector y, real k) { return [-k * y[1]]'; }
  vector rest(real t, vector y, vector dy, real k) {
    return [dy[1] + k * y[1], y[2] - square(y[1])]';
  }
  vector shard(vector phi, vector th, data array[] real x_r, data array[] int x_i) {
    return [phi[1] * th[1] * x_r[1]]';
  }
  real part(array[] real y, int start, int end, real x) { return sum(y) * x * start; }
}
`

// data are declared where an example reads them.
var data = [][2]string{{"d", "vector[3]"}, {"Z", "matrix[2, 3]"}, {"xr", "array[2] real"},
	{"xi", "array[2] int"}, {"sr", "array[2, 1] real"}, {"si", "array[2, 1] int"},
	{"k", "array[4] int"}, {"b", "array[2] int"}}

// Data are values for the data of Program.
const Data = `{"d": [0.4, -1.2, 0.9], "Z": [[1.5, 0, 2], [0, 0, 3]], "xr": [0.1, 0.2],
  "xi": [1, 2], "sr": [[1.5], [0.4]], "si": [[1], [2]], "k": [3, 1, 4, 1], "b": [1, 0]}`

// params are declared where an example reads them.
var params = [][2]string{{"x", "real"}, {"q", "real<lower=0>"}, {"p", "real<lower=0, upper=1>"},
	{"v", "vector[3]"}, {"m", "matrix[3, 3]"}, {"T", "matrix[4, 2]"}, {"S", "cov_matrix[3]"},
	{"C", "corr_matrix[3]"}, {"s", "simplex[3]"}, {"o", "ordered[2]"}}

var word = regexp.MustCompile(`\b[A-Za-z]\w*\b`)

// Program is a program of Stan with the statements of rest behind declarations of what examples
// read; rest begins with the name of its block.
func Program(rest string) string {
	read := map[string]bool{"x": true}
	for _, w := range word.FindAllString(rest, -1) {
		read[w] = true
	}
	var out strings.Builder
	for _, f := range []string{"bump", "eqs", "eqo", "fall", "rest", "shard", "part"} {
		if read[f] {
			out.WriteString(functions)
			break
		}
	}
	declare := func(block string, list [][2]string) {
		out.WriteString(block + " {\n")
		for _, d := range list {
			if read[d[0]] {
				out.WriteString("  " + d[1] + " " + d[0] + ";\n")
			}
		}
		out.WriteString("}\n")
	}
	declare("data", data)
	declare("parameters", params)
	return out.String() + rest
}
