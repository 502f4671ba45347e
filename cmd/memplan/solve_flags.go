package main

import (
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/layout/problemfile"
)

// capacityFlag reads "-capacity BYTES".
type capacityFlag struct {
	bytes int64
	given bool
}

// Set takes a size in bytes.
func (f *capacityFlag) Set(text string) error {
	n, err := units.ParseBytes(text)
	if err != nil {
		return err
	}
	*f = capacityFlag{n, true}
	return nil
}

// String is the size, "" when none was given.
func (f *capacityFlag) String() string {
	if !f.given {
		return ""
	}
	return strconv.FormatInt(f.bytes, 10)
}

// Type names the value in the help.
func (f *capacityFlag) Type() string { return "BYTES" }

// poolOptionFlag collects one kind of pool option.
type poolOptionFlag struct {
	name string
	list *[]problemfile.PoolOption
}

// Set takes POOL:VALUE; what is wrong with it is known once all pools are.
func (f *poolOptionFlag) Set(text string) error {
	*f.list = append(*f.list, problemfile.PoolOption{Name: f.name, Text: text})
	return nil
}

// String lists the values of this kind.
func (f *poolOptionFlag) String() string {
	if f.list == nil {
		return ""
	}
	var texts []string
	for _, option := range *f.list {
		if option.Name == f.name {
			texts = append(texts, option.Text)
		}
	}
	return strings.Join(texts, ",")
}

// Type names the value in the help.
func (f *poolOptionFlag) Type() string { return "POOL:VALUE" }
