package tvmjson

// Is reports whether a JSON text is a graph of TVM: an object with the fields nodes and arg_nodes. A text that breaks off
// behind the first of them counts too. It reads no further than it must, without decoding anything: O(bytes) at most.
func Is(content []byte) bool {
	s := scanner{data: content}
	if s.next() != '{' {
		return false
	}
	nodes, args := false, false
	for !nodes || !args {
		key, ok := s.key()
		if !ok {
			return nodes && !s.closed
		}
		nodes, args = nodes || key == "nodes", args || key == "arg_nodes"
		if key == "format_version" {
			return false // a native graph, which may be large
		}
		s.value()
	}
	return true
}

// scanner finds the keys of an object without looking into its values.
type scanner struct {
	data []byte
	at   int
	// closed says that the object has ended, or is none.
	closed bool
}

// next reads the next byte that is no white space, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}

// key reads the next key and its colon. Keys with escapes are none that is looked for.
func (s *scanner) key() (string, bool) {
	c := s.next()
	if c == ',' {
		c = s.next()
	}
	if c != '"' {
		s.closed = c != 0
		return "", false
	}
	from := s.at
	s.text()
	key := s.data[from:max(from, s.at-1)]
	c = s.next()
	s.closed = c != ':' && c != 0
	return string(key), c == ':'
}

// text reads on behind the closing quote.
func (s *scanner) text() {
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		if c == '\\' {
			s.at++
		}
		if c == '"' {
			return
		}
	}
}

// value reads over a value, up to the comma or bracket behind it.
func (s *scanner) value() {
	for depth := 0; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '"':
			s.at++
			s.text()
			s.at--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return
			}
			depth--
		case ',':
			if depth == 0 {
				return
			}
		}
	}
}
