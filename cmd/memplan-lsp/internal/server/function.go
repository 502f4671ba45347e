package server

import (
	"strings"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// functions lists the functions of the language for their documentation; they read no files.
func functions() []eval.Function { return eval.Functions(syntax.Memory{}, ".") }

func functionNamed(name string) (eval.Function, bool) {
	for _, f := range functions() {
		if f.Name == name {
			return f, true
		}
	}
	return eval.Function{}, false
}

func functionPage(f eval.Function) *describe.Page {
	page := (&describe.Page{}).Code(f.Signature).Text("%s", f.Doc)
	if f.Example != "" {
		page.Code(f.Example)
	}
	return page
}

// parameters are the texts of the parameters in a signature.
func parameters(signature string) []string {
	_, inside, ok := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
	if !ok || inside == "" {
		return nil
	}
	return strings.Split(inside, ", ")
}
