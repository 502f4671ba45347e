package picture

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// The parts of the page. The scripts are one when they are put together: none of them loads anything.
var (
	//go:embed page/page.html
	pageFrame string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/model.js
	modelScript string
	//go:embed page/plot.js
	plotScript string
	//go:embed page/images.js
	imagesScript string
	//go:embed page/list.js
	listScript string
	//go:embed page/page.js
	pageScript string
)

// HTML writes the picture as one page that loads nothing: its policy allows its own script and style, and no request.
// Everything that a model names reaches the document as text. The cost is that of explaining every tensor and O(bytes
// written).
func HTML(w io.Writer, s Subject) error {
	data, err := json.Marshal(newPageData(&s))
	if err != nil {
		return fmt.Errorf("encoding the page: %w", err)
	}
	script := strings.Join([]string{"'use strict';\n", modelScript, plotScript, imagesScript, listScript, pageScript}, "")
	title := graphNames(s.graphs(s.Plan))
	var out bytes.Buffer
	for i, part := range strings.Split(pageFrame, "%%") {
		if i%2 == 0 {
			out.WriteString(part)
			continue
		}
		out.WriteString(map[string]string{
			"TITLE": text(title), "STYLE": pageStyle, "SCRIPT": script, "DATA": written(string(data)),
			"STYLEHASH": digest(pageStyle), "SCRIPTHASH": digest(script),
		}[part])
	}
	_, err = out.WriteTo(w)
	return err
}

// written writes out the characters of encoded data that turn round others or join them: a page shows them as \u202e.
func written(data string) string {
	if !strings.ContainsFunc(data, turns) {
		return data
	}
	var b strings.Builder
	for _, r := range data {
		if turns(r) {
			fmt.Fprintf(&b, `\\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func turns(r rune) bool { return unicode.Is(unicode.Cf, r) }

// digest is what a content policy knows a script or a style by.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
