package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var figures = flag.Bool("figures", false, "time the language server and rewrite its tables in docs/performance.md")

// pace is how often each thing is timed, after as many runs that are not.
const pace = 100

// measured is a built server that is driven over its standard input and output. What it answers is read and not decoded, but
// for diagnostics.
type measured struct {
	t        *testing.T
	cmd      *exec.Cmd
	in       io.WriteCloser
	messages chan message
	dir      string
	id       int
	version  int
}

type message struct {
	at   time.Time
	body []byte
}

func startMeasured(t *testing.T, command string) *measured {
	m := &measured{t: t, cmd: exec.Command(command), messages: make(chan message, 1000), dir: t.TempDir()}
	in, err := m.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := m.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, m.cmd.Start())
	m.in = in
	go m.read(out)
	m.request("initialize", `{"capabilities":{"workspace":{"inlayHint":{"refreshSupport":true}},"textDocument":{"hover":{"contentFormat":["markdown"]},"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}}}`)
	m.notify("initialized", `{}`)
	t.Cleanup(func() {
		m.request("shutdown", `null`)
		m.notify("exit", `null`)
		require.NoError(t, m.cmd.Wait())
	})
	return m
}

func (m *measured) read(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<20)
	defer close(m.messages)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		m.messages <- message{time.Now(), body}
	}
}

func (m *measured) send(body string) {
	_, err := fmt.Fprintf(m.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(m.t, err)
}

func (m *measured) notify(method, params string) {
	m.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// await returns the first message that is wanted.
func (m *measured) await(wanted func([]byte) bool) message {
	deadline := time.After(time.Minute)
	for {
		select {
		case got, ok := <-m.messages:
			require.True(m.t, ok, "the server has ended")
			if wanted(got.body) {
				return got
			}
		case <-deadline:
			require.Fail(m.t, "the server says nothing")
		}
	}
}

// request sends a request and returns the answer and how long it took.
func (m *measured) request(method, params string) (body []byte, took time.Duration) {
	m.id++
	prefix := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result"`, m.id)
	began := time.Now()
	m.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, m.id, method, params))
	got := m.await(func(body []byte) bool {
		require.NotContains(m.t, string(body[:min(len(body), 60)]), `"error"`)
		return bytes.HasPrefix(body, prefix)
	})
	return got.body, got.at.Sub(began)
}

func (m *measured) uri(name string) string { return "file://" + filepath.Join(m.dir, name) }

// open opens a document and returns how long its first diagnostics took.
func (m *measured) open(name, text string) time.Duration {
	encoded, err := json.Marshal(text)
	require.NoError(m.t, err)
	m.version++
	began := time.Now()
	m.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"memplan","version":%d,"text":%s}}`, m.uri(name), m.version, encoded))
	return m.await(m.published(name)).at.Sub(began)
}

// published tells the diagnostics of a document in its current version.
func (m *measured) published(name string) func([]byte) bool {
	want := fmt.Appendf(nil, `"uri":%q,"version":%d,`, m.uri(name), m.version)
	return func(body []byte) bool { return bytes.Contains(body, want) }
}

// edit replaces characters of a line.
func (m *measured) edit(name string, line, from, to int, text string) {
	m.version++
	m.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"text":%q}]}`,
		m.uri(name), m.version, line, from, line, to, text))
}

// resident is the memory of the server in MiB, its time on processors in milliseconds.
func (m *measured) resident() (mib float64, cpu time.Duration) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.cmd.Process.Pid))
	require.NoError(m.t, err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	require.NoError(m.t, err)
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
	require.NoError(m.t, err)
	_, rest, _ = strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	for _, ticks := range fields[11:13] {
		n, err := strconv.Atoi(ticks)
		require.NoError(m.t, err)
		cpu += time.Duration(n) * 10 * time.Millisecond
	}
	return kib / 1024, cpu
}

// blocks is a configuration of n pools of one device.
func blocks(n int) string {
	var b strings.Builder
	b.WriteString("device \"d\" {\n}\n")
	for i := range n {
		fmt.Fprintf(&b, "\npool \"p%d\" {\n  device    = device.d\n  size      = \"%dKiB\"\n  alignment = 64\n  holds     = [\"activation\", \"input\"] # 😀\n}\n", i, i+1)
	}
	return b.String()
}

// quantiles writes the median and the 95th percentile in milliseconds.
func quantiles(all []time.Duration) string {
	slices.Sort(all)
	ms := func(q int) float64 { return float64(all[(len(all)-1)*q/100]) / 1e6 }
	return fmt.Sprintf("%.1f | %.1f", ms(50), ms(95))
}

// timed runs something that often after a warm-up and returns how long each run took.
func timed(run func() time.Duration) []time.Duration {
	var all []time.Duration
	for i := range 2 * pace {
		if took := run(); i >= pace {
			all = append(all, took)
		}
	}
	return all
}

// TestFigures finds the timed tables of docs/performance.md, and with -figures makes them anew, which takes a minute and an
// idle machine: make bench-lsp. It compares nothing with a clock.
func TestFigures(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "performance.md")
	content, err := os.ReadFile(page)
	require.NoError(t, err)
	text := string(content)
	tables := map[string]func(*testing.T, string) string{"lsp requests": requestFigures, "lsp planning": planningFigures}
	command := filepath.Join(t.TempDir(), "memplan-lsp")
	if *figures {
		out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for name, table := range tables {
		before, rest, found := strings.Cut(text, "<!-- begin "+name+" -->\n")
		require.True(t, found, name)
		_, after, found := strings.Cut(rest, "<!-- end "+name+" -->")
		require.True(t, found, name)
		if *figures {
			text = before + "<!-- begin " + name + " -->\n" + table(t, command) + "<!-- end " + name + " -->" + after
		}
	}
	if *figures {
		require.NoError(t, os.WriteFile(page, []byte(text), 0o644))
	}
}

// requestFigures times what an editor asks for about 1,000 and 10,000 blocks in one file.
func requestFigures(t *testing.T, command string) string {
	var b strings.Builder
	b.WriteString("| what | p50 ms | p95 ms | after an edit p50 ms | p95 ms |\n|---|---:|---:|---:|---:|\n")
	m := startMeasured(t, command)
	m.open("a.hcl", blocks(1000))
	const span = `"range":{"start":{"line":0,"character":0},"end":{"line":100,"character":0}}`
	params := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":7,"character":22},"context":{"includeDeclaration":true},"options":{"tabSize":2,"insertSpaces":true},%s}`, m.uri("a.hcl"), span)
	for _, method := range []string{"hover", "completion", "definition", "references", "documentSymbol", "semanticTokens/full", "formatting", "inlayHint", "foldingRange"} {
		ask := func() time.Duration {
			_, took := m.request("textDocument/"+method, params)
			return took
		}
		plain := timed(ask)
		edited := timed(func() time.Duration {
			m.edit("a.hcl", 20, 2, 2, "# ")
			return ask()
		})
		fmt.Fprintf(&b, "| %s, 1,000 blocks | %s | %s |\n", method, quantiles(plain), quantiles(edited))
	}
	for _, n := range []int{1000, 10_000} {
		name := fmt.Sprintf("%d.hcl", n)
		opened := m.open(name, blocks(n))
		edited := timed(func() time.Duration {
			m.edit(name, 20, 2, 2, "# ")
			began := time.Now()
			return m.await(m.published(name)).at.Sub(began)
		})
		fmt.Fprintf(&b, "| edit to diagnostics, %d blocks (open: %.0f ms) | | | %s |\n", n, float64(opened)/1e6, quantiles(edited))
	}
	mib, _ := m.resident()
	fmt.Fprintf(&b, "\nResident with all three files open: %.0f MiB.\n", mib)
	return b.String()
}

// planningFigures times from the change of a pool's size to the hover that shows the new plan, and measures a server with
// three models open and nothing to do.
func planningFigures(t *testing.T, command string) string {
	models, err := filepath.Abs(filepath.Join("..", "..", "testdata", "models"))
	require.NoError(t, err)
	m := startMeasured(t, command)
	for i, model := range []string{"palm_detection_lite.tflite", "hand_landmark_lite.tflite", "face_detection_short_range.tflite"} {
		source := filepath.Join(m.dir, fmt.Sprintf("%d.tflite", i))
		require.NoError(t, os.Symlink(filepath.Join(models, model), source))
		m.open(fmt.Sprintf("%d.hcl", i), fmt.Sprintf("device \"d\" {\n}\npool \"p\" {\n  device = device.d\n  size = 30000000\n}\ngraph \"g\" {\n  source = \"%d.tflite\"\n  device = device.d\n}\n", i))
		m.hovered(fmt.Sprintf("%d.hcl", i), "30000000")
	}
	size := 30_000_000
	changed := timed(func() time.Duration {
		size++
		began := time.Now()
		m.edit("2.hcl", 4, 9, 17, strconv.Itoa(size))
		m.await(func(body []byte) bool { return bytes.Contains(body, []byte("inlayHint/refresh")) })
		return m.hovered("2.hcl", strconv.Itoa(size)).Sub(began)
	})
	time.Sleep(2 * time.Second)
	mib, before := m.resident()
	time.Sleep(5 * time.Second)
	_, after := m.resident()
	return fmt.Sprintf("| what | p50 ms | p95 ms |\n|---|---:|---:|\n| size of a pool changed to hover with the new plan, face_detection_short_range.tflite | %s |\n\nResident with three models open: %.0f MiB; on processors in 5 idle seconds: %d ms.\n",
		quantiles(changed), mib, (after - before).Milliseconds())
}

// hovered waits until hovering over the pool shows a plan with the capacity, and returns when that was.
func (m *measured) hovered(name, capacity string) time.Time {
	for {
		body, _ := m.request("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":2,"character":7}}`, m.uri(name)))
		if bytes.Contains(body, []byte("peak")) && !bytes.Contains(body, []byte("stale")) && bytes.Contains(bytes.ReplaceAll(body, []byte(","), nil), []byte(capacity)) {
			return time.Now()
		}
		time.Sleep(time.Millisecond)
	}
}
