.PHONY: run test bench tools

run: tools ## Build for release and serve on http://127.0.0.1:3000.
	PATH="$(CURDIR)/end2end/node_modules/.bin:$$PATH" cargo leptos serve --release

test: ## Everything that CI checks.
	.ci/test.sh

bench: ## The benchmarks, in release mode.
	cargo bench

tools: ## Install what building needs and this machine lacks.
	.ci/tools.sh
