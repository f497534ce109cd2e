import { relative } from 'node:path'
import { z } from 'zod'

export interface RanTest {
  id: string // of the row
  name: string
  file: string
  state: 'passed' | 'failed' | 'skipped'
  seconds: number
  figure?: string
}

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(), // of the file
      assertionResults: z.array(
        z.object({
          title: z.string(),
          status: z.string(),
          duration: z.number().nullish(), // milliseconds
          meta: z.object({ figure: z.string().optional() }).optional(),
        }),
      ),
    }),
  ),
})

// The tests of fault rows in a report of vitest. Those that the filter left out have no duration and say "skipped" too, but
// their names do not begin with an id.
export function readReport(text: string, root: string): RanTest[] {
  return Report.parse(JSON.parse(text)).testResults.flatMap(file =>
    file.assertionResults.flatMap(test => {
      const [, id, name] = /^fault (\d+): (.*)$/s.exec(test.title) ?? []
      if (!id) return []
      const state = test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped'
      const seconds = (test.duration ?? 0) / 1000
      return [{ id, name, file: relative(root, file.name), state, seconds, figure: test.meta?.figure }]
    }),
  )
}
