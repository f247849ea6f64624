//go:build linux && !amd64 && !arm64

package system

// syncFS is 0: files are synced one by one.
const syncFS = 0
