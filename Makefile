.PHONY: run test package bench fuzz kills outages rolling tools

run: tools ## Build for release and serve on http://127.0.0.1:3000.
	PATH="$(CURDIR)/end2end/node_modules/.bin:$$PATH" cargo leptos serve --release --precompress --split --features split

test: ## Everything that CI checks.
	.ci/test.sh

package: tools ## The program as one file with all that it needs, a tar file and a Debian package, in target/package.
	PATH="$(CURDIR)/end2end/node_modules/.bin:$$PATH" cargo leptos build --release --precompress --split --features split
	rm -rf target/package
	deploy/package.sh target/package

bench: ## The benchmarks, in release mode.
	cargo bench

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

tools: ## Install what building needs and this machine lacks.
	.ci/tools.sh
