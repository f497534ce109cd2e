import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSet } from '../make/check-set.ts'
import { collectSamples } from '../runner/collect-samples.ts'
import { allvbTasks } from './allvb/record.ts'
import { allBenchmarks } from './index.ts'
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
  ])('%s: a run and a check find the same', async (fault, change) => {
    const data = dataFile(change(questions(name, mapped)))
    const byRun = await faultsIn(async () => (await collectSamples(benchmark, data, {})).faults)
    const byCheck = await faultsIn(
      async () => (await checkSet({ path: data, benchmark: name }, AbortSignal.timeout(9000))).faults,
    )
    expect(byRun.join('\n')).toMatch(fault === 'without options' ? /options/ : new RegExp(`${fault}|lacks a letter`))
    expect(byCheck).toEqual(byRun)
  })

  test('sound data have no fault', async () => {
    const { faults } = await collectSamples(benchmark, dataFile(questions(name, mapped)), {})
    expect(faults).toEqual([])
  })
})

// What a command refuses with is found as well.
async function faultsIn(read: () => Promise<string[]>): Promise<string[]> {
  return read().catch(error => [error.message])
}
