import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeJsonLines } from '../data/lines.ts'
import { checkSet } from '../make/check-set.ts'
import { paperLatex } from '../report/papers/latex.ts'
import { replyCoverage, scoredTables } from '../report/scored-tables.ts'
import { collectSamples } from '../runner/collect-samples.ts'
import { scoreReplies } from '../runner/score-replies.ts'
import { allvbTasks } from './allvb/record.ts'
import { allBenchmarks, loadBenchmark } from './index.ts'
import { skills } from './infinibench/record.ts'
import { type MappedField, type MappedFields, writtenRecord } from './map/written-record.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const options = ['red', 'blue', 'green', 'grey']
const taskOf: Record<string, string | undefined> = { allvb: allvbTasks[0], infinibench: skills[0] }
const answerForms: Partial<Record<MappedField, unknown>> = { letter: 'K', place: 10, text: 'none of them' }

type Written = Record<string, unknown>

// Four questions as the benchmark's own files hold them. The right answers are A, B, C, D.
function questions(name: string, mapped: MappedFields): Written[] {
  return options.map((_, place) => ({
    ...writtenRecord(
      {
        id: `q${place}`,
        video: `v${place}.mp4`,
        task: taskOf[name] ?? 'task',
        question: `What colour is thing ${place}?`,
        options,
        answer: 'ABCD'[place] ?? '',
        more: { clue_intervals: [[60, 90]], duration: '600' },
      },
      place,
      mapped,
    ),
  }))
}

let files = 0
function dataFile(records: readonly object[]): string {
  const path = join(folder, `data-${files++}.jsonl`)
  writeFileSync(path, records.map(record => `${JSON.stringify(record)}\n`).join(''))
  return path
}

const mappedBenchmarks = (await allBenchmarks()).flatMap(benchmark => {
  const { mapped } = benchmark.data
  return mapped ? [{ name: benchmark.name, benchmark, mapped }] : []
})

test('the table is over nearly all benchmarks', () => expect(mappedBenchmarks.length).toBeGreaterThan(7))

describe.each(mappedBenchmarks)('$name', ({ name, benchmark, mapped }) => {
  const fieldOf = (...sources: MappedField[]) =>
    Object.keys(mapped.fields).find(field => sources.includes(mapped.fields[field] as MappedField)) ?? ''
  const answerField = fieldOf('letter', 'place', 'text')
  const optionsField = fieldOf('options', 'options with letters')

  test.each<[fault: string, change: (all: Written[]) => Written[]]>([
    [
      'contradicting keys',
      ([first = {}, second = {}, ...rest]) => [
        first,
        { ...first, [answerField]: second[answerField] },
        second,
        ...rest,
      ],
    ],
    [
      'none of the options',
      ([first, ...rest]) => [
        { ...first, [answerField]: answerForms[mapped.fields[answerField] as MappedField] },
        ...rest,
      ],
    ],
    ['without options', ([first, ...rest]) => [{ ...first, [optionsField]: [] }, ...rest]],
  ])('%s: a run, a check and scoring find the same', async (fault, change) => {
    const data = dataFile(change(questions(name, mapped)))
    const byRun = await faultsIn(async () => (await collectSamples(benchmark, data, {})).faults)
    const byCheck = await faultsIn(
      async () => (await checkSet({ path: data, benchmark: name }, AbortSignal.timeout(9000))).faults,
    )
    expect(byRun.join('\n')).toMatch(fault === 'without options' ? /options/ : new RegExp(`${fault}|lacks a letter`))
    const replies = writeJsonLines([
      { id: '0', replies: {} },
      { id: 'q0', replies: {} },
      { id: '1_task/0', replies: {} },
    ])
    const byScore = await faultsIn(async () => (await scoreReplies({ benchmark: name, data, replies })).faults)
    expect([byCheck, byScore]).toEqual([byRun, byRun])
  })

  test('sound data have no fault', async () => {
    const { faults } = await collectSamples(benchmark, dataFile(questions(name, mapped)), {})
    expect(faults).toEqual([])
  })

  describe('hostile replies', () => {
    const replyOf: Record<string, (place: number) => object> = {
      'cg-bench': place => ({ long_acc: 'ABCD'[place], miou: '{"result": [[60, 90]]}' }),
      infinibench: place => ({ answer: String(place) }),
      'videoeval-pro': place => ({ mcq: 'ABCD'[place] }),
    }
    const data = () => dataFile(questions(name, mapped))
    const idsIn = async (path: string) => (await collectSamples(benchmark, path, {})).samples.map(({ id }) => id)
    const right = (place: number) => replyOf[name]?.(place) ?? { answer: 'ABCD'[place] }
    const scored = async (lines: readonly object[], path = data()) => {
      const done = await scoreReplies({ benchmark: name, data: path, replies: writeJsonLines(lines) })
      const coverage = await replyCoverage(done)
      const scores = await done.score('official')
      return {
        scores,
        strict: await done.score('strict'),
        coverage,
        tables: await scoredTables(done, scores, { name: 'my run', byWords: false, coverage }),
      }
    }

    test('the right ones cover all and say nothing', async () => {
      const path = data()
      const ids = await idsIn(path)
      const { coverage, scores } = await scored(
        ids.map((id, place) => ({ id, replies: right(place) })),
        path,
      )
      expect([coverage, scores.notes]).toEqual([undefined, []])
      expect(Object.values(scores.metrics)).toContain(100)
    })

    test('half of them stand beside published numbers as 2 of 4, with bounds, and so do groups', async () => {
      const path = data()
      const ids = (await idsIn(path)).slice(0, 2)
      const { coverage, tables } = await scored(
        ids.map((id, place) => ({ id, replies: right(place) })),
        path,
      )
      expect(coverage).toMatchObject({ samples: 4, there: 2 })
      for (const numbers of Object.values(coverage?.tasks ?? {}))
        expect(numbers).toEqual({ n: 4, there: 2, strict: 50, available: 100, high: 100 })
      const text = JSON.stringify(tables)
      expect(text).toContain('2 of 4')
      if (benchmark.paper?.published)
        expect(text).toMatch(/my run \(2 of 4\) [\s\S]*2 of 4 answered: [\s\S]*50\.0 to 100\.0[\s\S]*Not comparable/)
      for (const { title, rows } of tables.filter(table => table.title.startsWith('By ')))
        expect(
          rows.every(([, n]) => / of |^0$/.test(n ?? '')),
          title,
        ).toBe(true)
    })

    test('none, and ids that fit nothing, are refused with both sides', async () => {
      await expect(scored([])).rejects.toMatchObject({ exitCode: 2 })
      const other = Array.from({ length: 4 }, (_, place) => ({ id: `other-${place}`, replies: right(place) }))
      await expect(scored(other)).rejects.toMatchObject({
        exitCode: 2,
        hint: expect.stringMatching(/other-0.*Data: \S/),
      })
    })

    test('doubled ones count once and are listed; empty, silent and out of range ones are wrong', async () => {
      const path = data()
      const ids = await idsIn(path)
      const first = ids[0] ?? ''
      const lines = ids.map((id, place) => ({ id, replies: right(place) }))
      const { scores } = await scored([...lines, { id: first, replies: right(1) }], path)
      expect(scores.excluded).toContainEqual({ id: first, reason: expect.stringContaining('replaces an earlier line') })
      expect(Object.values(scores.metrics)).toContain(75)
      for (const reply of ['', null, 'Z', '99', '🙂']) {
        const tasks = Object.keys(right(0))
        const silly = ids.map(id => ({ id, replies: Object.fromEntries(tasks.map(task => [task, reply])) }))
        const { strict, coverage } = await scored(silly, path)
        expect(
          Object.values(strict.metrics).every(value => !value),
          String(reply),
        ).toBe(true)
        expect(coverage?.there).toBe(reply ? undefined : 0)
      }
    })
  })
})

const judgedReplies: Record<string, [file: object[], task: string, metric: string]> = {
  'cg-bench': [[{}], 'open', 'oe_acc'],
  'videoeval-pro': [[{}], 'open', 'open'],
  infinibench: [[{ skill_name: 'summarization', answer: 'red', options: undefined }], 'answer', 'score'],
}

test.each(mappedBenchmarks.filter(({ name }) => judgedReplies[name]))(
  '$name: answers without a judge are not judged, not 0',
  async ({ name, mapped }) => {
    const [[change = {}] = [], task, metric] = judgedReplies[name] ?? [[], '', '']
    const data = dataFile(questions(name, mapped).map(record => ({ ...record, ...change })))
    const { samples } = await collectSamples(await loadBenchmark(name), data, {})
    const replies = writeJsonLines(samples.map(({ id }) => ({ id, replies: { [task]: 'red' } })))
    const done = await scoreReplies({ benchmark: name, data, replies })
    for (const scoring of ['strict', 'official'] as const) {
      const { metrics, unjudged, notes } = await done.score(scoring)
      expect([metrics[metric], unjudged, notes]).toEqual([null, [task], [expect.stringContaining('not judged')]])
    }
    const tables = await scoredTables(done, await done.score('official'), { name: 'my run', byWords: false })
    const paper = tables.find(({ title }) => title.startsWith('Beside'))
    expect(JSON.stringify(paper)).toContain('"not judged"')
    expect(paperLatex(tables)).toContain('textbf{not judged}')
    expect(JSON.stringify(paper?.notes)).toContain('open answers not judged')
  },
)

test.each<[unit: string, write: (seconds: number) => unknown]>([
  ['milliseconds', seconds => seconds * 1000],
  ['frame numbers', seconds => seconds * 30],
  ['fractions of the length', seconds => seconds / 600],
  ['"1:23"', seconds => `1:${seconds - 60}`],
])('times in %s are named', async (unit, write) => {
  const benchmark = mappedBenchmarks.find(one => one.name === 'cg-bench')
  const data = dataFile(questions('cg-bench', benchmark?.mapped ?? { fields: {} }))
  const lines = options.map((_, place) => ({
    id: `q${place}`,
    replies: { miou: JSON.stringify([[write(75), write(85)]]) },
  }))
  const done = await scoreReplies({ benchmark: 'cg-bench', data, replies: writeJsonLines(lines) })
  const scores = await done.score('official')
  const { notes } = scores
  const tables = await scoredTables(done, scores, { name: 'my run', byWords: false })
  const beside = tables.find(({ title }) => title.startsWith('Beside'))
  expect(beside?.notes.join(' ')).toContain(notes[0]?.slice(0, -1))
  expect(notes).toEqual([expect.stringMatching(new RegExp(`^4 of 4 replies with times .*${unit}`))])
})

// What a command refuses with is found as well.
async function faultsIn(read: () => Promise<string[]>): Promise<string[]> {
  return read().catch(error => [error.message])
}
