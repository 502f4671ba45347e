package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// Work computes the answer to a request. It runs beside other work and may see ctx end early, after which its result is
// dropped.
type Work func(ctx context.Context) (any, error)

// Answer is how a request is answered.
type Answer struct {
	// Work computes the result beside other work.
	Work Work
	// Result is the result of a request without Work. It is sent before anything that comes after the request is handled.
	Result any
}

// Handler is the server behind a connection. Both methods are called from the one goroutine that reads, in the order of
// arrival.
type Handler interface {
	// Notify takes a notification. It returns true to end the connection.
	Notify(method string, params json.RawMessage) (done bool)
	// Request prepares the answer to a request: it captures the state that the request is about and returns what computes
	// the result from it, or the result. An error is sent like a result.
	Request(method string, params json.RawMessage) (Answer, error)
}

// Options are the limits of a connection.
type Options struct {
	// Deadline is the longest that a request may take.
	Deadline time.Duration
	// Grace is how long requests that are being worked on have at the end of a connection.
	Grace time.Duration
	Log   *slog.Logger
}

// Conn is one connection with a client.
type Conn struct {
	frames  frames
	out     *outbox
	options Options
	// slots bounds the work that runs at once.
	slots chan struct{}

	// working counts the requests that are being worked on.
	working sync.WaitGroup

	mu      sync.Mutex
	running map[string]*request
	calls   map[int64]chan message
	lastID  int64
}

// NewConn returns a connection that reads r and writes w.
func NewConn(r io.Reader, w io.Writer, options Options) *Conn {
	return &Conn{
		frames: newFrames(r), out: newOutbox(w), options: options,
		slots:   make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0))),
		running: map[string]*request{}, calls: map[int64]chan message{},
	}
}

// Serve reads and handles messages until the input ends or the handler is done, then lets what is being worked on finish,
// for a while, and what is to be sent be written.
// It returns the failure of the stream, nil for an end of input.
func (c *Conn) Serve(ctx context.Context, h Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	err := c.read(ctx, h)
	c.settle()
	cancel()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, c.out.close())
}

// settle waits for the requests that are being worked on, no longer than the grace.
func (c *Conn) settle() {
	done := make(chan struct{})
	go func() {
		c.working.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(c.options.Grace):
	}
}

func (c *Conn) read(ctx context.Context, h Handler) error {
	for {
		body, err := c.frames.next()
		switch {
		case errors.Is(err, errTooLarge):
			c.send(failed(nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%v", err)))
			continue
		case err != nil:
			return err
		}
		if done := c.body(ctx, h, body); done {
			return nil
		}
	}
}

// body handles one body: a message or a batch of them.
func (c *Conn) body(ctx context.Context, h Handler, body []byte) (done bool) {
	if isBatch(body) {
		return c.batch(ctx, h, body)
	}
	var m message
	if !c.decode(body, &m) {
		return false
	}
	return c.message(ctx, h, m, c.answer)
}

// decode reads JSON and answers what is none.
func (c *Conn) decode(body []byte, into any) bool {
	err := json.Unmarshal(body, into)
	if err == nil {
		return true
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		c.send(failed(nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "this is no JSON-RPC message: %v", err)))
		return false
	}
	c.send(failed(nil, jsonrpc2.Errorf(jsonrpc2.ParseError, "the message is not valid JSON: %v", err)))
	return false
}

// message handles one message; reply takes the answer to a request.
func (c *Conn) message(ctx context.Context, h Handler, m message, reply func(response)) (done bool) {
	switch {
	case m.isResponse():
		c.receive(m)
	case m.Method == nil:
		reply(failed(m.ID, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the message has no method")))
	case !hasID(m.ID):
		return c.notification(h, *m.Method, m.Params)
	case !validID(m.ID):
		reply(failed(nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the id of a request is a number or a string")))
	default:
		c.request(ctx, h, m, reply)
	}
	return false
}

func (c *Conn) notification(h Handler, method string, params json.RawMessage) (done bool) {
	if method == "$/cancelRequest" {
		c.cancel(params)
		return false
	}
	defer c.recovered(method, nil)
	return h.Notify(method, params)
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) {
	c.send(call{JSONRPC: jsonrpc2.Version, Method: method, Params: params})
}

// Call sends a request to the client and waits for the answer or the end of ctx. It must not be used while a message is
// being handled in order.
func (c *Conn) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	c.calls[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.calls, id)
		c.mu.Unlock()
	}()
	c.send(call{JSONRPC: jsonrpc2.Version, ID: &id, Method: method, Params: params})
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, m.Error
		}
		return m.Result, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// receive hands a response to the call that waits for it. One that nobody waits for is dropped.
func (c *Conn) receive(m message) {
	var id int64
	if err := json.Unmarshal(m.ID, &id); err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.calls[id]; answer != nil {
		delete(c.calls, id)
		answer <- m
	}
}

// send queues a message. What has no JSON form is a fault of the server; it is logged and the connection goes on.
func (c *Conn) send(v any) {
	if err := c.out.send(v); err != nil {
		c.options.Log.Error("a message cannot be encoded", "error", err)
	}
}

func (c *Conn) answer(r response) { c.send(r) }
