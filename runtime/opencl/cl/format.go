package cl

// RGBA is the format of four channels of a type.
func RGBA(channel uint32) Format { return Format{OrderRGBA, channel} }

// texelBytes is the size of a texel of four channels.
func (f Format) texelBytes() int64 {
	switch f.Type {
	case TypeInt8, TypeUint8:
		return 4
	case TypeInt16, TypeUint16, TypeFloat16:
		return 8
	}
	return 16
}
