package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxBody is the largest body in bytes that is read. A configuration file of the largest size, every character escaped,
// stays below it.
const MaxBody = 64 << 20

// longestHeader bounds one header line; the rest of a longer one is dropped.
const longestHeader = 8 << 10

// errTooLarge says that a body was skipped for its size.
var errTooLarge = errors.New("the message is larger than the server reads")

// frames reads message bodies.
type frames struct{ r *bufio.Reader }

func newFrames(r io.Reader) frames { return frames{bufio.NewReaderSize(r, 64<<10)} }

// next returns the next body. Header names count in any case, unknown headers are ignored, lines may end with a line feed
// alone, and a header without a usable length is skipped, so that reading finds its way back. A body beyond MaxBody is
// skipped as well and gives errTooLarge. At the end of input it returns io.EOF.
func (f frames) next() ([]byte, error) {
	length, err := f.header()
	if err != nil {
		return nil, err
	}
	if length > MaxBody {
		if _, err := io.CopyN(io.Discard, f.r, length); err != nil {
			return nil, io.EOF
		}
		return nil, errTooLarge
	}
	// The buffer grows with what arrives: a client that only claims a length gets no memory for it.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, f.r, length); err != nil {
		return nil, fmt.Errorf("the input ends after %d of %d bytes: %w", n, length, io.EOF)
	}
	return body.Bytes(), nil
}

// header reads lines up to an empty one that follows a usable Content-Length.
func (f frames) header() (int64, error) {
	length := int64(-1)
	for {
		line, err := f.line()
		if err != nil {
			return 0, err
		}
		if line == "" && length >= 0 {
			return length, nil
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil && n >= 0 {
			length = n
		}
	}
}

// line reads one header line without its ending and without surrounding blanks.
func (f frames) line() (string, error) {
	var line []byte
	for {
		part, err := f.r.ReadSlice('\n')
		if room := longestHeader - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		switch {
		case err == nil:
			return strings.TrimSpace(string(line)), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return "", io.EOF
		default:
			return "", fmt.Errorf("reading a header: %w", err)
		}
	}
}

// writeFrame writes one body with its header in one piece.
func writeFrame(w io.Writer, body []byte) error {
	frame := make([]byte, 0, len(body)+40)
	frame = fmt.Appendf(frame, "Content-Length: %d\r\n\r\n", len(body))
	frame = append(frame, body...)
	if _, err := w.Write(frame); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}
