# Mirasa's commands. The work is in scripts/; each can be read and run alone.
# A fresh Debian or Ubuntu is enough: what is missing is set up on the way.

LISTEN ?= 127.0.0.1:8080
PORT   ?=
ifneq ($(PORT),)
  LISTEN := 127.0.0.1:$(PORT)
endif

.DEFAULT_GOAL := help
.PHONY: help run test build dev gen bench sbom soak failover attack studio

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-8s %s\n' "$$name" "$$text"; done

run: build ## Build and serve the shop with the demo catalogue (LISTEN=127.0.0.1:8080)
	@scripts/run.sh $(LISTEN)

test: ## Run everything: format, lints, generated files, Rust, web and browser tests
	@scripts/test.sh

build: ## Build the web app and target/release/mirasa
	@scripts/setup.sh build
	@scripts/build.sh

dev: ## Serve on :5173 and rebuild while you edit
	@scripts/setup.sh build
	@scripts/dev.sh

gen: ## Renew api/openapi.json and the web app's types from the code
	@scripts/setup.sh build
	@scripts/web.sh build
	@scripts/gen.sh

bench: build ## Measure the release build: throughput, latency, Lighthouse
	@scripts/setup.sh measure
	@bench/run.sh

soak: build ## Keep the release build under traffic and faults, and count afterwards (minutes)
	@scripts/setup.sh measure
	@soak/run.sh

failover: build ## Three instances and nginx on PostgreSQL; its standby takes over (minutes)
	@scripts/setup.sh measure
	@soak/run.sh --failover

attack: ## Send every call thousands of odd requests: visitor, shopper, admin (minutes)
	@scripts/setup.sh build
	@scripts/web.sh build
	@soak/attack.sh

sbom: ## List what the program is made of (CycloneDX) in target/mirasa.cdx.json
	@scripts/setup.sh build
	@scripts/web.sh deps
	@mkdir -p target && scripts/sbom.py target/mirasa.cdx.json

studio: ## Render the product pictures again
	@studio/run.sh
