package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
)

// slow is a server whose requests do as their names say.
type slow struct {
	started chan string
	// released is closed when stubborn requests, which do not look at their context, may end.
	released chan struct{}
	conn     *wire.Conn
}

func (s *slow) Notify(method string, _ json.RawMessage) bool {
	switch method {
	case "panic":
		panic("a fault")
	case "echo":
		s.conn.Notify("echo", nil)
	}
	return method == "exit"
}

func (s *slow) Request(method string, _ json.RawMessage) (wire.Answer, error) {
	switch method {
	case "panic early":
		panic("a fault")
	case "in order":
		return wire.Answer{Result: method}, nil
	}
	return wire.Answer{Work: func(ctx context.Context) (any, error) {
		switch method {
		case "panic":
			panic("a fault")
		case "unencodable":
			return make(chan int), nil
		case "wait":
			s.started <- method
			<-ctx.Done()
		case "stubborn":
			s.started <- method
			<-s.released
		}
		return "done", nil
	}}, nil
}

// exchange runs a connection; send writes a body, next returns what is written.
func exchange(t *testing.T, deadline time.Duration) (send func(string), next func() string, s *slow) {
	t.Helper()
	in, sends := io.Pipe()
	receives, out := io.Pipe()
	s = &slow{started: make(chan string, 100), released: make(chan struct{})}
	s.conn = wire.NewConn(in, out, wire.Options{Deadline: deadline, Grace: time.Second, Log: slog.New(slog.DiscardHandler)})
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := s.conn.Serve(context.Background(), s); err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	lines := make(chan string, 100)
	go func() {
		for {
			var n int
			if _, err := fmt.Fscanf(receives, "Content-Length: %d\r\n\r\n", &n); err != nil {
				return
			}
			body := make([]byte, n)
			if _, err := io.ReadFull(receives, body); err != nil {
				return
			}
			lines <- string(body)
		}
	}()
	t.Cleanup(func() {
		close(s.released)
		_ = sends.Close()
		wait.Wait()
		_ = receives.Close()
	})
	send = func(body string) {
		_, err := fmt.Fprintf(sends, "Content-Length: %d\r\n\r\n%s", len(body), body)
		require.NoError(t, err)
	}
	next = func() string {
		select {
		case line := <-lines:
			return line
		case <-time.After(time.Minute):
			t.Fatal("nothing is written")
			return ""
		}
	}
	return send, next, s
}

func TestACancelledRequestIsAnsweredAtOnce(t *testing.T) {
	for _, id := range []string{"1", `"one"`, "9007199254740993", "-3"} {
		for _, method := range []string{"wait", "stubborn"} {
			send, next, s := exchange(t, time.Minute)
			send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s"}`, id, method))
			<-s.started
			send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`, id))
			answer := next()
			assert.Contains(t, answer, "-32800")
			assert.Contains(t, answer, `"id":`+id)
			send(`{"jsonrpc":"2.0","id":2,"method":"x"}`)
			assert.Contains(t, next(), `"id":2`, "there is one answer only")
		}
	}
}

func TestASlowRequestDoesNotHoldUpAFastOne(t *testing.T) {
	send, next, s := exchange(t, time.Minute)
	send(`{"jsonrpc":"2.0","id":1,"method":"wait"}`)
	<-s.started
	send(`{"jsonrpc":"2.0","id":2,"method":"x"}`)
	assert.Contains(t, next(), `"id":2`)
}

// busy is more requests than are worked on at once.
const busy = 100

func TestAnAnswerInOrderWaitsForNoWork(t *testing.T) {
	send, next, _ := exchange(t, time.Minute)
	for id := range busy {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"wait"}`, id))
	}
	send(`{"jsonrpc":"2.0","id":"now","method":"in order"}`)
	assert.Contains(t, next(), "in order")
}

func TestAnAnswerInOrderIsSentBeforeWhatFollows(t *testing.T) {
	send, next, _ := exchange(t, time.Minute)
	for id := range 50 {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"in order"}`, id))
		send(`{"jsonrpc":"2.0","method":"echo"}`)
	}
	for id := range 50 {
		assert.Contains(t, next(), fmt.Sprintf(`"id":%d,`, id))
		assert.Contains(t, next(), "echo")
	}
}

func TestRequestsThatWaitForOthersAreAnsweredAtTheirDeadline(t *testing.T) {
	send, next, _ := exchange(t, 10*time.Millisecond)
	for id := range busy {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"wait"}`, id))
	}
	seen := map[string]bool{}
	for range busy {
		seen[next()] = true
	}
	assert.Len(t, seen, busy)
}

func TestARequestBeyondItsDeadlineIsAnswered(t *testing.T) {
	send, next, _ := exchange(t, 10*time.Millisecond)
	send(`{"jsonrpc":"2.0","id":1,"method":"stubborn"}`)
	assert.Contains(t, next(), "-32803")
}

func TestAFaultCostsOneMessage(t *testing.T) {
	send, next, _ := exchange(t, time.Minute)
	send(`{"jsonrpc":"2.0","method":"panic"}`)
	for _, method := range []string{"panic", "panic early", "unencodable"} {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method))
		assert.Contains(t, next(), "-32603", method)
	}
	send(`{"jsonrpc":"2.0","id":2,"method":"x"}`)
	assert.Contains(t, next(), "done")
}

func TestAnIdIsNotUsedTwiceAtOnce(t *testing.T) {
	send, next, s := exchange(t, time.Minute)
	send(`{"jsonrpc":"2.0","id":1,"method":"wait"}`)
	<-s.started
	send(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
	assert.Contains(t, next(), "-32600")
}

func TestManyRequestsAtOnce(t *testing.T) {
	send, next, _ := exchange(t, time.Minute)
	for id := range 500 {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"x"}`, id))
	}
	seen := map[string]bool{}
	for range 500 {
		seen[next()] = true
	}
	assert.Len(t, seen, 500)
}

func FuzzStream(f *testing.F) {
	f.Add("Content-Length: 2\r\n\r\n{}")
	f.Add("Content-Length: 47\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":3}content-length:1\n\n[")
	f.Add("Content-Length: 99999999999999999999\r\n\r\n" + strings.Repeat("\r\n", 20))
	released := make(chan struct{})
	close(released)
	f.Fuzz(func(t *testing.T, input string) {
		conn := wire.NewConn(strings.NewReader(input), io.Discard, wire.Options{Deadline: time.Second, Grace: time.Second, Log: slog.New(slog.DiscardHandler)})
		err := conn.Serve(context.Background(), &slow{started: make(chan string, 1<<20), released: released, conn: conn})
		if err != nil {
			t.Fatal(err)
		}
	})
}
