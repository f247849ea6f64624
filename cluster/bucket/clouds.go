//go:build !noclouds

package bucket

// The buckets of clouds are told apart by the scheme of the URL. A program that is
// built with the tag noclouds has directories and memory alone, and is smaller.
import (
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
)
