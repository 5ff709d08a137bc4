#!/usr/bin/env bash
# Runs the test suite on a real PostgreSQL, which is left running for the next time. Arguments go to vitest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

url=$(test/support/postgres.sh start | tail -n 1)
export ENGRAM_TEST_ENGINE=postgres ENGRAM_TEST_DATABASE_URL=$url
exec node_modules/.bin/vitest run "$@"
