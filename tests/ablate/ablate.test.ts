import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StudyResult } from '../../eval/ablate/result/result.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { noHnsw } from '../support/vector-kinds.ts'
import { makeSigns } from './signs.ts'

let folder: string
let data: string
let line: CommandLine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-ablate-'))
  data = await makeSigns(join(folder, 'signs'))
  line = commandLine({}, { PATH: process.env.PATH })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function study(out: string, ...words: string[]): Promise<StudyResult> {
  const ran = await line.run('ablate', 'needle', '--data', data, '--base', 'embedded', '--out', out, '--json', ...words)
  expect(ran.code, ran.stderr).toBe(0)
  return JSON.parse(ran.stdout)
}

// How many results of a stage the library holds, over all videos.
function stagesKept(stage: string): number {
  const library = join(line.cwd, 'home', 'library')
  return readdirSync(library)
    .filter(video => video.startsWith('v'))
    .flatMap(video => {
      try {
        return readdirSync(join(library, video, 'stages', stage)).filter(name => /^[0-9a-f]{32}$/.test(name))
      } catch {
        return []
      }
    }).length
}

describe('a study over two videos of slides', () => {
  let out: string
  let found: StudyResult
  const row = (name: string) => found.rows.find(one => one.name === name) ?? found.rows[0]
  const open = (name: string) => row(name).differences.find(one => one.task === 'open')
  beforeAll(async () => {
    out = join(folder, 'study')
    found = await study(
      out,
      ...['--task', 'open', '--without', 'text,sound', '--set', 'index.vectors=exact'],
      ...['--fault', 'ocr:cer=0,0.7', '--oracle', 'ocr,retrieval', '--fault', 'tool:transcribe=down'],
    )
  })

  test('finds the effect that was planted and none where none was', () => {
    expect(found.rows[0].scores.open).toBeGreaterThan(80)
    expect(open('fault ocr:cer=0.7')?.holm).toBeLessThan(0.05)
    expect(open('fault ocr:cer=0.7')?.difference).toBeLessThan(-40)
    expect(open('without text')?.holm).toBeLessThan(0.05)
    for (const name of ['without sound', 'index.vectors=exact', 'fault ocr:cer=0', 'fault tool:transcribe=down']) {
      expect(open(name)?.holm, name).toBe(1)
      expect(open(name)?.difference, name).toBe(0)
    }
    expect(row('oracle ocr').scores.open).toBe(100)
  })

  test('reads no frame and hears no word again for another retriever', () => {
    const { made, reused } = row('index.vectors=exact').stages
    expect(made).toEqual(noHnsw ? {} : { 'vector-index': 2 }) // without HNSW the base is exact as well
    expect(reused).toMatchObject({ text: 2, speech: 2, decode: 2, vectors: 2 })
    // The text as read, with planted errors, and from the annotations; a seventh would have been read again.
    expect(stagesKept('text')).toBe(6)
    expect(stagesKept('speech')).toBe(2)
    expect(stagesKept('decode')).toBe(2)
  })

  test('plants errors in what was read, without reading again', () => {
    expect(row('fault ocr:cer=0.7').stages.made).toEqual({ text: 2, overview: 2, 'full-text': 2 })
    expect(row('fault ocr:cer=0').stages.made).toEqual({})
  })

  test('asks no model twice for the same', () => {
    expect(row('base').calls.reused).toBe(0)
    expect(row('index.vectors=exact').calls).toMatchObject({ made: 0, reused: row('base').calls.made })
    expect(row('fault ocr:cer=0.7').calls.made).toBeGreaterThan(0)
  })

  test('ends with tables and a page in its folder', async () => {
    for (const file of [
      'table.md',
      'table.tex',
      'rows.csv',
      'questions.csv',
      'report.html',
      'results.json',
      'summary.json',
    ])
      expect((await stat(join(out, file))).size, file).toBeGreaterThan(10)
    const flips = row('without text').flips
    expect(flips.length).toBeGreaterThan(8)
    const page = readFileSync(join(out, 'report.html'), 'utf8')
    expect(page).toContain(flips[0]!.id)
    expect(page).toMatch(/Content-Security-Policy/)
    const csv = readFileSync(join(out, 'questions.csv'), 'utf8').trim().split('\n')
    expect(csv).toHaveLength(1 + found.rows.length * 16)
  })

  test('has rows that are runs: they can be compared as two runs are', async () => {
    const compared = await line.run('compare', join(out, 'rows', 'base'), join(out, 'rows', 'without-text'), '--json')
    const { rows } = JSON.parse(compared.stdout) as StudyResult
    const { holm: _, ...alone } = rows[1]!.differences[0]!
    const { holm: __, ...within } = open('without text')!
    expect(alone).toEqual(within)
  })

  test('is planned by what its stages are made of: nothing is left to make', async () => {
    const words = ['--without', 'text', '--set', 'index.vectors=exact', '--fault', 'ocr:cer=0.3', '--dry-run', '--json']
    const { stdout } = await line.run('ablate', 'needle', '--data', data, '--base', 'embedded', ...words)
    const { plan } = JSON.parse(stdout)
    expect(plan.rows.map((one: { stages: { make: object } }) => one.stages.make)).toEqual([
      {},
      {},
      {},
      { text: 2, overview: 2, 'full-text': 2 },
    ])
    expect(plan.questions).toBe(4 * 32)
  })

  test('goes on from a step of the base: what is replayed costs no call', async () => {
    const replayed = await study(join(folder, 'from'), '--without', 'verifier', '--from-step', '1', '--limit', '4')
    const [base, changed] = replayed.rows
    expect(changed!.calls.reused).toBeGreaterThan(0)
    expect(changed!.calls.roles.verifier ?? { made: 0 }).toMatchObject({ made: 0 })
    expect(changed!.samples).toBe(base.samples)
  })
}, 240_000)

test('a matrix comes from a file, and what is wrong with it is told with its place', async () => {
  const file = join(folder, 'ablation.json')
  const write = (content: object) => writeFile(file, JSON.stringify(content))
  const dry = () => line.run('ablate', '--matrix', file, '--data', data, '--dry-run', '--json')
  await write({ benchmark: 'needle', base: { profile: 'embedded' }, oracle: ['spam'] })
  expect(await dry()).toMatchObject({ code: 2, stderr: expect.stringContaining('oracle.0') })
  for (const words of [
    ['--oracle', 'spam'],
    ['--set', 'constructor=1'],
    ['--swap', '__proto__=1'],
  ])
    expect(await line.run('ablate', 'needle', ...words, '--data', data, '--dry-run')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/oracle\.0|names nothing/),
    })
  await write({ benchmark: 'needle', base: { profile: 'embedded' }, set: { 'index.vectors': ['flat'] } })
  expect(await dry()).toMatchObject({ code: 2, stderr: expect.stringContaining('index.vectors') })
  await write({
    benchmark: 'needle',
    base: { profile: 'embedded' },
    rows: [{ name: 'deaf', without: ['speech', 'sound'] }],
  })
  const { stdout } = await dry()
  expect(JSON.parse(stdout).plan.rows.map((row: { name: string }) => row.name)).toEqual(['base', 'deaf'])
})

test('an oracle says what the annotations lack', async () => {
  const { code, stderr } = await line.run(
    'ablate',
    'needle',
    '--data',
    join(data, 'needle.json'),
    '--oracle',
    'transcript',
    '--base',
    'embedded',
    '--dry-run',
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  await writeFile(
    join(folder, 'lvbench.jsonl'),
    `${JSON.stringify({ key: 'x', type: 'a', qa: [{ uid: '1', question: 'What?\n(A) a\n(B) b', answer: 'A', time_reference: '', question_type: [] }] })}\n`,
  )
  const other = await line.run(
    'ablate',
    'lvbench',
    '--data',
    join(folder, 'lvbench.jsonl'),
    '--oracle',
    'ocr',
    '--base',
    'embedded',
    '--dry-run',
  )
  expect(other.code).toBe(2)
})
