import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadBenchmark } from '../../../eval/benchmarks/index.ts'
import { learnedTypes, ourTypes } from '../../../eval/benchmarks/videoeval-pro/recipe/question-types.ts'
import { film } from '../../bench/small-data.ts'
import { scoreReplyLines } from '../../support/benchmark.ts'
import { linesIn } from '../../support/line-file.ts'
import { oraclePath, withOracle } from '../../support/oracle.ts'
import { choiceAuthor } from './choice-author.ts'
import { askedFor, ownVideoAndModel, serverSettings } from './own-video.ts'

interface Line {
  video: string
  question: string
  options: string[]
  answer: string
  answer_text: string
  meta: string
  source: string
  qa_type: string
  qa_subtype: string
  canary: string
}
const nine = ['answer', 'answer_text', 'meta', 'options', 'qa_subtype', 'qa_type', 'question', 'source', 'video']

const world = ownVideoAndModel(body => ({ content: choiceAuthor(askedFor(body)) }))

const make = (out: string, ...more: string[]) => world.line.run('bench', 'make', 'videoeval-pro', '--out', out, ...more)

async function scoreOf(lines: readonly Line[], reply: (line: Line) => { open: string; mcq: string } | null) {
  const benchmark = await loadBenchmark('videoeval-pro')
  const path = join(world.line.cwd, 'again.jsonl')
  writeFileSync(path, lines.map(one => `${JSON.stringify(one)}\n`).join(''))
  async function* replies() {
    for (const [at, one] of lines.entries()) {
      const given = reply(one)
      const verdict = given?.open === one.answer_text ? 'A' : 'C'
      yield JSON.stringify({ id: String(at), replies: given ?? { open: '', mcq: '' }, judge: { open: verdict } })
    }
  }
  return (
    await scoreReplyLines(benchmark, {
      records: await benchmark.data.records([path]),
      replies: replies(),
      scoring: 'strict',
    })
  ).metrics
}

describe('from videos', () => {
  test('rules make short open questions with their choices, all of which can be asked', async () => {
    await make('rules', '--from', 'talk.mp4', '--option', 'minMinutes=1', ...world.quick)
    const lines = linesIn<Line>(join(world.line.cwd, 'rules', 'data', 'test.jsonl'))
    expect(lines.length).toBeGreaterThanOrEqual(3)
    for (const one of lines) {
      expect(Object.keys(one).sort()).toEqual([...nine, 'canary'].sort())
      expect(one).toMatchObject({ video: 'talk.mp4', source: 'own videos', answer: expect.stringMatching(/^[A-H]$/) })
      expect(one.options.find(option => option.startsWith(`${one.answer}. `))).toBe(`${one.answer}. ${one.answer_text}`)
      expect(one.qa_subtype).toBe('Key Information Retrieval')
    }
    const run = await world.line.run('bench', 'run', 'videoeval-pro', '--data', 'rules', '--dry-run', ...world.quick)
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringMatching(/1 videos? (?:is|are) ready/)])
    expect(run.stdout + run.stderr).toContain(`${lines.length} questions`)
    expect(await scoreOf(lines, one => ({ open: one.answer_text, mcq: one.answer }))).toMatchObject({
      ...{ open: 100, mcq: 100 },
    })
    expect(await scoreOf(lines, () => null)).toMatchObject({ open: 0, mcq: 0 })
  })

  test('an author and the filters of the paper that are models make a set in seconds', async () => {
    const began = performance.now()
    const roles = ['author', 'check', 'glance'].flatMap(role => serverSettings(role, world.server.url))
    const from = ['--from', 'talk.mp4', '--option', 'minMinutes=1', '--option', 'perVideo=4']
    const made = await make('model', ...from, ...world.quick, ...roles, '--json')
    expect(performance.now() - began).toBeLessThan(20_000)
    const { set } = JSON.parse(made.stdout)
    expect([set.counts.drafted, set.counts.kept, set.notRun]).toEqual([4, 4, []])
    expect(set.roles).toMatchObject({ author: 'chat/openai/scripted', check: 'chat/openai/scripted' })
  })

  test('a video that is shorter than the papers are refused is refused', async () => {
    const made = await make('short', '--from', 'talk.mp4', ...world.quick)
    expect([made.code, made.stderr]).toEqual([2, expect.stringContaining('the recipe begins at 10 min')])
  })
})

// 60 questions whose fates are known: ten for each filter and ten that stay. One of the films is there.
describe('a multiple-choice set', () => {
  const fates = ['stay', 'short', 'wordy', 'compares', 'discard', 'easy'] as const
  const question = (fate: string, n: number) => {
    if (fate === 'compares')
      return `${['Which of the following', 'What option', 'What at 12:30', 'What do subtitles say'][n % 4]} ${n}?`
    if (fate === 'discard') return `What discard thing is number ${n}?`
    if (fate === 'easy') return `What choice-easy open-easy thing is number ${n}?`
    return `What ${['choice-easy', 'open-easy', 'hard'][n % 3]} thing is number ${n}?`
  }
  function write(): void {
    mkdirSync(join(world.line.cwd, 'source'), { recursive: true })
    const records = fates.flatMap((fate, place) =>
      Array.from({ length: 10 }, (_, n) => {
        const lies = ['a lie here', 'the other', 'none', 'some'].map(text =>
          fate === 'wordy' ? `${text} with many more words than that` : text,
        )
        const choices = [...lies.slice(0, n % 4), 'the truth', ...lies.slice(n % 4)]
        return {
          ...{ qid: 10 * place + n, video_uid: fate === 'short' ? 'brief' : 'film', question: question(fate, n) },
          ...{ answer: 'the truth', choices, right_answer: 'ABCDE'[n % 4], clue_intervals: [[1, 2]], domain: 'd' },
          ...{ sub_category: n % 2 ? 'Text Perception' : 'Nothing Known', duration: fate === 'short' ? 599 : 900 },
        }
      }),
    )
    writeFileSync(join(world.line.cwd, 'source', 'cgbench.json'), JSON.stringify(records))
    film(join(world.line.cwd, 'source', 'film.mp4'), 'gray', 2, '64x36')
  }

  test('goes through the four filters of the paper in their order, and every question has the fate that was planted', async () => {
    write()
    const roles = ['check', 'glance'].flatMap(role => serverSettings(role, world.server.url))
    const made = await make('adopted', '--from', 'cg-bench:source', '--profile', 'embedded', ...roles, '--json')
    const { set } = JSON.parse(made.stdout)
    expect(set.counts).toEqual({
      ...{ videos: 2, drafted: 60, kept: 10 },
      rejected: { duration: 10, 'short options': 10, 'answerable by words': 10, answerable: 10, glance: 10 },
    })
    const lines = linesIn<Line>(join(world.line.cwd, 'adopted', 'data', 'test.jsonl'))
    expect(lines.map(one => one.question)).toEqual(Array.from({ length: 10 }, (_, n) => question('stay', n)))
    for (const [n, one] of lines.entries()) {
      expect(one).toMatchObject({ video: 'film.mp4', source: 'cg-bench', answer: 'ABCD'[n % 4], answer_text: 'truth' })
      expect(one.options[n % 4]).toBe(`${one.answer}. the truth`)
      expect(JSON.parse(one.meta)).toEqual({ id: `cg-bench:${n}`, type: n % 2 ? 'Text Perception' : 'Nothing Known' })
      expect(one.qa_subtype).toBe(n % 2 ? 'Key Information Retrieval' : 'Other')
    }
    const run = await world.line.run('bench', 'run', 'videoeval-pro', '--data', 'adopted', '--dry-run', ...world.quick)
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('10 questions')])
    const again = await make('replayed', '--replay', 'adopted', '--profile', 'embedded', '--json')
    expect(JSON.parse(again.stdout).set).toEqual(set)
    const text = (name: string) => readFileSync(join(world.line.cwd, name, 'data', 'test.jsonl'), 'utf8')
    expect(text('replayed')).toBe(text('adopted'))
  })

  test('loses what a glance could not look at before anything is paid, and nothing where nobody glances', async () => {
    mkdirSync(join(world.line.cwd, 'partly'), { recursive: true })
    const records = ['film', 'gone', 'gone'].map((video_uid, qid) => ({
      ...{ qid, video_uid, question: `What hard thing is number ${qid}?`, answer: 'the truth', right_answer: 'B' },
      ...{ choices: ['a lie', 'the truth', 'none', 'some'], clue_intervals: [[1, 2]], domain: 'd' },
      ...{ sub_category: 'Text Perception', duration: 900 },
    }))
    writeFileSync(join(world.line.cwd, 'partly', 'cgbench.json'), JSON.stringify(records))
    film(join(world.line.cwd, 'partly', 'film.mp4'), 'gray', 2, '64x36')
    const from = ['--from', 'cg-bench:partly', '--profile', 'embedded']
    const free = await make('partly-made', ...from, '--json')
    expect(JSON.parse(free.stdout).set.counts).toEqual({ videos: 2, drafted: 3, kept: 3, rejected: {} })
    const before = world.server.seen.length
    const roles = ['check', 'glance'].flatMap(role => serverSettings(role, world.server.url))
    const paid = await make('partly-made', ...from, ...roles, '--json')
    expect(paid.stderr).toContain('videos that are not there: 1 (gone.mp4)')
    expect(JSON.parse(paid.stdout).set.counts).toEqual({
      ...{ videos: 2, drafted: 3, kept: 1 },
      rejected: { 'video there': 2 },
    })
    const asked = world.server.seen.slice(before).map(({ body }) => JSON.stringify(body))
    expect(asked.length).toBeGreaterThan(1)
    expect(asked.filter(text => text.includes('number 0?'))).toHaveLength(asked.length)
    const replayed = await make('partly-again', '--replay', 'partly-made', '--profile', 'embedded', '--json')
    expect(JSON.parse(replayed.stdout).set.counts).toEqual(JSON.parse(paid.stdout).set.counts)
  })

  test('is refused where it has no options, and by a recipe that takes videos alone', async () => {
    const own = await make('own', '--from', 'longshot:source', '--profile', 'embedded')
    expect(own.code).toBe(2)
    const other = await world.line.run(
      'bench',
      'make',
      'cg-bench',
      '--from',
      'cg-bench:source',
      '--out',
      'no',
      '--profile',
      'embedded',
    )
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('cg-bench is made only from videos')])
  })
})

withOracle('../data/cg-bench/cgbench_mini.json')('cgbench_mini.json', () => {
  test('2,456 of its 3,000 questions pass the first two filters', async () => {
    const file = oraclePath('../data/cg-bench/cgbench_mini.json')
    const made = await make('mini', '--from', `cg-bench:${file}`, '--profile', 'embedded', '--json')
    const { drafted, rejected } = JSON.parse(made.stdout).set.counts
    expect(drafted - rejected.duration - rejected['short options']).toBe(2456)
    expect(drafted).toBe(3000)
  })
})

test('types are learned from the field of the official file that tells them best, doubts are named, the rest is ours', async () => {
  const record = (n: number, kind: string, qa_type: string, qa_subtype: string) => ({
    ...{ source: 'LV-Bench', qa_type, qa_subtype, meta: JSON.stringify({ uid: `u${n}`, question_type: kind }) },
  })
  const path = join(world.line.cwd, 'official.jsonl')
  const records = [
    ...[1, 2, 3].map(n => record(n, 'reasoning', 'Holistic Reasoning', 'Plot Reasoning')),
    record(4, 'reasoning', 'Local Reasoning', 'Action Reasoning'),
    ...[5, 6].map(n => record(n, 'entity recognition', 'Local Perception', 'Segment QA')),
  ]
  writeFileSync(path, records.map(one => `${JSON.stringify(one)}\n`).join(''))
  const typeOf = await learnedTypes(path)
  const sample = (kind: string, uid = 'u4') => ({ kind, source: { uid, question_type: [kind] } })
  expect(typeOf('lv bench', sample('reasoning'))).toEqual({
    ...{ qa_type: 'Holistic Reasoning', qa_subtype: 'Plot Reasoning' },
    doubt: '"reasoning" of lv bench is Holistic Reasoning / Plot Reasoning (3), Local Reasoning / Action Reasoning (1)',
  })
  expect(typeOf('lv bench', sample('entity recognition'))).toEqual({
    ...{ qa_type: 'Local Perception', qa_subtype: 'Segment QA' },
  })
  const counting = { qa_type: 'Holistic Perception', qa_subtype: 'Visual Counting' }
  expect(typeOf('another', sample('count'))).toEqual(counting)
  expect(ourTypes('another', sample('count'))).toEqual(counting)
  expect(ourTypes('another', sample('never heard of'))).toEqual({ qa_type: 'Local Perception', qa_subtype: 'Other' })
})
