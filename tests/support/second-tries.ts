import type { Reporter, TestCase } from 'vitest/node'

// Names each test that failed at first and passed when it was tried again: a fault to look into, in the product or in the test.
export default class SecondTries implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(): void {
    if (this.#names.length > 0) console.log(`Passed only when tried again:\n${this.#names.join('\n')}`)
  }
}
