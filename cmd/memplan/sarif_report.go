package main

import (
	"bytes"
	"net/url"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/repair"
)

// The parts of SARIF 2.1.0 (OASIS, 2023) that diagnostics need. They are written here, because every library for the format
// brings along a client for HTTP, which would make each command start later.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string     `json:"id"`
		ShortDescription *sarifText `json:"shortDescription,omitempty"`
		FullDescription  *sarifText `json:"fullDescription,omitempty"`
		HelpURI          string     `json:"helpUri,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		RuleIndex        int             `json:"ruleIndex"`
		Level            string          `json:"level"`
		Message          sarifText       `json:"message"`
		Locations        []sarifLocation `json:"locations,omitempty"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes            []sarifFix      `json:"fixes,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	// sarifReplacement inserts where the region that it deletes ends where it starts.
	sarifReplacement struct {
		Deleted  sarifRegion  `json:"deletedRegion"`
		Inserted sarifContent `json:"insertedContent"`
	}
	sarifContent struct {
		Text string `json:"text"`
	}
	// sarifLocation has an id from 1 where messages may refer to it.
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Message  *sarifText    `json:"message,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	// sarifRegion counts lines and columns from 1. An end that is not after the start is left out.
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)

// sarifReport describes diagnostics as SARIF 2.1.0: a rule for each id that occurs, and a result for each diagnostic in
// the order in which they are shown. Their places and fixes are those of the sources.
func sarifReport(sources view.Sources, shown diag.Diagnostics) sarifLog {
	const home = "https://github.com/memplan/memplan"
	driver := sarifDriver{Name: "memplan", Version: version(), InformationURI: home, Rules: []sarifRule{}}
	results := []sarifResult{}
	numbers := map[diag.ID]int{}
	for _, d := range shown.Sorted() {
		if _, known := numbers[d.ID]; !known {
			numbers[d.ID] = len(driver.Rules)
			driver.Rules = append(driver.Rules, sarifRuleOf(d.ID, home+"/blob/main/docs/diagnostics.md"))
		}
		result := sarifResult{RuleID: string(d.ID), RuleIndex: numbers[d.ID], Level: d.Severity.String(), Message: sarifText{view.Visible(d.Detail)}}
		if d.Subject != nil && d.Subject.Filename != "" {
			result.Locations = []sarifLocation{{Physical: sarifPlace(sources, *d.Subject)}}
			result.Fixes = sarifFixes(sources, &d)
		}
		for i, related := range d.Related {
			result.RelatedLocations = append(result.RelatedLocations, sarifLocation{ID: i + 1, Message: &sarifText{view.Visible(related.Message)}, Physical: sarifPlace(sources, related.Range)})
		}
		results = append(results, result)
	}
	return sarifLog{
		Schema:  "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: results}},
	}
}

func sarifRuleOf(id diag.ID, help string) sarifRule {
	rule := sarifRule{ID: string(id)}
	if info, ok := diag.Lookup(id); ok {
		rule.ShortDescription, rule.FullDescription, rule.HelpURI = &sarifText{info.Summary}, &sarifText{info.Doc}, help
	}
	return rule
}

func sarifPlace(sources view.Sources, at hcl.Range) sarifPhysical {
	region := sarifRegionOf(sources, at)
	if region.EndLine < region.StartLine || region.EndLine == region.StartLine && region.EndColumn <= region.StartColumn {
		region.EndLine, region.EndColumn = 0, 0
	}
	return sarifPhysical{Artifact: sarifFile(at.Filename), Region: region}
}

func sarifFile(name string) sarifArtifact {
	file := url.URL{Path: name}
	return sarifArtifact{file.String()}
}

// sarifRegionOf counts columns in characters, where the text is at hand: those of a range count what people take for one.
func sarifRegionOf(sources view.Sources, at hcl.Range) sarifRegion {
	column := func(p hcl.Pos) int { return max(p.Column, 1) }
	if file := sources(at.Filename); file != nil && at.CanSliceBytes(file.Bytes) {
		column = func(p hcl.Pos) int {
			return 1 + utf8.RuneCount(file.Bytes[1+bytes.LastIndexByte(file.Bytes[:p.Byte], '\n'):p.Byte])
		}
	}
	return sarifRegion{StartLine: max(at.Start.Line, 1), StartColumn: column(at.Start), EndLine: max(at.End.Line, 1), EndColumn: column(at.End)}
}

func sarifFixes(sources view.Sources, d *diag.Diagnostic) (fixes []sarifFix) {
	for _, e := range repair.Edits(sources(d.Subject.Filename), d) {
		fixes = append(fixes, sarifFix{sarifText{e.Title}, []sarifChange{{
			sarifFile(e.Range.Filename), []sarifReplacement{{sarifRegionOf(sources, e.Range), sarifContent{e.Text}}},
		}}})
	}
	return fixes
}
