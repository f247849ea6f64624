// Package session is what the commands of sgppl share: the world that they see, the
// errors that end them, models that are compiled and bound to data, the draws of runs,
// and engines. It knows nothing of flags.
package session
