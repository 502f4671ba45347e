package server

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
)

// offered holds the documentation of the items of the last completion, for clients that ask for it when they show an item.
type offered struct {
	mu    sync.Mutex
	list  int
	pages []*describe.Page
}

// itemKey finds the documentation of an item.
type itemKey struct {
	List int `json:"list"`
	Item int `json:"item"`
}

// begin forgets the completion before and returns the number of the new one.
func (o *offered) begin() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list++
	o.pages = nil
	return o.list
}

// keep takes the documentation of a completion.
func (o *offered) keep(list int, pages []*describe.Page) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.list == list {
		o.pages = pages
	}
}

func (o *offered) page(key itemKey) *describe.Page {
	o.mu.Lock()
	defer o.mu.Unlock()
	if key.List != o.list || key.Item < 0 || key.Item >= len(o.pages) {
		return nil
	}
	return o.pages[key.Item]
}

// resolveCompletion adds the documentation to an item. One of an earlier completion comes back as it is.
func (s *Server) resolveCompletion(raw json.RawMessage) (wire.Work, error) {
	item := map[string]any{}
	if err := decode(raw, &item); err != nil {
		return nil, err
	}
	var subject struct {
		Data itemKey `json:"data"`
	}
	if err := decode(raw, &subject); err != nil {
		return nil, err
	}
	page := s.offered.page(subject.Data)
	return func(context.Context) (any, error) {
		if page != nil {
			item["documentation"] = s.markup(page, s.client.markdownDocs)
		}
		return item, nil
	}, nil
}

// document gives an item its documentation, at once or later.
func (c *completing) document(item *protocol.CompletionItem, page *describe.Page) {
	if !c.server.client.resolvesDocs {
		if page != nil {
			item.Documentation = c.server.markup(page, c.server.client.markdownDocs)
		}
		return
	}
	item.Data = itemKey{c.list, len(c.pages)}
	c.pages = append(c.pages, page)
}
