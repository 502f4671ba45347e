//go:build !windows

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// kills is how often apply is killed.
	kills = 200
	// warmRuns is how often apply is timed with each capacity. The fastest shows what its work takes, the others what else
	// the machine does.
	warmRuns = 3
	// longestDelay bounds the moments of the kills, so that the length of the test does not follow the machine's speed.
	longestDelay = 200 * time.Millisecond
)

const killConfiguration = `
variable "cap" { default = "1KiB" }
device "cpu" {}
pool "arena" {
  device = device.cpu
  size   = var.cap
}
graph "net" {
  source = "net.json"
  device = device.cpu
}
export "tvm" {
  graph  = graph.net
  format = "tvm"
  path   = "tvm.json"
}
`

// killedApply is a directory in which apply is killed; contents are the whole files that may stand there after each kill.
type killedApply struct {
	t        *testing.T
	dir      string
	contents map[string][][]byte
}

// command is this test program, which is memplan when it is called so.
func (k *killedApply) command(args ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(k.t, err)
	return &exec.Cmd{Path: self, Args: append([]string{"memplan"}, args...), Dir: k.dir}
}

func (k *killedApply) apply(capacity string) *exec.Cmd {
	return k.command("apply", "-auto-approve", "-var", "cap="+capacity, "net.hcl")
}

// record notes what a complete apply writes, and returns how long it takes.
func (k *killedApply) record(capacity string) time.Duration {
	start := time.Now()
	out, err := k.apply(capacity).CombinedOutput()
	require.NoError(k.t, err, "%s", out)
	for _, name := range []string{"net.lock.json", "tvm.json"} {
		data, err := os.ReadFile(filepath.Join(k.dir, name))
		require.NoError(k.t, err)
		k.contents[name] = append(k.contents[name], data)
	}
	return time.Since(start)
}

// whole reports whether a file is one of those that a complete apply wrote; a backup is a lock.
func (k *killedApply) whole(name, as string) {
	data, err := os.ReadFile(filepath.Join(k.dir, name))
	require.NoError(k.t, err)
	for _, content := range k.contents[as] {
		if bytes.Equal(content, data) {
			return
		}
	}
	k.t.Fatalf("%s is neither the old nor the new one:\n%s", name, data)
}

// TestAKillLeavesTheOldStateOrTheNew kills apply at random moments of its work. Whatever the moment, every file is whole, no
// guard is in the way, and the next apply completes the work.
func TestAKillLeavesTheOldStateOrTheNew(t *testing.T) {
	k := &killedApply{t: t, dir: t.TempDir(), contents: map[string][][]byte{}}
	require.NoError(t, os.WriteFile(filepath.Join(k.dir, "net.hcl"), []byte(killConfiguration), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(k.dir, "net.json"), []byte(oneOp), 0o644))
	capacities := []string{"1KiB", "2KiB"}
	took := longestDelay
	for i := range 2 * warmRuns {
		took = min(took, k.record(capacities[i%2]))
	}
	random := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for i := range kills {
		// What apply is told to accept changes whenever the last one got so far as to write it.
		cmd := k.apply(capacities[(i+killed)%2])
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(random.Int64N(int64(took))))
		require.NoError(t, cmd.Process.Kill())
		if cmd.Wait() != nil {
			killed++
		}
		k.whole("net.lock.json", "net.lock.json")
		k.whole("net.lock.json.backup", "net.lock.json")
		k.whole("tvm.json", "tvm.json")
	}
	require.NotZero(t, killed)
	out, err := k.apply(capacities[0]).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = k.command("check", "-var", "cap="+capacities[0], "net.hcl").CombinedOutput()
	require.NoError(t, err, "%s", out)
}
