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
          ancestorTitles: z.array(z.string()),
          status: z.string(),
          duration: z.number().nullish(), // milliseconds
          meta: z.object({ figure: z.string().optional() }).optional(),
        }),
      ),
    }),
  ),
})

// The tests of fault rows in a report of vitest: those whose own name, or that of a group around them, begins with an id.
export function readReport(text: string, root: string): RanTest[] {
  return Report.parse(JSON.parse(text)).testResults.flatMap(file =>
    file.assertionResults.flatMap(test => {
      const names = [...test.ancestorTitles, test.title]
      const id = names.flatMap(name => /^fault (\d+): /.exec(name)?.[1] ?? [])[0]
      if (!id) return []
      const name = names.at(-1)?.replace(/^fault \d+: /, '') ?? ''
      const state = test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped'
      const seconds = (test.duration ?? 0) / 1000
      return [{ id, name, file: relative(root, file.name), state, seconds, figure: test.meta?.figure }]
    }),
  )
}
