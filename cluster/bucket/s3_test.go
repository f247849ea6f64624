//go:build !noclouds

package bucket

import (
	"errors"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// s3 is a bucket of a server of S3's protocol in this process.
func s3(t *testing.T) *Bucket {
	t.Helper()
	back := s3mem.New()
	if err := back.CreateBucket("lake"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(back).Server())
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "us-east-1")
	b, err := Open(t.Context(), "s3://lake/runs/1?endpoint="+server.URL+"&use_path_style=true", false)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// S3 has what passes need: ranges, tags that change with the bytes, objects that are written
// once, and a prefix that keeps runs from each other.
func TestS3(t *testing.T) {
	b := s3(t)
	ctx := t.Context()
	if _, err := b.Get(ctx, "x"); !errors.Is(err, ErrMissing) {
		t.Errorf("an object that is not there: %v", err)
	}
	if err := b.Put(ctx, "x", []byte("some text")); err != nil {
		t.Fatal(err)
	}
	old, err := b.Stat(ctx, "x")
	if err != nil || old.Size != 9 {
		t.Errorf("%v, %v", old, err)
	}
	r, err := b.Range(ctx, "x", 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	r.Close()
	if err != nil || string(text) != "te" {
		t.Errorf("%q, %v", text, err)
	}
	for i := range 2 {
		wrote, err := b.PutOnce(ctx, "y.done", []byte{byte(i)})
		if err != nil || wrote != (i == 0) {
			t.Errorf("attempt %d: wrote %v, %v", i, wrote, err)
		}
	}
	if err := b.Put(ctx, "x", []byte("other text")); err != nil {
		t.Fatal(err)
	}
	if now, _ := b.Stat(ctx, "x"); now.ETag == old.ETag {
		t.Error("other bytes have the same tag")
	}
	list, err := b.List(ctx, "")
	if err != nil || len(list) != 2 || list[1].Name != "y.done" {
		t.Errorf("%v, %v", list, err)
	}
}
