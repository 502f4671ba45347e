package wire

import (
	"bytes"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
)

// The error codes that LSP adds to those of JSON-RPC.
const (
	// RequestCancelled answers a request that the client cancelled.
	RequestCancelled jsonrpc2.Code = -32800
	// RequestFailed answers a valid request that could not be served, such as one beyond its deadline.
	RequestFailed jsonrpc2.Code = -32803
)

// message is anything that arrives: a request, a notification or a response.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc2.Error `json:"error"`
}

// isResponse reports whether the message answers a request of the server.
func (m *message) isResponse() bool {
	return m.Method == nil && hasID(m.ID) && (m.Result != nil || m.Error != nil)
}

// wantsAnswer reports whether the message is to be answered: a request, or what is no message at all.
func (m *message) wantsAnswer() bool {
	return !m.isResponse() && (m.Method == nil || hasID(m.ID))
}

// response is an answer. Exactly one of Result and Error is set.
type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *jsonrpc2.Error `json:"error,omitempty"`
}

// encode returns the JSON of a message. A result is JSON already and is not read again, since it may be large.
func encode(v any) ([]byte, error) {
	r, ok := v.(response)
	if !ok || r.Error != nil {
		return json.Marshal(v)
	}
	out := make([]byte, 0, len(r.Result)+len(r.ID)+40)
	out = append(out, `{"jsonrpc":"`+jsonrpc2.Version+`","id":`...)
	out = append(out, key(r.ID)...)
	out = append(out, `,"result":`...)
	out = append(out, r.Result...)
	return append(out, '}'), nil
}

// call is an outgoing request, or a notification when ID is nil.
type call struct {
	JSONRPC string `json:"jsonrpc"`
	ID      *int64 `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

var null = json.RawMessage("null")

// key is the form of an id under which a request is found: its JSON without blanks, so that numbers of any size and
// strings are told apart.
func key(id json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, id); err != nil {
		return string(id)
	}
	return b.String()
}

// hasID reports whether there is an id; null is none.
func hasID(id json.RawMessage) bool { return len(id) > 0 && !bytes.Equal(id, null) }

// validID reports whether an id is a number or a string.
func validID(id json.RawMessage) bool {
	return id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

// isBatch reports whether a body is a JSON array.
func isBatch(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n")
	return len(body) > 0 && body[0] == '['
}

func failed(id json.RawMessage, err *jsonrpc2.Error) response {
	if id == nil {
		id = null
	}
	return response{JSONRPC: jsonrpc2.Version, ID: id, Error: err}
}

// answered is the response with a result; what has no JSON form is a fault of the server.
func answered(id json.RawMessage, result any) response {
	encoded, err := json.Marshal(result)
	if err != nil {
		return failed(id, jsonrpc2.Errorf(jsonrpc2.InternalError, "the result cannot be encoded: %v", err))
	}
	return response{JSONRPC: jsonrpc2.Version, ID: id, Result: encoded}
}
