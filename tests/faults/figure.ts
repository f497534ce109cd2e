import { TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    figure?: string
  }
}

// Records the number that a test saw ("picture 66 %, exit 6"); tests/faults/run.ts shows it in the table of the fault rows.
// Called more than once in a test, the last one counts.
export function figure(text: string): void {
  const test = TestRunner.getCurrentTest()
  if (!test) throw new Error('figure() records what a running test saw; call it inside a test.')
  test.meta.figure = text
}
