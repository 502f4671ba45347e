# Prints, for each model named on standard input, the types that the reference inference of ONNX gives to its values:
# one JSON object a line, {"path", "types": {name: [element type number, [extents]]}}. Unknown extents are -1.
import json
import sys

import onnx
from onnx import shape_inference

for path in sys.stdin.read().split("\n"):
    if not path:
        continue
    try:
        model = onnx.load(path)
        # What the file says of its results would be repeated instead of inferred.
        initializers = {i.name for i in model.graph.initializer}
        del model.graph.value_info[:]
        for output in model.graph.output:
            if output.type.HasField("tensor_type"):
                output.type.tensor_type.ClearField("shape")
        inferred = shape_inference.infer_shapes(model, strict_mode=False, data_prop=True)
    except Exception as e:
        print(json.dumps({"path": path, "error": str(e)}))
        continue
    types = {}
    for value in list(inferred.graph.value_info) + list(inferred.graph.output):
        tensor = value.type.tensor_type
        if not value.type.HasField("tensor_type") or not tensor.HasField("shape") or value.name in initializers:
            continue
        extents = [d.dim_value if d.HasField("dim_value") else -1 for d in tensor.shape.dim]
        types[value.name] = [tensor.elem_type, extents]
    print(json.dumps({"path": path, "types": types}))
