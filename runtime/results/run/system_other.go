//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package run

// lock does nothing where the standard library has no lock that dies with its
// holder.
func lock(string) (unlock func(), err error) { return func() {}, nil }

func tryLock(dir string) (unlock func(), err error) { return lock(dir) }

func stayAlive() {}
