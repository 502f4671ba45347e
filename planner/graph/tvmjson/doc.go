// Package tvmjson imports the graph files that Apache TVM's graph executor runs: JSON with nodes, arg_nodes, heads,
// node_row_ptr and one list for each property of the tensors. Start from [Import]; [Is] recognises such a file.
//
// The functions behind the nodes are compiled code whose meaning the file does not hold, so every op has the domain
// "tvm", and shapes and element types are the file's. The operators are read from the function's name as Relay's
// compiler makes it: "tvmgen_default_fused_nn_conv2d_add_nn_relu_2" is a Conv with an Add and a Relu fused behind it. A
// name that tells nothing is the op itself. A node "__nop", and a function of reshapes alone, is a Reshape, whose result
// may share its input's bytes; "__copy" is a Copy. The layouts that a node's attributes name are given to its
// tensors, and all its attributes are kept.
//
// The file does not tell inputs from weights, which are kept in a parameter file. When one stands beside the file
// ("net.params" beside "net.json", or TVM's own "deploy_param.params" beside "deploy_graph.json"), its parameters are
// the constants. Without it the names decide: "p" and a number is what TVM calls a constant that it found in the model,
// and every other name is an input. Such constants have no content.
//
// Of the placement in the file only the memory scopes are kept, in graph.Tensor.Scope; a file in which all are flat
// asks for none. The package knows nothing of what becomes of them.
package tvmjson
