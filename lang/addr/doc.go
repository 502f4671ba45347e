// Package addr names the things a configuration declares: pool.arena, device.gpu, var.batch. Start from [Address] and
// [Parse]. Addresses are values and are never changed once made. The package knows no values and does not know what is
// declared.
package addr
