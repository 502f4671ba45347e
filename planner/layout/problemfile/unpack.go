package problemfile

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// mostUnpacked bounds what a compressed file may hold, in bytes.
const mostUnpacked = 1 << 30

// unpack returns the content as it is or, when it is compressed by gzip, unpacked.
func unpack(name string, content []byte) ([]byte, diag.Diagnostics) {
	if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return content, nil
	}
	at := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
	zip, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, diag.Diagnostics{diag.New(diag.SolveCompressed, "%s is not a sound gzip file: %v. Compress it anew.", name, err).At(at)}
	}
	var text bytes.Buffer
	n, err := io.Copy(&text, io.LimitReader(zip, mostUnpacked+1))
	switch {
	case err != nil:
		return nil, diag.Diagnostics{diag.New(diag.SolveCompressed, "%s is not a sound gzip file: %v after %d bytes of content. Compress it anew.", name, err, n).At(at)}
	case n > mostUnpacked:
		return nil, diag.Diagnostics{diag.New(diag.SolveCompressed, "%s holds more than %d bytes once unpacked. Solve a smaller problem.", name, mostUnpacked).At(at)}
	}
	return text.Bytes(), nil
}

// Pack compresses a text by gzip, the same bytes every time.
func Pack(text []byte) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if _, err := zip.Write(text); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
