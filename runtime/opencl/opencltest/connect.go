package opencltest

import (
	"sync"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/testdata/needs"
)

// connection is the outcome of connecting.
type connection struct {
	session *opencl.Session
	diags   diag.Diagnostics
	err     error
}

var connected = sync.OnceValue(func() (c connection) {
	c.session, c.diags, c.err = opencl.Connect(opencl.Options{JoinFrom: 1})
	return c
})

// Connect returns the session that all tests of a process share. It joins the launches of small graphs too. A machine without
// OpenCL skips the test, loudly, and fails it where nothing may be skipped.
func Connect(t testing.TB) *opencl.Session {
	t.Helper()
	c := connected()
	if c.err != nil {
		t.Fatal(c.err)
	}
	if len(c.diags) > 0 {
		needs.Missing(t, "there is no OpenCL device: %s", c.diags[0].Detail)
	}
	return c.session
}

// Joining is Connect for tests of joined launches, which need a device that is a processor.
func Joining(t testing.TB) *opencl.Session {
	t.Helper()
	s := Connect(t)
	if reason := s.Unjoined(); reason != "" {
		needs.Missing(t, "the OpenCL device does not join launches: %s", reason)
	}
	return s
}
