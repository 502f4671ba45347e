package wire

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// errCancelled is the cause of the end of a request that the client cancelled.
var errCancelled = errors.New("the request was cancelled")

// request is one that is being worked on. The first answer counts: a cancelled request is answered at once, whatever its
// work goes on to do.
type request struct {
	id     json.RawMessage
	reply  func(response)
	once   sync.Once
	cancel context.CancelCauseFunc
}

func (r *request) answer(a response) { r.once.Do(func() { r.reply(a) }) }

// request has the handler prepare the answer and lets the work run on its own.
func (c *Conn) request(ctx context.Context, h Handler, m message, reply func(response)) {
	name := key(m.ID)
	ctx, cancel := context.WithCancelCause(ctx)
	r := &request{id: m.ID, reply: reply, cancel: cancel}
	c.mu.Lock()
	_, taken := c.running[name]
	if !taken {
		c.running[name] = r
	}
	c.mu.Unlock()
	if taken {
		cancel(nil)
		reply(failed(m.ID, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "another request with this id is not answered yet")))
		return
	}
	answer, err := c.prepare(h, m)
	switch {
	case err != nil:
		c.finish(name, r, failed(m.ID, asError(err)))
	case answer.Work == nil:
		c.finish(name, r, answered(m.ID, answer.Result))
	default:
		c.working.Go(func() { c.work(ctx, name, r, *m.Method, answer.Work) })
	}
}

// prepare calls the handler; a panic is an error like others.
func (c *Conn) prepare(h Handler, m message) (answer Answer, err error) {
	defer c.recovered(*m.Method, &err)
	return h.Request(*m.Method, m.Params)
}

func (c *Conn) work(ctx context.Context, name string, r *request, method string, work Work) {
	ctx, stop := context.WithTimeoutCause(ctx, c.options.Deadline, errDeadline)
	defer stop()
	unwatch := context.AfterFunc(ctx, func() { c.finish(name, r, failed(r.id, endOf(ctx))) })
	defer unwatch()
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		// The watch need not have begun to run, and does not any more once it is ended.
		c.finish(name, r, failed(r.id, endOf(ctx)))
		return
	}
	defer func() { <-c.slots }()
	result, err := c.run(ctx, method, work)
	switch {
	case ctx.Err() != nil:
		c.finish(name, r, failed(r.id, endOf(ctx)))
	case err != nil:
		c.finish(name, r, failed(r.id, asError(err)))
	default:
		c.finish(name, r, answered(r.id, result))
	}
}

var errDeadline = errors.New("the request took too long")

// endOf is the answer to a request whose context has ended.
func endOf(ctx context.Context) *jsonrpc2.Error {
	cause := context.Cause(ctx)
	if errors.Is(cause, errDeadline) {
		return jsonrpc2.NewError(RequestFailed, errDeadline.Error())
	}
	return jsonrpc2.NewError(RequestCancelled, errCancelled.Error())
}

func (c *Conn) run(ctx context.Context, method string, work Work) (result any, err error) {
	defer c.recovered(method, &err)
	return work(ctx)
}

// recovered turns a panic into an error, so that a fault costs one message and not the session.
func (c *Conn) recovered(method string, err *error) {
	fault := recover()
	if fault == nil {
		return
	}
	c.options.Log.Error("panic", "method", method, "fault", fault, "stack", string(debug.Stack()))
	if err != nil {
		*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "a fault of memplan-lsp in %s: %v", method, fault)
	}
}

// finish answers a request and forgets it.
func (c *Conn) finish(name string, r *request, a response) {
	c.mu.Lock()
	if c.running[name] == r {
		delete(c.running, name)
	}
	c.mu.Unlock()
	r.answer(a)
	r.cancel(nil)
}

// cancel ends the request that the parameters name and answers it. One that is answered already is left alone.
func (c *Conn) cancel(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil || !hasID(p.ID) {
		return
	}
	name := key(p.ID)
	c.mu.Lock()
	r := c.running[name]
	c.mu.Unlock()
	if r != nil {
		r.cancel(errCancelled)
		c.finish(name, r, failed(r.id, jsonrpc2.NewError(RequestCancelled, errCancelled.Error())))
	}
}

// asError gives an error its code: those of jsonrpc2 have one, the rest are failures of the request.
func asError(err error) *jsonrpc2.Error {
	var coded *jsonrpc2.Error
	if errors.As(err, &coded) {
		return coded
	}
	return jsonrpc2.NewError(RequestFailed, err.Error())
}
