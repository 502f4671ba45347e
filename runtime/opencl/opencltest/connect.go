package opencltest

import (
	"os"
	"sync"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/opencl"
)

// connection is the outcome of connecting.
type connection struct {
	session *opencl.Session
	diags   diag.Diagnostics
	err     error
}

var connected = sync.OnceValue(func() (c connection) {
	c.session, c.diags, c.err = opencl.Connect(opencl.Options{})
	return c
})

// Connect returns the session that all tests of a process share. A machine without OpenCL skips the test, loudly, and fails
// it where nothing may be skipped.
func Connect(t testing.TB) *opencl.Session {
	t.Helper()
	c := connected()
	if c.err != nil {
		t.Fatal(c.err)
	}
	if len(c.diags) > 0 {
		if os.Getenv("MEMPLAN_REQUIRE_ALL") != "" {
			t.Fatalf("OpenCL is required and absent: %s", c.diags[0].Detail)
		}
		t.Skipf("NO OPENCL DEVICE: %s", c.diags[0].Detail)
	}
	return c.session
}
