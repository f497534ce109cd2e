import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

// Names each test that failed at first and passed when it was tried again: a fault to look into, in the product or in the test. Errors outside
// of the tests, which no second run of a file undoes, are counted in the file that LONGTAKE_TEST_ERRORS names: the JSON report has none of them.
export default class SecondTries implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    const { LONGTAKE_TEST_ERRORS: file } = process.env
    if (file && errors.length > 0) writeFileSync(file, String(errors.length))
    if (this.#names.length > 0) console.log(`Passed only when tried again:\n${this.#names.join('\n')}`)
  }
}
