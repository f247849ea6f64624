package bucket

import (
	"errors"
	"slices"

	"gocloud.dev/gcerrors"
)

// ErrDenied is in the chain of an error of a store that does not accept the credentials: they
// have ended, are wrong, or do not suffice.
var ErrDenied = errors.New("the credentials have ended, are wrong, or do not suffice")

// deniedCodes are the codes of S3 and its kin that say so. A reply without a body has the words
// of its status.
var deniedCodes = []string{"AccessDenied", "ExpiredToken", "ExpiredTokenException", "Forbidden",
	"InvalidAccessKeyId", "InvalidToken", "RequestExpired", "SignatureDoesNotMatch",
	"TokenRefreshRequired", "Unauthorized"}

func denied(err error) bool {
	if gcerrors.Code(err) == gcerrors.PermissionDenied {
		return true
	}
	var coded interface{ ErrorCode() string }
	return errors.As(err, &coded) && slices.Contains(deniedCodes, coded.ErrorCode())
}
