package ir

// docs describe the maps, whose names are those of the functions.
var docs = map[string]string{
	"add": "x + y", "sub": "x − y", "mul": "x y", "div": "x / y", "pow": "x to the power y", "neg": "−x",
	"abs": "|x|", "sign": "−1, 0 or 1", "min": "the smaller", "max": "the larger",
	"floor": "the largest whole number not above x", "ceil": "the smallest whole number not below x",
	"round": "the nearest whole number, the even one at a tie", "mod": "what is left of x after whole multiples of y",
	"lt": "1 where x < y, else 0", "le": "1 where x ≤ y, else 0", "gt": "1 where x > y, else 0", "ge": "1 where x ≥ y, else 0",
	"eq": "1 where x = y, else 0", "ne": "1 where x ≠ y, else 0", "and": "1 where neither is 0, else 0",
	"or": "1 where one is not 0, else 0", "not": "1 where x is 0, else 0",
	"mul0": "x y, and 0 where x is 0 whatever y is",
	"exp":  "eˣ", "log": "the natural logarithm", "log1p": "log(1 + x)", "expm1": "eˣ − 1", "sqrt": "the square root",
	"sigmoid": "1 / (1 + e⁻ˣ)", "log_sigmoid": "−log(1 + e⁻ˣ)", "log1p_exp": "log(1 + eˣ)", "log1m_exp": "log(1 − eˣ)",
	"logit": "log(x / (1 − x))", "tanh": "the hyperbolic tangent", "sinh": "the hyperbolic sine", "cosh": "the hyperbolic cosine",
	"sin": "the sine", "cos": "the cosine", "tan": "the tangent", "asin": "the arc sine", "acos": "the arc cosine",
	"atan": "the arc tangent", "atan2": "the angle of the point (y, x), arguments in that order", "relu": "max(x, 0)",
	"lgamma": "log|Γ(x)|", "digamma": "the derivative of lgamma", "trigamma": "the derivative of digamma",
	"erf": "the error function", "erfc": "1 − erf(x)", "normal_cdf": "P(Z ≤ x) of a standard normal Z", "log_normal_cdf": "log P(Z ≤ x)",
}
