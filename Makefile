# The commands of the project. The steps are in scripts/; each can be run alone.
# Tools that are missing on Debian or Ubuntu are installed first.

LISTEN ?= 127.0.0.1:8080
PORT   ?=
ifneq ($(PORT),)
  LISTEN := 127.0.0.1:$(PORT)
endif

RUNS ?= 1

.DEFAULT_GOAL := help
.PHONY: help run test build dev gen package bench sbom soak failover fuzz attack browsers studio

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-8s %s\n' "$$name" "$$text"; done

run: ## Build and serve the shop with the demo catalogue (LISTEN=127.0.0.1:8080)
	@scripts/run.sh $(LISTEN)

test: ## Run all checks: format, lints, generated files, Rust, web and browser tests
	@scripts/test.sh

browsers: ## Run the main flows and the layout in the engines of Firefox and Safari (minutes)
	@scripts/setup.sh browsers
	@scripts/build-dev.sh
	@scripts/browsers.sh

build: ## Build the web app and target/release/mirasa
	@scripts/setup.sh build
	@scripts/build.sh

dev: ## Serve on :5173 and rebuild on every change
	@scripts/setup.sh build
	@scripts/dev.sh

gen: ## Generate api/openapi.json and the web app's types from the code
	@scripts/setup.sh build
	@scripts/web.sh build
	@scripts/gen.sh

package: build ## Build a Debian package in target/package; test it with scripts/test-package.sh
	@scripts/package.sh

bench: build ## Measure the release build: throughput, latency, Lighthouse
	@scripts/setup.sh measure
	@bench/run.sh

soak: build ## Run the release build under load and faults, then check stock and orders (minutes)
	@scripts/setup.sh measure
	@soak/run.sh

failover: build ## Test three instances on Patroni while the PostgreSQL leader fails (RUNS=1 times in each way, minutes)
	@scripts/setup.sh measure
	@soak/run.sh --failover --runs $(RUNS)

fuzz: ## Fuzz the API from its OpenAPI description as visitor, customer and admin (minutes)
	@scripts/setup.sh build
	@scripts/web.sh build
	@soak/fuzz_api.sh

# Alias: the former name of fuzz.
attack: fuzz

sbom: ## List all dependencies (CycloneDX) in target/mirasa.cdx.json
	@scripts/setup.sh build
	@scripts/web.sh deps
	@mkdir -p target && scripts/sbom.py target/mirasa.cdx.json

studio: ## Render the product images again
	@studio/run.sh
