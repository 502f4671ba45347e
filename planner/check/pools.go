package check

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// poolSuits checks that the pool is on the graph's device, of the type that the scope asks for, and that it holds the
// tensor's role unless a rule or a pin chose it.
func (c *checker) poolSuits(pg *planned, t *plan.Tensor, pool *plan.Pool) {
	if c.devices[pool.Device] == nil {
		c.report(diag.PlanPoolUnsuited, "Pool %q, which has the tensor %q, is on device %q, which the plan does not have. Plan again.", pool.Name, t.Name, pool.Device)
	}
	if pg.device == "" {
		pg.device, pg.deviceOf = pool.Device, t.Name
	}
	if pool.Device != pg.device {
		c.report(diag.PlanPoolUnsuited, "The tensor %q is in pool %q of device %q and %q is on device %q: a graph runs on one device. Plan again.",
			t.Name, pool.Name, pool.Device, pg.deviceOf, pg.device)
	}
	if imageScopes[t.Scope] == nil && (t.Scope != "global" || pool.Type != "flat") {
		c.report(diag.PlanPoolUnsuited, "The tensor %q of scope %q is in pool %q of type %q. Plan again.", t.Name, t.Scope, pool.Name, pool.Type)
	}
	if t.ViewOf == nil && t.Reason.Rule == nil && t.Reason.Pinned == nil && !pg.held(t, pool) {
		c.report(diag.PlanPoolUnsuited, "The tensor %q of role %q is in pool %q, which holds %s, and neither a rule nor a pin put it there. Plan again.",
			t.Name, t.Role, pool.Name, diag.Quoted(pool.Holds))
	}
}

// held reports whether the pool holds what the tensor, or a view of it, is to the graph's caller or to the graph.
func (pg *planned) held(t *plan.Tensor, pool *plan.Pool) bool {
	if slices.Contains(pool.Holds, t.Role) {
		return true
	}
	caller := pg.callers[t.Name]
	return caller.input && slices.Contains(pool.Holds, string(graph.Input)) || caller.output && slices.Contains(pool.Holds, string(graph.Output))
}

// limits checks alignment, capacity and the largest allocation of what takes the bytes [offset, end).
func (c *checker) limits(t *plan.Tensor, pool *plan.Pool, offset, end int64) {
	for _, align := range []int64{pool.Alignment, t.Alignment} {
		if t.Size > 0 && align > 1 && offset%align != 0 {
			c.report(diag.PlanMisaligned, "The tensor %s is not at a multiple of %d. Plan again.", c.where(t), align)
			break
		}
	}
	if t.Size > 0 && pool.Capacity != nil && end > *pool.Capacity {
		c.report(diag.PlanBeyondCapacity, "The tensor %s ends beyond the %d bytes of the pool. Plan again.", c.where(t), *pool.Capacity)
	}
	if device := c.devices[pool.Device]; device != nil && device.MaxAlloc != nil && end > *device.MaxAlloc {
		c.report(diag.PlanAllocTooLarge, "The tensor %s needs an allocation of %d bytes, and device %q allows %d. Plan again.", c.where(t), end, device.Name, *device.MaxAlloc)
	}
}

// storage returns the storage of a tensor after checking that the two agree, nil when there is none.
func (c *checker) storage(t *plan.Tensor) *plan.Storage {
	i, ok := c.storages[t.Storage]
	if !ok {
		c.report(diag.PlanStorageWrong, "The tensor %q names storage %d, which the plan does not have. Plan again.", t.Name, t.Storage)
		return nil
	}
	c.used[i] = true
	s := &c.plan.Storages[i]
	fits := s.Pool == t.Pool && (s.Offset == nil) == (t.Offset == nil)
	if fits && s.Offset == nil {
		fits = t.Size <= s.Size
	}
	if fits && s.Offset != nil {
		fits = *s.Offset <= *t.Offset && *t.Offset-*s.Offset <= s.Size-t.Size
	}
	if !fits {
		c.report(diag.PlanStorageWrong, "The tensor %s does not lie within its storage %d in pool %q. Plan again.", c.where(t), s.ID, s.Pool)
	}
	return s
}

// storagesInUse reports storages that no tensor names.
func (c *checker) storagesInUse() {
	for i, used := range c.used {
		if !used {
			c.report(diag.PlanStorageWrong, "The storage %d in pool %q belongs to no tensor. Plan again.", c.plan.Storages[i].ID, c.plan.Storages[i].Pool)
		}
	}
}
