# make test   installs what the tests need where it is missing, then checks and tests everything: under the race detector, and
#             without it where tests leave cases out under it
# make update rewrites golden files and generated pages
# make bench  runs the benchmarks
# make bench-layout rewrites the timed tables of the layout solver in docs/performance.md
# make bench-lsp rewrites the timed tables of the language server in docs/performance.md
# make bench-runtime times the models on OpenCL beside onnxruntime and TensorFlow Lite, from npm, for docs/performance.md
# make reproducible builds the programs of a release twice for each platform, and compares the bytes
# make fuzz   runs every fuzz target for FUZZTIME each
FUZZTIME ?= 30s

.PHONY: all build test lint update bench bench-layout bench-lsp bench-runtime fuzz install reproducible

all: build

build:
	go build -o bin/ ./cmd/...

install:
	.ci/install

reproducible:
	.ci/reproducible

lint:
	@unformatted="$$(git ls-files '*.go' | xargs gofmt -l)"; \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

test: install lint
	GORACE=atexit_sleep_ms=0 MEMPLAN_REQUIRE_ALL=1 go test -race -timeout 18m ./...
	MEMPLAN_REQUIRE_ALL=1 go test -timeout 18m $$(git grep -lE 'needs\.(Turn|Raced)' -- '*_test.go' | xargs -n1 dirname | sort -u | sed "s,^,./,")

update:
	go test $$(git grep -l '"update"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed "s,^,./,") -update

bench:
	go test -run '^$$' -bench . -benchmem ./...

bench-layout:
	go test ./cmd/memplan -run TestFigures -figures -timeout 60m -v

bench-lsp:
	go test ./cmd/memplan-lsp -run TestFigures -figures -v -count 1

bench-runtime:
	npm ci --prefix runtime/exec/testdata/peers
	go test ./runtime/exec -run TestPeers -peers 2 -timeout 30m -v -count 1
	go test ./runtime/exec -run TestPeers -peers 1 -timeout 30m -v -count 1

fuzz:
	@for pkg in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$target"; go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done
