package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Decode reads a plan or a lock: the JSON that [Encode] writes, whatever its white space and order of keys. It is
// strict: a member that is missing, unknown, repeated, of another type or out of range is an error, except that a file
// of a later minor version may hold members that this version does not know. The plan is nil when there is an error.
// Ranges name no file; see [DecodeFile].
func Decode(data []byte) (*Plan, diag.Diagnostics) { return DecodeFile("", data) }

// DecodeFile is [Decode] with a file name for the ranges of diagnostics.
func DecodeFile(filename string, data []byte) (*Plan, diag.Diagnostics) {
	p := new(Plan)
	if ds := decode(filename, data, p, p); ds.HasErrors() {
		return nil, ds
	}
	return p, nil
}

// DecodeSaved reads what [EncodeSaved] wrote, as strictly as [Decode].
func DecodeSaved(filename string, data []byte) (*Saved, diag.Diagnostics) {
	s := new(Saved)
	if ds := decode(filename, data, s, &s.Plan); ds.HasErrors() {
		return nil, ds
	}
	return s, nil
}

// Kind says what a JSON file is.
type Kind int

// The kinds of JSON file that this package knows.
const (
	// NotAPlan is any other content.
	NotAPlan Kind = iota
	// LockKind is a plan without provenance: a lock, or the output of "memplan show -json".
	LockKind
	// SavedKind is a plan with provenance.
	SavedKind
)

// Sniff tells by content whether data is a plan. A damaged plan counts as one when its first key is still there, so
// that the damage is reported rather than the file taken for a graph. It costs O(bytes).
func Sniff(data []byte) Kind {
	head, err := readHead(data)
	if err != nil {
		start := strings.TrimLeft(string(data[:min(len(data), 256)]), " \t\r\n{")
		if strings.HasPrefix(start, `"config_digest"`) {
			return LockKind
		}
		return NotAPlan
	}
	_, isPlan := head[digestMember]
	_, isSaved := head[savedMember]
	switch {
	case !isPlan:
		return NotAPlan
	case isSaved:
		return SavedKind
	}
	return LockKind
}

// decode fills target, which is or embeds p, and checks p.
func decode(filename string, data []byte, target any, p *Plan) diag.Diagnostics {
	r := newReader(filename, data)
	later, ok := r.version()
	if !ok {
		return r.diags
	}
	r.lenient = later
	if err := r.value(reflect.ValueOf(target).Elem(), nil); err != nil {
		// The text was found to be valid JSON before, so this cannot happen; it must not pass in silence either.
		r.report(diag.PlanSyntax, 0, len(data), "The file cannot be read as JSON: %v.", err)
	}
	if !r.diags.HasErrors() {
		validate(r, p)
	}
	return r.diags
}

// version checks that the text is JSON of a format this version reads. The first result is true for a later minor
// version, the second false when reading is pointless.
func (r *reader) version() (later, ok bool) {
	if err := checkSyntax(r.src); err != nil {
		r.syntax(err)
		return false, false
	}
	head, err := readHead(r.src)
	if err != nil {
		r.report(diag.NotAPlanFile, 0, len(r.src), "A plan is a JSON object, and this file holds %s. Name a file written by \"memplan apply\" or by \"memplan plan -out\".", describe(r.peek()))
		return false, false
	}
	written, hasVersion := head[versionMember]
	if _, hasDigest := head[digestMember]; !hasVersion || !hasDigest {
		r.report(diag.NotAPlanFile, 0, len(r.src), "The file is JSON but has no \"format_version\" beside a \"config_digest\", which every plan has. Name a file written by \"memplan apply\" or by \"memplan plan -out\".")
		return false, false
	}
	return r.compareVersion(written)
}

func (r *reader) compareVersion(at span) (later, ok bool) {
	var text string
	if err := json.Unmarshal(at.of(r.src), &text); err != nil {
		r.report(diag.InvalidPlan, at.start, at.end, "The format_version is %s. It must be text of the form \"MAJOR.MINOR\", such as %q.", describe(r.src[at.start]), FormatVersion)
		return false, false
	}
	major, minor, valid := parseVersion(text)
	if !valid {
		r.report(diag.InvalidPlan, at.start, at.end, "The format_version is %q. It must be text of the form \"MAJOR.MINOR\", such as %q.", text, FormatVersion)
		return false, false
	}
	ourMajor, ourMinor, _ := parseVersion(FormatVersion)
	if major != ourMajor {
		r.report(diag.PlanVersion, at.start, at.end, "The file has format version %d.%d and this memplan reads version %d. Use the memplan that wrote the file, or delete it and run \"memplan apply\" again.", major, minor, ourMajor)
		return false, false
	}
	return minor > ourMinor, true
}

// IsNewer reports whether a plan was written in a format with members that this memplan does not know, which it would lose.
func (p *Plan) IsNewer() bool {
	_, minor, _ := parseVersion(p.FormatVersion)
	_, ourMinor, _ := parseVersion(FormatVersion)
	return minor > ourMinor
}

func parseVersion(s string) (major, minor int, ok bool) {
	a, b, found := strings.Cut(s, ".")
	major, errMajor := strconv.Atoi(a)
	minor, errMinor := strconv.Atoi(b)
	return major, minor, found && errMajor == nil && errMinor == nil && major >= 0 && minor >= 0
}

// syntax reports text that is not JSON, with the likeliest reason for a lock under version control.
func (r *reader) syntax(err error) {
	at := len(r.src)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = max(0, int(syntax.Offset)-1)
	}
	for _, marker := range []string{"<<<<<<< ", "=======\n", ">>>>>>> "} {
		if i := strings.Index("\n"+string(r.src), "\n"+marker); i >= 0 && i <= at {
			r.report(diag.PlanSyntax, i, i+len(marker), "The file holds the marks of a merge conflict. A lock is not merged by hand: take either side and run \"memplan apply\" again.")
			return
		}
	}
	if len(bytes.TrimSpace(r.src)) == 0 {
		r.report(diag.PlanSyntax, 0, 0, "The file is empty. %s", r.restore())
		return
	}
	r.report(diag.PlanSyntax, at, at+1, "The file is not valid JSON here: %v. %s", err, r.restore())
}

// restore says how to have a file again that is damaged.
func (r *reader) restore() string {
	if strings.HasSuffix(r.filename, ".mpplan") {
		return "Save the plan again with \"memplan plan -out\"."
	}
	return "Restore it from version control, or delete it and run \"memplan apply\" again."
}
