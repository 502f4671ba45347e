package exec_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

var peers = flag.Int("peers", 0, "time the models on OpenCL and in their peers with so many threads, and rewrite the table in docs/performance.md")

const (
	peerDir         = "testdata/peers"
	performancePage = "../../docs/performance.md"
	// The runs of each side: first some that do not count, then rounds of both sides in turn.
	warmUps, rounds, runsPerRound = 10, 10, 5
)

// TestPeers finds every model in the tables of docs/performance.md, and with -peers makes one anew, which takes minutes, an
// idle machine and packages from npm: make bench-runtime. It compares nothing with a clock.
func TestPeers(t *testing.T) {
	names, all := goldens(t)
	if *peers == 0 {
		page, err := os.ReadFile(performancePage)
		require.NoError(t, err)
		_, tables, found := strings.Cut(string(page), "<!-- begin runtime threads 2 -->")
		require.True(t, found)
		for _, name := range names {
			require.Contains(t, tables, "| "+name+" |")
		}
		return
	}
	// PoCL reads it when it starts.
	t.Setenv("POCL_MAX_PTHREAD_COUNT", strconv.Itoa(*peers))
	var b strings.Builder
	b.WriteString("| model | peer | peer, ms | memplan, ms | ratio | launches | enqueueing |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, name := range names {
		onnx := strings.HasSuffix(name, ".onnx")
		if !onnx && *peers > 1 {
			// The interpreter of this peer has one thread.
			continue
		}
		b.WriteString(comparePeer(t, name, all[name], map[bool]string{true: "onnxruntime", false: "TensorFlow Lite"}[onnx]))
	}
	t.Log("\n" + b.String())
	replaceTable(t, fmt.Sprintf("runtime threads %d", *peers), b.String())
}

// replaceTable puts a table between its two marks in docs/performance.md.
func replaceTable(t *testing.T, name, table string) {
	t.Helper()
	page, err := os.ReadFile(performancePage)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), "<!-- begin "+name+" -->\n")
	_, after, closed := strings.Cut(rest, "<!-- end "+name+" -->")
	require.True(t, ok && closed, "the page has no table %q", name)
	text := before + "<!-- begin " + name + " -->\n" + table + "<!-- end " + name + " -->" + after
	require.NoError(t, os.WriteFile(performancePage, []byte(text), 0o644))
}

// comparePeer times one model on both sides and returns its row.
func comparePeer(t *testing.T, name string, want golden, peerName string) string {
	p, g := planModel(t, name, want, openclDefaults)
	session := opencltest.Connect(t)
	dev := &launchTimer{Device: session.NewDevice()}
	defer func() { require.NoError(t, dev.Close()) }()
	r, diags, err := exec.New(context.Background(), p, p.Graphs[0].Name, g, dev, exec.Options{})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	peer := startPeer(t, name, g.Tensor(g.Inputs[0]).Shape)
	inputs := ramp(t, g)
	run := func(n int) (times []float64) {
		for range n {
			began := time.Now()
			diags, err := r.Execute(context.Background(), inputs)
			times = append(times, float64(time.Since(began))/1e6)
			require.NoError(t, err)
			require.Empty(t, diags)
		}
		return times
	}
	peer.run(t, warmUps)
	run(warmUps)
	dev.spent = nil
	launches := session.Launches()
	var theirs, ours []float64
	for range rounds {
		theirs = append(theirs, peer.run(t, runsPerRound)...)
		ours = append(ours, run(runsPerRound)...)
	}
	enqueueing := median(dev.spent) / median(ours)
	// On a machine with other load the shortest runs tell more than medians.
	t.Logf("%s: shortest runs %.2f and %.2f ms, shortest enqueueing %.3f ms", name, slices.Min(theirs), slices.Min(ours), slices.Min(dev.spent))
	return fmt.Sprintf("| %s | %s | %.2f | %.2f | %.2f | %d | %.0f %% |\n", name, peerName, median(theirs), median(ours), median(ours)/median(theirs),
		(session.Launches()-launches)/int64(len(ours)), 100*enqueueing)
}

func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

// launchTimer is a device that measures how long the starting of steps takes: from the first one of a run until all are started,
// with what the runner does between them. A clock that is read for each step would be a good part of what it measures.
type launchTimer struct {
	device.Device
	began time.Time
	// spent is that of each run, in milliseconds.
	spent []float64
}

func (d *launchTimer) Run(ctx context.Context, h device.Handle) error {
	if d.began.IsZero() {
		d.began = time.Now()
	}
	return d.Device.Run(ctx, h)
}

// Join implements device.Joiner.
func (d *launchTimer) Join(steps []device.Handle) ([]device.Stretch, error) {
	return d.Device.(device.Joiner).Join(steps)
}

func (d *launchTimer) Finish() error {
	d.spent = append(d.spent, float64(time.Since(d.began))/1e6)
	d.began = time.Time{}
	return d.Device.Finish()
}

// peerProcess is a model in testdata/peers/peer.js.
type peerProcess struct {
	in  io.Writer
	out *bufio.Reader
}

func startPeer(t *testing.T, name string, shape graph.Shape) *peerProcess {
	var dims []string
	for _, n := range shape {
		dims = append(dims, strconv.FormatInt(n, 10))
	}
	cmd := osexec.Command("node", "peer.js", "../../"+modelDir+"/"+name, strconv.Itoa(*peers), strings.Join(dims, ","))
	cmd.Dir = peerDir
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { require.NoError(t, cmd.Wait()) })
	t.Cleanup(func() { require.NoError(t, in.Close()) })
	return &peerProcess{in, bufio.NewReader(out)}
}

// run returns the times of n runs in milliseconds.
func (p *peerProcess) run(t *testing.T, n int) (times []float64) {
	_, err := fmt.Fprintln(p.in, n)
	require.NoError(t, err)
	// The interpreter tells about itself on the same stream.
	for {
		line, err := p.out.ReadBytes('\n')
		require.NoError(t, err, "the peer ended: is it installed? make bench-runtime does it")
		if line[0] == '[' && json.Unmarshal(line, &times) == nil {
			return times
		}
	}
}
