package view

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
)

// progressDelay is how long work may take before anything is said about it, and how often it is said anew.
const progressDelay = time.Second

// Progress tells on a terminal's standard error that work goes on, and leaves no trace of it there. On anything but a
// terminal it is silent. The result ends it and may be called once.
func (t *Terminal) Progress(what string) (stop func()) {
	return t.ProgressOf(func() string { return what })
}

// barCells is the width of the bars of what goes on.
const barCells = 20

// Bar draws how much of a whole is done.
func Bar(part, whole int64) string { return gauge(part, whole, barCells) }

// ProgressOf is Progress for work that can say how far it has come; what is called by another goroutine.
func (t *Terminal) ProgressOf(what func() string) (stop func()) {
	if t.ErrWidth == 0 {
		return func() {}
	}
	return progress(t.Err, what, t.ErrWidth, progressDelay)
}

func progress(w io.Writer, what func() string, columns int, every time.Duration) (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		start := time.Now()
		tick := time.NewTicker(every)
		defer tick.Stop()
		shown := 0
		for {
			select {
			case <-done:
				if shown > 0 {
					fmt.Fprintf(w, "\r%s\r", strings.Repeat(" ", shown))
				}
				return
			case <-tick.C:
				line := fmt.Sprintf("%s ... %d s", what(), int(time.Since(start).Seconds()))
				line = widthPrefix(visible(line), columns-1)
				shown = max(shown, text.StringWidthWithoutEscSequences(line))
				fmt.Fprintf(w, "\r%s", line)
			}
		}
	})
	return func() {
		close(done)
		wait.Wait()
	}
}
