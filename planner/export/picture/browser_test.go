package picture_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/export/picture"
	"github.com/memplan/memplan/testdata/needs"
)

// shared is the one browser of all tests; each test has a page of its own.
var shared struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.cancel != nil {
		shared.cancel()
	}
	os.Exit(code)
}

// chromium starts the browser for the first test that needs it, with a profile of its own.
func chromium(t *testing.T, path string) context.Context {
	t.Helper()
	shared.once.Do(func() {
		profile, err := os.MkdirTemp("", "memplan-chromium-")
		if err != nil {
			shared.err = err
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(profile), chromedp.WindowSize(1400, 1000), chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true),
			chromedp.WSURLReadTimeout(5*time.Minute),
		)
		allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancelBrowser := chromedp.NewContext(allocator)
		shared.ctx, shared.err = ctx, chromedp.Run(ctx)
		shared.cancel = func() {
			if err := chromedp.Cancel(ctx); err != nil {
				fmt.Fprintln(os.Stderr, "closing the browser:", err)
			}
			cancelBrowser()
			cancelAllocator()
			if err := os.RemoveAll(profile); err != nil {
				fmt.Fprintln(os.Stderr, "removing the browser's profile:", err)
			}
		}
	})
	require.NoError(t, shared.err)
	return shared.ctx
}

// browser is a page in headless Chromium. What the page must never do is collected as it happens.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	faults   []string
	requests []string
}

// open shows the picture of a subject in a window of 1400 × 1000 pixels, beside those of other tests. Without Chromium the test
// cannot run.
func open(t *testing.T, s picture.Subject) *browser {
	t.Helper()
	t.Parallel()
	path, err := exec.LookPath("chromium")
	if err != nil {
		needs.Missing(t, "Chromium is not there: apt-get install chromium")
	}
	var out bytes.Buffer
	require.NoError(t, picture.HTML(&out, s))
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))

	ctx, cancel := chromedp.NewContext(chromium(t, path))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, b.watch)
	// Every page behaves as if it were the one in front, so that tests need not wait for each other.
	b.run(network.Enable(), log.Enable(), page.Enable(), emulation.SetFocusEmulationEnabled(true), chromedp.EmulateViewport(1400, 1000), chromedp.Navigate("file://"+file), chromedp.WaitReady("#list .row, #maps"))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		require.Empty(t, b.faults)
		require.Equal(t, []string{"file://" + file}, b.requests, "the page loads nothing")
	})
	return b
}

func (b *browser) watch(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, event.Request.URL)
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, event.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, fmt.Sprintf("console: %s", event.Type))
	case *log.EventEntryAdded:
		b.faults = append(b.faults, event.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		b.faults = append(b.faults, "dialog: "+event.Message)
	}
}

func (b *browser) run(actions ...chromedp.Action) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Run(b.ctx, actions...))
}

// text is what an expression of the page's script gives, once two frames were drawn.
func (b *browser) text(expression string) (out string) {
	b.t.Helper()
	const frames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(String(%s)))))`
	b.run(chromedp.Evaluate(fmt.Sprintf(frames, expression), &out, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return out
}

func (b *browser) is(want, expression string) {
	b.t.Helper()
	require.Equal(b.t, want, b.text(expression), expression)
}

func (b *browser) keys(keys string) {
	b.t.Helper()
	b.run(chromedp.KeyEvent(keys))
}
