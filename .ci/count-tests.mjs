// Adds up vitest's JSON reports, named as arguments, and prints "N passed, N failed" as its only line.
// A file that could not even be loaded, or a report that was never written, counts as one failure.
import { readFileSync } from 'node:fs'

const totals = { passed: 0, failed: 0 }
for (const path of process.argv.slice(2)) {
  const report = read(path)
  if (report === null) {
    totals.failed += 1
    continue
  }
  totals.passed += report.numPassedTests
  totals.failed += report.numFailedTests + report.testResults.filter(failedOutsideTests).length
}
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

function failedOutsideTests({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
}
