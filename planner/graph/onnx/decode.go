package onnx

import (
	"bytes"

	"github.com/memplan/memplan/lang/diag"
)

// decode reads the file's message, or reports why it is none and returns nil.
func (im *importer) decode() *modelProto {
	content := im.file.Bytes()
	if hint := foreign(content); hint != "" {
		im.reportNotONNX(hint)
		return nil
	}
	model, err := decodeModel(content)
	if err != nil {
		im.reportDamage(model, err)
		return nil
	}
	switch {
	case model.graph == nil && model.irVersion == 0:
		im.reportNotONNX("It holds neither a version nor a graph.")
		return nil
	case model.graph == nil:
		im.report(diag.ONNXDamaged, "the model has no graph. It may have been cut off when it was copied; copy or export it again.")
		return nil
	case model.irVersion <= 0:
		im.report(diag.ONNXDamaged, "the model has no ir_version, which says how to read it. Export the model again.")
		return nil
	}
	return model
}

// foreign recognises what is often given in place of an ONNX file, and returns "" for anything else.
func foreign(content []byte) string {
	switch {
	case len(content) == 0:
		return "It is empty."
	case bytes.HasPrefix(content, []byte("version https://git-lfs")):
		return "It is a pointer of Git LFS; fetch the file itself with `git lfs pull`."
	case len(content) >= 8 && string(content[4:8]) == "TFL3":
		return "It is a TensorFlow Lite model; give it a name that ends in .tflite."
	}
	return ""
}

func (im *importer) reportNotONNX(hint string) {
	im.diags = append(im.diags, diag.New(diag.NotONNX, "%s cannot be read as an ONNX model. %s The source of a graph must be the .onnx file itself.", im.file.Name(), hint))
}

// reportDamage tells a model that breaks off from a file of another kind: those rarely start with a plausible version.
func (im *importer) reportDamage(read *modelProto, err error) {
	const newestVersion = 100 // of the intermediate representation; it was 13 in 2025
	plausible := read.graph != nil || (read.irVersion > 0 && read.irVersion <= newestVersion)
	if !plausible {
		im.reportNotONNX(diag.Format("It is no protobuf message: %s.", err))
		return
	}
	im.report(diag.ONNXDamaged, "decoding fails at byte %d of %d (%s). The file may be incomplete; copy or export it again.",
		damageOffset(im.file.Bytes(), err), len(im.file.Bytes()), err)
}
