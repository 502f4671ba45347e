package cl

import "unsafe"

// EnqueueKernel implements API.
func (d *driver) EnqueueKernel(q Queue, k Kernel, global, local Size, timed bool) (Event, error) {
	const function = enqueueNDRangeKernel
	sizes := [2][3]uintptr{{uintptr(global[0]), uintptr(global[1]), uintptr(global[2])}, {uintptr(local[0]), uintptr(local[1]), uintptr(local[2])}}
	if !timed {
		return 0, failure(function, call(d.f[function], uintptr(q), uintptr(k), 3, 0,
			uintptr(unsafe.Pointer(&sizes[0])), uintptr(unsafe.Pointer(&sizes[1])), 0, 0, 0))
	}
	var event Event
	err := failure(function, call(d.f[function], uintptr(q), uintptr(k), 3, 0,
		uintptr(unsafe.Pointer(&sizes[0])), uintptr(unsafe.Pointer(&sizes[1])), 0, 0, uintptr(unsafe.Pointer(&event))))
	return event, err
}

// WriteBuffer implements API.
func (d *driver) WriteBuffer(q Queue, m Mem, offset int64, data []byte) error {
	return failure(enqueueWriteBuffer, call(d.f[enqueueWriteBuffer], uintptr(q), uintptr(m), 1, uintptr(offset), uintptr(len(data)),
		uintptr(unsafe.Pointer(unsafe.SliceData(data))), 0, 0, 0))
}

// ReadBuffer implements API.
func (d *driver) ReadBuffer(q Queue, m Mem, offset int64, data []byte) error {
	return failure(enqueueReadBuffer, call(d.f[enqueueReadBuffer], uintptr(q), uintptr(m), 1, uintptr(offset), uintptr(len(data)),
		uintptr(unsafe.Pointer(unsafe.SliceData(data))), 0, 0, 0))
}

// FillBuffer implements API.
func (d *driver) FillBuffer(q Queue, m Mem, value byte, offset, bytes int64) error {
	return failure(enqueueFillBuffer, call(d.f[enqueueFillBuffer], uintptr(q), uintptr(m), uintptr(unsafe.Pointer(&value)), 1,
		uintptr(offset), uintptr(bytes), 0, 0, 0))
}

// WriteImage implements API.
func (d *driver) WriteImage(q Queue, m Mem, a Area, rowPitch int64, data []byte) error {
	return d.transferImage(enqueueWriteImage, q, m, a, rowPitch, data)
}

// ReadImage implements API.
func (d *driver) ReadImage(q Queue, m Mem, a Area, rowPitch int64, data []byte) error {
	return d.transferImage(enqueueReadImage, q, m, a, rowPitch, data)
}

func (d *driver) transferImage(function int, q Queue, m Mem, a Area, rowPitch int64, data []byte) error {
	origin := [3]uintptr{uintptr(a.X), uintptr(a.Y), 0}
	region := [3]uintptr{uintptr(a.Width), uintptr(a.Height), 1}
	return failure(function, call(d.f[function], uintptr(q), uintptr(m), 1, uintptr(unsafe.Pointer(&origin)), uintptr(unsafe.Pointer(&region)),
		uintptr(rowPitch), 0, uintptr(unsafe.Pointer(unsafe.SliceData(data))), 0, 0, 0))
}

// Flush implements API.
func (d *driver) Flush(q Queue) error { return failure(flush, call(d.f[flush], uintptr(q))) }

// Finish implements API.
func (d *driver) Finish(q Queue) error { return failure(finish, call(d.f[finish], uintptr(q))) }

// EventTimes implements API.
func (d *driver) EventTimes(e Event) (Times, error) {
	var t Times
	for what, value := range map[uintptr]*uint64{eventQueued: &t.Queued, eventSubmitted: &t.Submitted, eventStarted: &t.Started, eventEnded: &t.Ended} {
		err := failure(getEventProfilingInfo, call(d.f[getEventProfilingInfo], uintptr(e), what, 8, uintptr(unsafe.Pointer(value)), 0))
		if err != nil {
			return Times{}, err
		}
	}
	return t, nil
}

// ReleaseEvent implements API.
func (d *driver) ReleaseEvent(e Event) error { return d.release(releaseEvent, uintptr(e)) }
