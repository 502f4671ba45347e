package config

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/units"
)

// whole reads a whole number within the schema's bounds.
func (f fields) whole(name string) (int64, bool) {
	v, r, ok := f.value(name)
	if !ok {
		return 0, false
	}
	converted, err := convert.Convert(v, cty.Number)
	if err != nil {
		f.wrongType(name, "a whole number", v, r)
		return 0, false
	}
	n, accuracy := converted.AsBigFloat().Int64()
	if accuracy != big.Exact {
		f.report(diag.New(diag.NumberOutOfRange, "%q takes a whole number from %d to %d. Write one, as in %s = %s.", name, f.b.schema.Attribute(name).Min, units.Max, name, f.example(f.b.schema.Attribute(name))).At(r))
		return 0, false
	}
	return n, f.checkBounds(name, n, r)
}

// size reads an amount of memory in bytes within the schema's bounds.
func (f fields) size(name string) (int64, bool) {
	v, r, ok := f.value(name)
	if !ok {
		return 0, false
	}
	var n int64
	var err error
	switch v.Type() {
	case cty.String:
		n, err = units.ParseBytes(v.AsString())
	case cty.Number:
		n, err = units.FromNumber(v.AsBigFloat())
	default:
		f.wrongType(name, "a size: a number of bytes or a string with a unit", v, r)
		return 0, false
	}
	if err != nil {
		f.reportValue(invalidSize(err), r)
		return 0, false
	}
	return n, f.checkBounds(name, n, r)
}

func invalidSize(err error) diag.Diagnostic {
	d := diag.New(diag.InvalidSize, "%s", err)
	var wrong *units.Error
	if errors.As(err, &wrong) {
		for _, text := range wrong.Fixes {
			d = d.With(diag.Replace{Text: wrong.Text, With: text})
		}
	}
	return d
}

// checkBounds checks a number against the schema's bounds.
func (f fields) checkBounds(name string, n int64, r hcl.Range) bool {
	known := f.b.schema.Attribute(name)
	switch {
	case known.PowerOfTwo && (n <= 0 || bits.OnesCount64(uint64(n)) != 1):
		f.reportValue(notPowerOfTwo(name, n), r)
	case n < known.Min:
		f.reportValue(diag.New(diag.NumberOutOfRange, "%q is %d and must be %d or more. Write a larger one.", name, n, known.Min), r)
	case known.Max != 0 && n > known.Max:
		f.reportValue(diag.New(diag.NumberOutOfRange, "%q is %d and must be %d or less. Write a smaller one.", name, n, known.Max), r)
	default:
		return true
	}
	return false
}

func notPowerOfTwo(name string, n int64) diag.Diagnostic {
	next, fixes := "1 or more", []diag.Fix(nil)
	if n >= 1 {
		below := int64(1) << (bits.Len64(uint64(n)) - 1)
		powers := []string{fmt.Sprint(below)}
		if below <= units.Max/2 {
			powers = append(powers, fmt.Sprint(2*below))
		}
		next = strings.Join(powers, " or ")
		for _, power := range powers {
			fixes = append(fixes, diag.Replace{Text: fmt.Sprint(n), With: power})
		}
	}
	return diag.New(diag.NotPowerOfTwo, "%q is %d, which is not a power of two. Write %s.", name, n, next).With(fixes...)
}

// real reads a number that is 0 or more.
func (f fields) real(name string) float64 {
	v, r, ok := f.value(name)
	if !ok {
		return 0
	}
	converted, err := convert.Convert(v, cty.Number)
	if err != nil {
		f.wrongType(name, "a number", v, r)
		return 0
	}
	n, _ := converted.AsBigFloat().Float64()
	if n < 0 {
		f.report(diag.New(diag.NumberOutOfRange, "%q is negative and must be 0 or more. Write a larger one.", name).At(r))
	}
	return n
}
