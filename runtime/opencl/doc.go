// Package opencl is the OpenCL device: the planned memory as buffers and images, kernels in kernels/*.cl. Start from
// [New], or from [Connect] where several plans run on one device after the other. The library is opened then and not
// before.
//
// A flat pool is one buffer of exactly the planned bytes, and a tensor in it an offset. An image of a texture pool is an
// image object, as wide as its planned rows, and a tensor in it the rectangle of its own packed width and height from the
// first texel. An image over the bytes of a flat pool is used as these bytes, whether or not the device could show them
// as an image. Memory beside the plan, packed weights and staging, is workspace and counted in device.Counters.
//
// Each step becomes a few launches: kernels whose arguments are set once, when the step is prepared. A run enqueues them
// in order and creates nothing.
//
// On a processor that is an OpenCL device, the driver takes several microseconds for a launch and more to wake its threads and to
// wait for them, which is a good part of many steps. There a stretch of steps becomes one launch: a kernel that has the arguments
// of all of them in a table, and does them in order with a barrier between any two, so that memory is used exactly as by launches
// apart, to the same bits. kernels/joined.cl says how. It is no longer one kernel object a step that runs, but the steps' own
// remain, for whatever needs steps apart: poison between them, times of each, a run that is interrupted. A stretch is bounded by
// its work for that last reason. Only a graph that saves many launches is worth the seconds in which the driver compiles all kernels
// once more, as parts of one program; the driver keeps what it compiled for other graphs and runs. [Device.Unjoined] says why launches
// are not joined, as on a GPU, whose driver needs no help.
//
// # Adding operators
//
// A family of operators is a file NAME.go with a table of builders, a file kernels/NAME.cl, and one line in the list
// families of lookup.go. unary.go and kernels/unary.cl are the pattern. A builder gets the step as a [site], binds the
// operands to memory, and returns launches:
//
//	var scaleBuilders = map[string]builder{"Scale": buildScale}
//
//	func buildScale(b *site) ([]launch, error) {
//		x, err := b.floats(0) // input 0 as dense float32, wherever and in whichever float type it is stored
//		if err != nil {
//			return nil, err
//		}
//		out, err := b.needResult(0)
//		if err != nil {
//			return nil, err
//		}
//		y, err := b.resultFloats(out, true) // true: the kernel may run in place
//		if err != nil {
//			return nil, err
//		}
//		n := x.elements()
//		by := b.op.Attrs.Float("scale", 1)
//		return one(b.launch(of("scale", graph.Float32), "scale", cl.Size{n}, cl.Size{64}, x, y, n, by))
//	}
//
// and in kernels/scale.cl, where an operand is two parameters, its pool and the offset of its first element:
//
//	kernel void scale(FLAT(const T, x), FLAT(T, y), int n, float by) {
//	  int i = get_global_id(0);
//	  if (i < n)
//	    AT(y)[i] = AT(x)[i] * by;
//	}
//
// What a builder can use, by file:
//
//   - site.go: input and result give an operand or nil, need and needResult refuse the step when it is absent, constant and
//     ints read a constant's content while the step is prepared.
//   - bind.go: floats, floatsOf and resultFloats bind operands as dense float32; elementsOf and
//     resultElements bind them in their own type. Tensors in images and of packed layouts go through staging then. A
//     kernel cannot read and write one image, which an operation in place would be. workspace makes memory for constants
//     that are repacked once, and once runs a launch at once.
//     scratch is memory for the time of the step.
//   - view.go: view shows an operand to a kernel that computes on texels where they stand, or on flat memory in any order of
//     axes; viewFamilies has the operators with such kernels, which are tried first where an operand is in an image.
//   - after.go: absorb takes over the fused ops that the kernels of sums do. tail.go: all others follow by themselves, by
//     their own builders.
//   - faults.go: fault gives a flag that a kernel raises for content without a meaning, such as an index out of range.
//   - launch.go: launch and the types of arguments. program.go: of and raw choose the variant of a program by element type.
//   - join_task.go: the kernels that can be parts of joined launches; those are defined by KERNEL(name, parameters...). A kernel that
//     is not there ends a stretch of joined launches, and does no other harm.
//   - runtime/form: refusals (form.Refuse says why the device does not run a step), windows, packed layouts seen as plain.
//
// Rules for kernels: every launch has a local size and none has a global offset; sizes are int arguments, not options of
// the compiler, and what is beyond a size is guarded against, since the global size is rounded up; vectors are read by
// vloadN, which asks for the alignment of an element only; a NaN must go through (BELOW and ABOVE rather than fmin and
// fmax), or a stale read would not show; a kernel reads an element before it writes it where its builder says so (aliased).
//
// Tests of a family go through the rig (rig_test.go), which runs an op on the host device and here and compares.
package opencl
