package memory

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

func TestGrowthPercent(t *testing.T) {
	for _, c := range []struct {
		live, scan uint64
		want       int
	}{
		{0, 0, 100}, {1 << 20, 0, 100}, {4 << 20, 4 << 20, 100}, {8 << 20, 0, 51}, {32 << 20, 0, 13},
		{1 << 30, 0, 4}, {1 << 30, 1 << 28, 26}, {1 << 30, 1 << 30, 100},
	} {
		if got := growthPercent(c.live, c.scan); got != c.want {
			t.Errorf("%d, of which %d are read: %d, want %d", c.live, c.scan, got, c.want)
		}
	}
}

// TestTight: the collector is to run before a process that holds 64 MiB has 80, and lets the heap
// double again when they are gone.
func TestTight(t *testing.T) {
	t.Setenv("GOGC", "")
	Tight()
	goal := func() float64 {
		s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
		metrics.Read(s)
		return float64(s[0].Value.Uint64())
	}
	wait := func(within float64) {
		t.Helper()
		runtime.GC()
		for range 1000 {
			if goal() < within {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("the heap may grow to %s; %s were expected", Text(goal()), Text(within))
	}
	held := make([]byte, 64<<20)
	wait(80 << 20)
	runtime.KeepAlive(held)
	held = nil
	wait(12 << 20)
}
