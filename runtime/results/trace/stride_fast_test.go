//go:build !slow

package trace

// stride is between the moments that TestKilledBetweenDigestAndFile stops at.
const stride = 13
