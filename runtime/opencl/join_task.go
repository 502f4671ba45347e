package opencl

import "github.com/memplan/memplan/planner/graph"

// task is a kernel that can be a part of a joined launch.
type task struct {
	kernel string
	// takes is its arguments, a letter each:
	//
	//	m  *flat       global T *pool, long at
	//	i  int         int
	//	f  float32     float, or a scalar of float32
	//	4  [4]float32  float4
	//	8  [8]int32    int8
	//	l  local       local T *
	takes string
	// grouped says that it asks for the work-group, of which it then is one item.
	grouped bool
}

// taskSource is a variant of a program, and those of its kernels that can be a part of joined launches.
type taskSource struct {
	from  source
	tasks []task
}

// taskSources are all of them: the kernels of float32 networks in flat memory. The names of functions and macros in their files
// differ, since they are parts of one program.
var taskSources = []taskSource{
	{sums, []task{
		{kernel: "pack_panels", takes: "mmmm884"},
		{kernel: "product_1x16", takes: "mmmm884"}, {kernel: "product_8x16", takes: "mmmm884"}, {kernel: "product_8x32", takes: "mmmm884"},
		{kernel: "conv_last_16", takes: "mmmmm8884"}, {kernel: "conv_last_32", takes: "mmmmm8884"},
		{kernel: "depthwise_last", takes: "mmmmm8884"}, {kernel: "separable_last", takes: "mmmmmml88844"},
		{kernel: "conv_first", takes: "mmmmm884"}, {kernel: "depthwise_first", takes: "mmmmm884"}, {kernel: "separable_first", takes: "mmmmmml8844"},
	}},
	{excitations, []task{{kernel: "excite", takes: "mmmmmmm844", grouped: true}}},
	{pools, []task{
		{kernel: "max_last", takes: "mmm888"}, {kernel: "average_last", takes: "mmm888"},
		{kernel: "max_first", takes: "mmm8"}, {kernel: "average_first", takes: "mmm8"},
		{kernel: "max_global_first", takes: "mm8"}, {kernel: "average_global_first", takes: "mm8"},
		{kernel: "max_global_last", takes: "mm8"}, {kernel: "average_global_last", takes: "mm8"},
	}},
	{moving(graph.Float32), []task{{kernel: "move_box", takes: "mmiiii888"}, {kernel: "move_planes", takes: "mmiiiiii888"}, {kernel: "place_box", takes: "mmmiiii8888"}, {kernel: "pick", takes: "mmmmiiii88"}}},
	{raw("copy", graph.Float32), []task{{kernel: "copy_elements", takes: "mmi"}}},
	{resizes, []task{{kernel: "resize_inner", takes: "mmmmiiiiiif"}, {kernel: "resize_rows", takes: "mmmmiiiiiif"}}},
	{arithmetic("walk+binary", graph.Float32), each("mmmiiii888", "binary_", "add", "sub", "mul", "div", "pow", "squared_difference", "max", "min", "prelu")},
	{unarySource(graph.Float32), each("mmiff", "unary_", "relu", "clip", "leaky_relu", "hard_sigmoid", "hard_swish", "sigmoid", "swish", "gelu", "tanh", "erf", "exp", "log", "sqrt", "rsqrt",
		"reciprocal", "square", "neg", "abs")},
	{softmaxes, []task{{kernel: "softmax_rows", takes: "mmiifi"}, {kernel: "softmax_columns", takes: "mmiiiifi"}}},
	{reducing(graph.Float32), []task{{kernel: "reduce_rows", takes: "mmii88ii88iiiif"}, {kernel: "reduce_columns", takes: "mmiiii88ii88iiif"}}},
	{normalizations, []task{
		{kernel: "batch_factors", takes: "mmmmmmif"}, {kernel: "normalize_layer", takes: "mmmmmmiifi"}, {kernel: "normalize_group", takes: "mmmmiiiiif"},
		{kernel: "normalize_axes", takes: "mmii88ii88"}, {kernel: "normalize_local", takes: "mmiiiiiifff"}, {kernel: "normalize_lanes", takes: "mmiiiif"},
	}},
	{recurrences, append(each("mmmmmmmmmiiiiiii8fiiiiiii", "recurrent_", "lstm", "rnn", "reset", "gru"),
		task{kernel: "recurrent_input", takes: "mmmmiiiiiii"}, task{kernel: "recurrent_start", takes: "mmiiiiii"}, task{kernel: "recurrent_end", takes: "mmiiiii"})},
	{source{file: "convert"}, []task{{kernel: "widen_float16", takes: "mmi"}, {kernel: "narrow_float16", takes: "mmi"}}},
}

// each is kernels with the same arguments.
func each(takes, prefix string, names ...string) (tasks []task) {
	for _, name := range names {
		tasks = append(tasks, task{kernel: prefix + name, takes: takes})
	}
	return tasks
}

// taskKey names a kernel of a variant of a program.
type taskKey struct {
	from   source
	kernel string
}

// numberedTask is a task and its number in the joined program.
type numberedTask struct {
	task
	number int
}

// tasks finds the task of a kernel.
var tasks = numberTasks()

// task is the task that does the same as a launch, false where there is none.
func (l *launch) task() (numberedTask, bool) {
	t, ok := tasks[taskKey{l.from, l.name}]
	return t, ok
}

func numberTasks() map[taskKey]numberedTask {
	by := map[taskKey]numberedTask{}
	for _, s := range taskSources {
		for _, t := range s.tasks {
			by[taskKey{s.from, t.kernel}] = numberedTask{t, len(by)}
		}
	}
	return by
}

// words are the words that an argument takes in a table of launches, by its letter.
var words = map[rune]int{'m': 3, 'i': 1, 'f': 1, '4': 4, '8': 8, 'l': 0}

// joinedBuffers is the number of buffers that a joined launch can use. With them its arguments stay well below the 1,024 bytes that
// every device takes.
const joinedBuffers = 32
