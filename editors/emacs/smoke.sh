#!/bin/sh
# Tries memplan-lsp in a batch Emacs. Needs emacs with eglot, and go.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../.." && go build -o "$work/memplan-lsp" ./cmd/memplan-lsp)
cp "$here/../../examples/sram-banks/keyword.json" "$work/"
cp "$here/../../examples/sram-banks/config.hcl" "$work/config.memplan.hcl"
cd "$work"
PATH="$work:$PATH" timeout 120 emacs -q --batch -l "$here/smoke.el"
