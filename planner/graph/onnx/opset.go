package onnx

import "github.com/memplan/memplan/lang/diag"

// The versions of ONNX's own operator set that are read, both included. Below 7, only 6 differs little enough from
// what came later; above 21, operators changed in ways that the rest of the planner does not know.
const (
	oldestOpset = 6
	newestOpset = 21
)

// noOpset is the version in a model or function that declares none for ONNX's domain.
const noOpset int64 = 0

// versionOf returns the version of ONNX's own operator set among sets, noOpset when they lack it.
func versionOf(sets []opsetProto) int64 {
	for _, set := range sets {
		if set.domain == "" {
			return set.version
		}
	}
	return noOpset
}

// checkOpsets reports an operator set whose operators would be misread. Nothing else is worth a report then.
func (im *importer) checkOpsets(m *modelProto) bool {
	version := versionOf(m.opsets)
	if version == noOpset {
		return im.checkUnversioned(m)
	}
	return im.checkVersion(version, "the model")
}

func (im *importer) checkVersion(version int64, what string) bool {
	if version >= oldestOpset && version <= newestOpset {
		return true
	}
	im.report(diag.ONNXOpsetVersion, "%s uses version %d of ONNX's operator set, and versions %d to %d are supported. Convert the model with onnx.version_converter, or export it for version %d.",
		what, version, oldestOpset, newestOpset, newestOpset)
	return false
}

// checkUnversioned accepts a model without a version of ONNX's operators when it uses none of them itself.
func (im *importer) checkUnversioned(m *modelProto) bool {
	for _, n := range m.graph.nodes {
		if n.domain == "" {
			im.report(diag.ONNXOpsetMissing, "the model declares no version of ONNX's operator set, and uses its operator %s. Export the model again; versions %d to %d are supported.",
				n.op, oldestOpset, newestOpset)
			return false
		}
	}
	return true
}
