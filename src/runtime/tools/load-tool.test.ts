import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkTool } from './check/check-tool.ts'
import { practiceContext } from './check/practice.ts'
import { loadTool } from './load-tool.ts'
import { withCheckedRows } from './wrong-row.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-tools-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
function file(source: string, ending = 'mjs'): string {
  const path = join(folder, `tool-${made++}.${ending}`)
  writeFileSync(path, source)
  return path
}
const tool = (run: string, more = '') =>
  file(`export default ({ z, UsageError, BackendError }) => ({
    name: 'my_tool',
    description: 'Does what the test of it is about, and nothing else.',
    input: z.object({ words: z.string().describe('some words') }),
    ${more}
    async run({ words }, context) { ${run} },
  })`)
const context = () => practiceContext('works', new AbortController().signal)
const problems = async (path: string, seconds = 1) =>
  (await checkTool({ file: path, cwd: folder, seconds })).checks.filter(one => one.state === 'wrong')

describe('a tool of the user', () => {
  test('is a file that exports a tool, or a function that makes one from what it is given', async () => {
    const loaded = await loadTool(tool('return { evidence: [], text: words }'), folder)
    expect(await loaded.run({ words: 'hi' }, context())).toEqual({ evidence: [], text: 'hi' })
    const plain = file(
      `export default { name: 'plain_tool', description: 'Has a plain JSON schema as its input.', input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, run: async ({ n }) => ({ evidence: [], text: String(n + 1) }) }`,
    )
    const other = await loadTool(plain, folder)
    expect(other.input.safeParse({ n: 'x' }).success).toBe(false)
    expect(await other.run({ n: 1 }, context())).toMatchObject({ text: '2' })
  })

  test('may say its kind and the tracks that it makes rows of, so that policies use it', async () => {
    const loaded = await loadTool(tool('return { evidence: [] }', `kind: 'search', makes: ['text'],`), folder)
    expect(loaded).toMatchObject({ kind: 'search', makes: ['text'] })
    await expect(loadTool(tool('return { evidence: [] }', `kind: 'find',`), folder)).rejects.toThrow(/kind: /)
  })

  test('may be TypeScript that imports its neighbours', async () => {
    writeFileSync(join(folder, 'neighbour.ts'), 'export const answer: number = 42\n')
    const path = file(
      `import { answer } from './neighbour.ts'
export default { name: 'typed_tool', description: 'Is written in TypeScript, with types.', input: { type: 'object', properties: {} }, async run(_input: unknown) { return { evidence: [], text: String(answer satisfies number) } } }`,
      'ts',
    )
    expect(await (await loadTool(path, folder)).run({}, context())).toMatchObject({ text: '42' })
  })

  test.each([
    ['export const x = 1', /has no default export/],
    ['export default 5', /is not a tool/],
    ['export default {', /cannot be loaded/],
    [`export default { name: 'Bad Name' }`, /name: must be small letters/],
    [
      `export default { name: 'no_run', description: 'It has no run function at all.', input: {} }`,
      /run: must be a function/,
    ],
  ])('that is %s is refused with what is wrong', async (source, message) => {
    await expect(loadTool(file(source), folder)).rejects.toThrow(message)
  })

  test('that is not there is named', async () => {
    await expect(loadTool('nowhere.ts', folder)).rejects.toThrow('There is no tool file nowhere.ts.')
  })
})

describe('a tool of the user in a run', () => {
  test('gets no row into the ledger that is not of this video and its times', async () => {
    const outside = `const row = context.index.evidence()[0]; return { evidence: [words === 'fine' ? row : { ...row, span: { start: 1, end: 99 } }] }`
    const guarded = withCheckedRows(await loadTool(tool(outside), folder))
    expect((await guarded.run({ words: 'fine' }, context())).evidence).toHaveLength(1)
    await expect(guarded.run({ words: 'late' }, context())).rejects.toThrow(/not evidence: .*outside the video of 60 s/)
    const changed = tool(`return { evidence: [{ ...context.index.evidence()[0], text: words }] }`)
    await expect(withCheckedRows(await loadTool(changed, folder)).run({ words: 'x' }, context())).rejects.toThrow(
      /changed after/,
    )
    const none = withCheckedRows(await loadTool(tool('return undefined'), folder))
    await expect(none.run({ words: 'x' }, context())).rejects.toThrow(/must return/)
  })
})

describe('tool check', () => {
  test('a tool that keeps the promises conforms', async () => {
    const path = tool(`context.signal.throwIfAborted()
      const frames = await context.frames([1])
      return { evidence: [context.note({ span: { start: 1, end: 2 }, track: 'picture', text: words }, 'my/tool')], text: String(frames.length) }`)
    const checked = await checkTool({ file: path, cwd: folder })
    expect(checked.checks.filter(one => one.state !== 'ok')).toEqual([])
    expect(checked).toMatchObject({ conforms: true, tool: 'my_tool', input: { words: 'room 204' } })
  })

  test.each([
    [
      'a time outside the video',
      `return { evidence: [context.note({ span: { start: 1, end: 99 }, track: 'text', text: 'x' }, 'a/b')] }`,
      /outside the video of 60 s/,
    ],
    [
      'a row that it made up',
      `return { evidence: [{ ...context.index.evidence()[0], id: 'sdeadbeef00' }] }`,
      /not made by context.note/,
    ],
    ['no list of rows', `return 'found it'`, /must return \{ evidence/],
    [
      'an error of its own sort',
      `const frames = await context.frames([1]).catch(() => undefined); return { evidence: [], text: String(frames.length) }`,
      /TypeError/,
    ],
    [
      'going on after the stop',
      `await new Promise(resolve => setTimeout(resolve, 1500)); return { evidence: [], text: 'late' }`,
      /pass context.signal on/,
    ],
    ['no answer', 'return new Promise(() => {})', /did not answer in 1 seconds/],
    [
      'a file that it writes',
      `const fs = await import('node:fs/promises'); await fs.writeFile('${join(folder, 'out')}', 'x').catch(() => {}); return { evidence: [], text: 'x' }`,
      /writeFile .*writes nothing/,
    ],
    [
      'a server that it asks',
      `await fetch('http://127.0.0.1:59321/').catch(() => {}); return { evidence: [], text: 'x' }`,
      /danger: 'network'/,
    ],
    [
      'a program that it starts',
      `const { execFileSync } = await import('node:child_process'); try { execFileSync('true') } catch {} return { evidence: [], text: 'x' }`,
      /execFileSync true.*danger: 'code'/,
    ],
  ])('finds %s', async (_, run, problem) => {
    const found = await problems(tool(run))
    expect(found.map(one => one.detail).join('\n')).toMatch(problem)
  })

  test('what a tool says that it may do is no fault', async () => {
    const asks = `await fetch('http://127.0.0.1:59321/').catch(() => {}); return { evidence: [], text: 'x' }`
    expect(await problems(tool(asks, `danger: 'network',`))).toEqual([])
  })

  test.each(['own-tool.mjs', 'longest-silence.ts'])('the example %s conforms', async name => {
    const examples = join(import.meta.dirname, '..', '..', '..', 'docs', 'examples')
    const checked = await checkTool({ file: name, cwd: examples })
    expect(checked.checks.filter(one => one.state !== 'ok')).toEqual([])
  })

  test('leaves the disk and the programs as they were', async () => {
    await problems(tool('return { evidence: [] }'))
    const path = join(folder, 'afterwards')
    writeFileSync(path, 'x')
    expect((await import('node:fs')).readFileSync(path, 'utf8')).toBe('x')
  })
})
