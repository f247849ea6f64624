// Package formula turns a formula of a regression, in the notation of R, and the columns of
// a table into a model of the language.
//
//	y ~ x1 + s(x2) + (1 + x1 | school)
//
// [Parse] reads the text. [Write] expands the terms as R does, looks at the columns for what
// the priors depend on, and prints the model. The priors of intercepts, of standard
// deviations and of what families have besides a mean are the defaults of brms, which
// docs/formula.md cites; those of slopes are the defaults of Bambi and rstanarm, because the
// slopes of brms have flat priors.
//
// The package does not read files and does not compile what it prints; the command does.
package formula
