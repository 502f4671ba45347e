package onnx

// renameScatter gives Scatter, which ended with set 11, its new name.
func (o *older) renameScatter() { o.op.Op = "ScatterElements" }

// roiAlignWithoutOffset writes down the coordinates that were meant before set 16 had a choice.
func (o *older) roiAlignWithoutOffset() {
	if _, given := o.op.Attrs["coordinate_transformation_mode"]; !given {
		o.set("coordinate_transformation_mode", "output_half_pixel")
	}
}

// renameGridModes gives the modes of GridSample the names of set 20.
func (o *older) renameGridModes() {
	renamed := map[string]string{"bilinear": "linear", "bicubic": "cubic"}
	if mode, ok := take[string](o, "mode"); ok {
		if newer, old := renamed[mode]; old {
			mode = newer
		}
		o.set("mode", mode)
	}
}
