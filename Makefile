.PHONY: run test release package bench bench-pages fuzz kills outages rolling nodes tools

run: tools ## Build for release and serve on http://127.0.0.1:3000.
	PATH="$(CURDIR)/end2end/node_modules/.bin:$$PATH" cargo leptos serve --release --precompress --split --features split

test: ## Everything that CI checks.
	.ci/test.sh

release: tools ## The program and its site, for release: what is packaged, and what figures are taken of.
	PATH="$(CURDIR)/end2end/node_modules/.bin:$$PATH" cargo leptos build --release --precompress --split --features split

package: release ## The program as one file with all that it needs, a tar file and a Debian package, in target/package.
	rm -rf target/package
	deploy/package.sh target/package

bench: ## The benchmarks, in release mode. FIGURE=stop takes only what holds the word.
	cargo bench $(if $(FIGURE),-p server -- $(FIGURE))

bench-pages: release ## What a browser shows of a build for release. FIGURE=reading takes only the file of that name.
	.ci/tools.sh test
	cd end2end && VIVARIUM_BIN="$(CURDIR)/target/release/vivarium" LEPTOS_SITE_ROOT="$(CURDIR)/target/site" npm run bench -- $(FIGURE)

fuzz: ## Every parser of what others wrote, for an hour, with inputs that nobody has seen.
	SEED=$$(date +%s) cargo run -q -p agent --release --example fuzz -- 3600s

rolling: ## Replace nodes at work one by one; BEFORE=path names the program of before.
	$(if $(BEFORE),BEFORE=$(abspath $(BEFORE))) .ci/postgres.sh cargo test -p server --features split --test it rolling -- --nocapture

kills: ## Kill a hub at work a thousand times on each database, and nodes for an hour.
	@echo '| Database | Kills | A person was asked | Runs at rest, ms: p50 | p99 | at most |'
	@echo '|---|---|---|---|---|---|'
	KILLS=1000 MINUTES=60 SEED=$$(date +%s) .ci/postgres.sh cargo test -p server --features split --test it anywhere -- --nocapture
	KILLS=30 SEED=$$(date +%s) .ci/postgres.sh cargo test -p server --features split --test it -- killed_tree killed_pipeline

outages: ## Take the database, NATS and the models' server away at random for an hour while agents work on three nodes.
	@echo '| Away | Rounds | Seconds in all | Runs completed | Runs failed | Runs at rest, ms: p50 | p99 | at most |'
	@echo '|---|---|---|---|---|---|---|---|'
	MINUTES=$${MINUTES:-60} SEED=$$(date +%s) .ci/postgres.sh cargo test -p server --features split --test it nodes::outages -- --nocapture

nodes: ## All tests in the browser, where a balancer gives each connection to another of three nodes.
	.ci/tools.sh test
	cargo leptos build --split --features split
	VIVARIUM_NODES=3 .ci/postgres.sh npm --prefix end2end run --silent test -- --retries=1 --workers=2

tools: ## Install what building needs and this machine lacks.
	.ci/tools.sh
