package plan

import (
	"encoding/json"
	"errors"
)

// The members of the top object that say what a file is.
const (
	versionMember = "format_version"
	digestMember  = "config_digest"
	savedMember   = "saved"
)

var errNoObject = errors.New("the text holds no object")

// span is a half-open range of bytes in a text.
type span struct{ start, end int }

func (s span) of(src []byte) []byte { return src[s.start:s.end] }

// readHead returns where the values of the top object's members that say what a file is stand in the text, by the
// member's name exactly as written; of a repeated member the first. The error is that of broken JSON or errNoObject; what
// was found before it is returned all the same. It costs O(bytes).
func readHead(src []byte) (map[string]span, error) {
	head := map[string]span{}
	r := newReader("", src)
	if r.peek() != '{' {
		return head, errNoObject
	}
	err := r.eachMember(func(name string, _ int) error {
		start := r.next()
		if err := r.skip(); err != nil {
			return err
		}
		switch name {
		case versionMember, digestMember, savedMember:
			if _, repeated := head[name]; !repeated {
				head[name] = span{start, r.end()}
			}
		}
		return nil
	})
	return head, err
}

// checkSyntax returns what keeps the text from being one JSON value.
func checkSyntax(src []byte) error { return json.Unmarshal(src, new(json.RawMessage)) }
