// Package form reads what the op of a step asks in the terms that all devices share: why a device refuses a step
// ([Refusal]), operands of packed layouts seen as plain ones ([PlainOf]), and windows that slide over pictures
// ([PictureOf], [WindowOf], [GlobalOf]), axes that are resized ([ResizeOf]) or repacked ([RepackOf]), and recurrent cells
// ([RecurrentOf]).
//
// The package knows shapes and attributes. It knows no memory.
package form
