// Package wire carries JSON-RPC messages over a stream of bytes as language clients send them: tolerant of what they get
// wrong, with an answer for everything that asks for one. Start from [NewConn] and [Conn.Serve]. It must not know any
// method but the one that cancels requests.
package wire
