package main

import (
	"net/url"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
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
// the order in which they are shown.
func sarifReport(shown diag.Diagnostics) sarifLog {
	const home = "https://github.com/memplan/memplan"
	driver := sarifDriver{Name: "memplan", Version: version(), InformationURI: home, Rules: []sarifRule{}}
	results := []sarifResult{}
	numbers := map[diag.ID]int{}
	for _, d := range shown.Sorted() {
		if _, known := numbers[d.ID]; !known {
			numbers[d.ID] = len(driver.Rules)
			driver.Rules = append(driver.Rules, sarifRuleOf(d.ID, home+"/blob/main/docs/diagnostics.md"))
		}
		result := sarifResult{RuleID: string(d.ID), RuleIndex: numbers[d.ID], Level: d.Severity.String(), Message: sarifText{d.Detail}}
		if d.Subject != nil && d.Subject.Filename != "" {
			result.Locations = []sarifLocation{{Physical: sarifPlace(*d.Subject)}}
		}
		for i, related := range d.Related {
			result.RelatedLocations = append(result.RelatedLocations, sarifLocation{ID: i + 1, Message: &sarifText{related.Message}, Physical: sarifPlace(related.Range)})
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

func sarifPlace(at hcl.Range) sarifPhysical {
	file := url.URL{Path: at.Filename}
	region := sarifRegion{StartLine: max(at.Start.Line, 1), StartColumn: max(at.Start.Column, 1)}
	if at.End.Line > region.StartLine || at.End.Line == region.StartLine && at.End.Column > region.StartColumn {
		region.EndLine, region.EndColumn = at.End.Line, at.End.Column
	}
	return sarifPhysical{Artifact: sarifArtifact{file.String()}, Region: region}
}
