import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeJsonLines } from '../data/lines.ts'
import { replyCoverage, scoredTables } from '../report/scored-tables.ts'
import { collectSamples } from '../runner/collect-samples.ts'
import { scoreReplies } from '../runner/score-replies.ts'
import { loadBenchmark } from './index.ts'

// Benchmarks whose layout is a form of their own: four questions each, of which A, B, C, D are right.
const folder = mkdtempSync(join(tmpdir(), 'longtake-layouts-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Asked {
  at: number
  letter: string
  options: string[]
}

const lettered = (options: string[]) => options.map((option, i) => `${'ABCDE'[i]}. ${option}`)
const numbered = (name: string, from: number, options: string[]) =>
  Object.fromEntries(options.map((option, i) => [`${name}${i + from}`, option]))

const layouts: Record<string, [file: string, write: (asked: Asked[]) => unknown]> = {
  lvomnibench: [
    'data.json',
    all =>
      all.map(({ at, letter, options }) => ({
        video_id: `video_${at}`,
        question: `What ${at}?`,
        options: lettered(options),
        correct_option: letter,
      })),
  ],
  omnivideobench: [
    'data.json',
    all =>
      all.map(({ at, letter, options }) => ({
        ...{ video: `video_${at}`, video_type: 'Vlog', duration: '03:28' },
        questions: [
          { question: `What ${at}?`, options: lettered(options), correct_option: letter, audio_type: 'Speech' },
        ],
      })),
  ],
  hourvideo: [
    'dev_v1.0.json',
    all => ({
      v1: {
        video_metadata: {},
        benchmark_dataset: all.map(({ at, letter, options }) => ({
          ...{ qid: `q${at}`, task: 'summarization/key_events', question: `What ${at}?`, correct_answer_label: letter },
          ...numbered('answer_', 1, options),
        })),
      },
    }),
  ],
  minerva: [
    'minerva.json',
    all =>
      all.map(({ at, letter, options }) => ({
        ...{ key: `k${at}`, video_id: `abcdefghij${at}`, question: `What ${at}?`, question_type: 'Counting' },
        answer_id: letter.charCodeAt(0) - 65,
        ...numbered('answer_choice_', 0, options),
      })),
  ],
  egolife: [
    'EgoLifeQA_A2_ALICE.json',
    all =>
      all.map(({ at, letter, options: [a, b, c, d] }) => ({
        ...{ ID: String(at), query_time: { date: 'DAY1', time: '11210217' }, question: `Who ${at}?`, answer: letter },
        ...{ choice_a: a, choice_b: b, choice_c: c, choice_d: d },
      })),
  ],
  'video-mme-v2': [
    'test.json',
    all =>
      all.map(({ at, letter, options }) => ({
        ...{ video_id: '001', question_id: `q${at}`, group_type: 'relevance', group_structure: '[1, 2, 3, 4]' },
        ...{ question: `What ${at}?`, options: lettered(options).join('\n'), answer: letter, level: 'None' },
      })),
  ],
}

describe.each(Object.entries(layouts))('%s', (name, [file, write]) => {
  let files = 0
  const five = name === 'hourvideo' || name === 'minerva'
  const options = ['red', 'blue', 'green', 'grey', ...(five ? ['black'] : [])]
  const right = ['A', 'B', 'C', 'D'].map((letter, at) => ({ at, letter, options }))
  const dataOf = (all: Asked[]) => {
    const path = join(folder, `${name}-${files++}`, file)
    return { path, content: JSON.stringify(write(all)) }
  }
  const score = async (all: Asked[], lines: (ids: string[]) => object[]) => {
    const { path, content } = dataOf(all)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
    const { samples, faults } = await collectSamples(await loadBenchmark(name), join(path, '..'), {})
    const done = await scoreReplies({
      benchmark: name,
      data: join(path, '..'),
      replies: writeJsonLines(lines(samples.map(({ id }) => id))),
    })
    const coverage = await replyCoverage(done)
    const strict = await done.score('strict')
    const tables = await scoredTables(done, strict, { name: 'my run', byWords: false, coverage })
    return { strict, coverage, faults, byScore: done.faults, tables, ids: samples.map(({ id }) => id) }
  }
  const say = (ids: string[]) => ids.map((id, at) => ({ id, replies: { answer: 'ABCD'[at % 4] } }))

  test('all, half, none, and ids that fit nothing', async () => {
    const whole = await score(right, say)
    expect([whole.strict.metrics.accuracy, whole.coverage, whole.faults]).toEqual([100, undefined, []])
    const half = await score(right, ids => say(ids).slice(0, 2))
    expect(half.coverage).toMatchObject({
      samples: 4,
      there: 2,
      tasks: { answer: { strict: 50, available: 100, high: 100 } },
    })
    expect(JSON.stringify(half.tables)).toContain('2 of 4')
    await expect(score(right, () => [])).rejects.toMatchObject({ exitCode: 2 })
    const other = (ids: string[]) => say(ids).map(line => ({ ...line, id: `other-${line.id}` }))
    await expect(score(right, other)).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('Data: ') })
  })

  test('a doubled reply counts once and is listed; a key beyond the options is found', async () => {
    const doubled = await score(right, ids => [...say(ids), { id: ids[0], replies: { answer: 'D' } }])
    expect(doubled.strict.metrics.accuracy).toBe(75)
    expect(doubled.strict.excluded).toContainEqual({
      id: doubled.ids[0],
      reason: expect.stringContaining('replaces an earlier line'),
    })
    const beyond = right.map(one => (one.at === 0 ? { ...one, letter: 'K' } : one))
    const { faults, byScore, ids } = await score(beyond, say)
    expect([faults, byScore]).toEqual(Array(2).fill([`The key is none of the options: ${ids[0]}.`]))
  })
})
