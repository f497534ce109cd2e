import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { longtake } from '../end-to-end/longtake.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-own-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = (type: string) => `import { z } from 'zod'

export default {
  name: 'repeats',
  description: 'Says the words again, for a test far from any package.',
  input: z.object({ words: z.string().describe('any words') }),
  run: async ({ words }${type}) => ({ evidence: [], text: words }),
}
`

// In Node itself: the loader of the other tests finds packages by other ways.
test.each([
  ['own.mjs', ''],
  ['own.ts', ': { words: string }'],
])('%s may lie where nothing is installed and still import zod', async (name, type) => {
  writeFileSync(join(folder, name), source(type))
  const { code, out, err } = await longtake(['tool', 'check', name], { home: folder, cwd: folder })
  expect([err, out.split('\n')[0], code]).toEqual(['', 'repeats: conforms.', 0])
})
