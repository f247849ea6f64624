package diag

// checkCodes are the mistakes that the checker finds: E02 to E06, and the lints.
var checkCodes = []Explanation{}
