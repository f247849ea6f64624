package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
)

// buckets are those that tests run on.
func buckets(t *testing.T) map[string]*Bucket {
	out := map[string]*Bucket{}
	for name, at := range map[string]string{"directory": t.TempDir(), "memory": "mem://" + t.Name()} {
		b, err := Open(t.Context(), at, true)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	return out
}

func TestObjects(t *testing.T) {
	for name, b := range buckets(t) {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if _, err := b.Get(ctx, "a/x"); !errors.Is(err, ErrMissing) {
				t.Errorf("an object that is not there: %v", err)
			}
			if _, err := b.Stat(ctx, "a/x"); !errors.Is(err, ErrMissing) {
				t.Errorf("an object that is not there: %v", err)
			}
			for _, k := range []string{"b/2", "a/x", "a/y"} {
				if err := b.Put(ctx, k, []byte(k+" text")); err != nil {
					t.Fatal(err)
				}
			}
			list, err := b.List(ctx, "a/")
			if err != nil || len(list) != 2 || list[0].Name != "a/x" || list[1].Name != "a/y" {
				t.Errorf("listed %v, %v", list, err)
			}
			r, err := b.Range(ctx, "a/x", 4, 3)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			r.Close()
			if err != nil || string(text) != "tex" {
				t.Errorf("range %q, %v", text, err)
			}
			old, err := b.Stat(ctx, "a/x")
			if err != nil || old.Size != 8 {
				t.Errorf("%v, %v", old, err)
			}
			if err := b.Put(ctx, "a/x", []byte("another text")); err != nil {
				t.Fatal(err)
			}
			if now, _ := b.Stat(ctx, "a/x"); now.ETag == old.ETag {
				t.Errorf("other bytes have the same tag %s", now.ETag)
			}
			for range 2 {
				if err := b.Delete(ctx, "a/x"); err != nil {
					t.Errorf("deleted: %v", err)
				}
			}
		})
	}
}

// Of many that write an object at once, one does.
func TestPutOnce(t *testing.T) {
	for name, b := range buckets(t) {
		t.Run(name, func(t *testing.T) {
			var won atomic.Int64
			var group sync.WaitGroup
			for i := range 16 {
				group.Go(func() {
					wrote, err := b.PutOnce(context.Background(), "done", fmt.Appendf(nil, "by %02d", i))
					if err != nil {
						t.Error(err)
					}
					if wrote {
						won.Add(1)
					}
				})
			}
			group.Wait()
			text, err := b.Get(t.Context(), "done")
			if won.Load() != 1 || err != nil || len(text) != 5 {
				t.Errorf("%d wrote %q, %v", won.Load(), text, err)
			}
		})
	}
}
