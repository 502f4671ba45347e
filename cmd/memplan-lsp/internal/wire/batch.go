package wire

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// largestBatch bounds the messages of one batch.
const largestBatch = 1000

// batch handles an array of messages, which JSON-RPC has and LSP does not: the answers come as one array once all are
// there.
func (c *Conn) batch(ctx context.Context, h Handler, body []byte) (done bool) {
	var parts []json.RawMessage
	if !c.decode(body, &parts) {
		return false
	}
	if len(parts) == 0 || len(parts) > largestBatch {
		c.send(failed(nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "a batch has 1 to %d messages", largestBatch)))
		return false
	}
	answers := &answers{conn: c}
	for _, part := range parts {
		var m message
		if err := json.Unmarshal(part, &m); err != nil {
			answers.expect()(failed(nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "this is no JSON-RPC message: %v", err)))
			continue
		}
		reply := func(response) {}
		if m.wantsAnswer() {
			reply = answers.expect()
		}
		if c.message(ctx, h, m, reply) {
			done = true
			break
		}
	}
	answers.seal()
	return done
}

// answers collects the answers of a batch.
type answers struct {
	conn    *Conn
	mu      sync.Mutex
	pending int
	sealed  bool
	ready   []response
}

// expect announces one answer and returns what takes it.
func (a *answers) expect() func(response) {
	a.mu.Lock()
	a.pending++
	a.mu.Unlock()
	return func(r response) {
		a.mu.Lock()
		a.pending--
		a.ready = append(a.ready, r)
		a.mu.Unlock()
		a.flush()
	}
}

// seal says that no more answers will be announced.
func (a *answers) seal() {
	a.mu.Lock()
	a.sealed = true
	a.mu.Unlock()
	a.flush()
}

func (a *answers) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sealed && a.pending == 0 && len(a.ready) > 0 {
		a.conn.send(a.ready)
		a.ready = nil
	}
}
