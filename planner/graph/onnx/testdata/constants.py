"""Prints the constants of ONNX models as the reference library reads them.

Usage: constants.py MODEL... One line a constant: model, name, dtype, shape, sha256 of the dense little-endian values,
separated by tabs. Strings are left out; so are the scalar forms of Constant, which the library leaves to the reader.
"""
import hashlib
import sys

import onnx
from onnx import numpy_helper


def constants(model):
    for tensor in model.graph.initializer:
        yield tensor.name, tensor
    for node in model.graph.node:
        if node.op_type == "Constant":
            for attribute in node.attribute:
                if attribute.name == "value":
                    yield node.output[0], attribute.t


for path in sys.argv[1:]:
    for name, tensor in constants(onnx.load(path)):
        if tensor.data_type == onnx.TensorProto.STRING:
            continue
        values = numpy_helper.to_array(tensor)
        digest = hashlib.sha256(values.tobytes()).hexdigest()
        print(path, name, values.dtype.name, list(values.shape), digest, sep="\t")
