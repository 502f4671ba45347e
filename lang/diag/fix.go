package diag

// Fix is what a program can do about a finding: the advice of the detail once more, as data, so that an editor needs to
// understand no sentences. Its kinds are the types of this file.
type Fix interface{ fix() }

// Replace writes With in place of Text, which stands in the subject; an empty Text is the whole subject.
type Replace struct{ Text, With string }

// RaiseSize raises the size of the pool at the subject to a number of bytes.
type RaiseSize struct{ Bytes int64 }

// AddAttribute adds an attribute to the block at the subject, with an example of its value.
type AddAttribute struct{ Name, Example string }

// AddBlock adds a block to the block at the subject. Attributes are those it cannot do without, as in `op = "Conv"`.
type AddBlock struct {
	Type       string
	Attributes []string
}

// BindDimensions gives sizes to open dimensions of the graph at the subject. Keys are their names as keys of an object.
type BindDimensions struct{ Keys []string }

func (Replace) fix()        {}
func (RaiseSize) fix()      {}
func (AddAttribute) fix()   {}
func (AddBlock) fix()       {}
func (BindDimensions) fix() {}

// With returns d with more fixes.
func (d Diagnostic) With(fixes ...Fix) Diagnostic {
	d.Fixes = append(d.Fixes[:len(d.Fixes):len(d.Fixes)], fixes...)
	return d
}

// Hint is the part of a detail that says what to do next. The diagnostic that [New] makes with a hint among its arguments
// has the hint's fix.
type Hint struct {
	// Text is a sentence with a leading space, "" when there is nothing to say.
	Text string
	// Fix is the same as data, nil when no program can do it.
	Fix Fix
}

// String returns the text, for messages.
func (h Hint) String() string { return h.Text }

// Or returns h, or a hint of the given text when h says nothing.
func (h Hint) Or(text string) Hint {
	if h.Text == "" {
		return Hint{Text: text}
	}
	return h
}
