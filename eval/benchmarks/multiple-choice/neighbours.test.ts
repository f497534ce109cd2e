import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsOf, samplesOf, scorerOf } from '../../../tests/support/benchmark.ts'
import { writeJsonLines } from '../../data/lines.ts'
import egoLife from '../egolife/index.ts'
import egoMemReason from '../egomemreason/index.ts'
import hourVideo from '../hourvideo/index.ts'
import longVideoBench, { interleave, lvbFrameTimes, readLvbCues } from '../longvideobench/index.ts'
import lvBench, { firstSign } from '../lvbench/index.ts'
import lvOmniBench, { readOmniChoice } from '../lvomnibench/index.ts'
import minerva from '../minerva/index.ts'
import mlvu from '../mlvu/index.ts'
import omniVideoBench, { readBoxedChoice } from '../omnivideobench/index.ts'
import videoMme from '../video-mme/index.ts'
import videoMmeV2 from '../video-mme-v2/index.ts'
import { choicePrompt } from './prompt.ts'
import { sampleOfChoice } from './record.ts'

const scoreVideoMme = scorerOf(videoMme)
const scoreLvBench = scorerOf(lvBench)
const scoreMlvu = scorerOf(mlvu)
const scoreLongVideoBench = scorerOf(longVideoBench)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-choice-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function data(name: string, file: string, value: unknown): Promise<string> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, file), typeof value === 'string' ? value : JSON.stringify(value))
  return join(folder, name)
}

const lines = (replies: Record<string, string | null>) =>
  writeJsonLines(Object.entries(replies).map(([id, answer]) => ({ id, replies: { answer } })))

describe('Video-MME', () => {
  const question = (id: string, answer: string) => ({
    question_id: id,
    task_type: 'OCR Problems',
    question: 'What?',
    options: ['A. one.', 'B. two.', 'C. three.', 'D. four.'],
    answer,
  })
  const video = { video_id: '001', videoID: 'abc', duration: 'short', domain: 'Knowledge', sub_category: 'Law' }

  test('flat questions and the results template are the same records', async () => {
    const flat = await recordsOf(
      videoMme,
      await data('mme', 'videomme.json', [{ ...video, ...question('001-1', 'C') }]),
    )
    const nested = await recordsOf(
      videoMme,
      await data('mme2', 'videomme.json', [{ ...video, questions: [question('001-1', 'C')] }]),
    )
    expect(flat.map(({ record: _, ...rest }) => rest)).toEqual(nested.map(({ record: _, ...rest }) => rest))
    expect(flat[0]).toMatchObject({
      id: '001-1',
      video: 'data/abc.mp4',
      options: ['one.', 'two.', 'three.', 'four.'],
      answer: 'C',
    })
    expect(sampleOfChoice(flat[0]!)).toMatchObject({ choice: 2, reference: 'three.', groups: { duration: 'short' } })
  })

  test('the released count leaves out what it cannot read; strict does not', async () => {
    const records = await recordsOf(
      videoMme,
      await data(
        'mme3',
        'videomme.json',
        ['C', 'C', 'B', 'D'].map((answer, i) => ({ ...video, ...question(String(i), answer) })),
      ),
    )
    const replies = { 0: 'The answer is C', 1: 'three', 2: 'Best answer: B', 3: null }
    const official = await scoreVideoMme(records, { replies: lines(replies), scoring: 'official' })
    expect(official.metrics).toEqual({ accuracy: 100 })
    expect(official.groups.duration).toEqual({ short: { n: 4, accuracy: 100 } })
    expect(official.excluded.map(item => item.id)).toEqual(['1', '3'])
    const strict = await scoreVideoMme(records, { replies: lines(replies), scoring: 'strict' })
    expect(strict.metrics).toEqual({ accuracy: 75 })
  })
})

describe('LVBench', () => {
  const meta = {
    key: 'xyz',
    qa: [
      {
        uid: 5,
        question: 'Who?\n(A) Ann\n(B) Bob\n(C) Cy\n(D) Di',
        answer: 'B',
        question_type: ['reasoning', 'summarization'],
      },
      { uid: '6', question: 'Where?\n(A) In\n(B) Out\n(C) Up\n(D) On', answer: 'A', question_type: ['reasoning'] },
    ],
  }

  test('options are lines of the question; a question counts in each of its types', async () => {
    const records = await recordsOf(lvBench, await data('lvb', 'video_info.meta.jsonl', `${JSON.stringify(meta)}\n`))
    expect(records[0]).toMatchObject({
      id: '5',
      video: 'videos/xyz.mp4',
      question: 'Who?',
      options: ['Ann', 'Bob', 'Cy', 'Di'],
      answer: 'B',
    })
    const official = await scoreLvBench(records, { replies: lines({ 5: '(B) Bob', 6: null }), scoring: 'official' })
    expect(official).toMatchObject({
      metrics: { accuracy: 100 },
      groups: { reasoning: { accuracy: 100 }, summarization: { accuracy: 100 } },
    })
    const strict = await scoreLvBench(records, { replies: lines({ 5: 'The answer is B', 6: null }), scoring: 'strict' })
    expect(strict).toMatchObject({ metrics: { accuracy: 50 }, groups: { reasoning: { n: 2, accuracy: 50 } } })
  })

  test('the released reading takes a first sign', () => {
    const readings = {
      '(B) Bob': 'B',
      ' B. Bob': 'B',
      B: 'B',
      'Answer (C)': 'C',
      'The answer is B': 'T',
      ') x': '',
      '': '',
    }
    for (const [reply, sign] of Object.entries(readings)) expect(firstSign(reply), reply).toBe(sign)
  })
})

describe('MLVU', () => {
  test('the average is over tasks, and generation tasks are not read', async () => {
    const question = (type: string, answer: string) => ({
      video: 'v.mp4',
      question: 'Q?',
      candidates: ['a', 'b'],
      answer,
      question_type: type,
      duration: 9,
    })
    await data('mlvu', '1_plotQA.json', [question('plotQA', 'a'), question('plotQA', 'b'), question('plotQA', 'b')])
    await data('mlvu', '2_needle.json', [question('findNeedle', 'a')])
    const records = await recordsOf(
      mlvu,
      await data('mlvu', '8_sub_scene.json', [
        { video: 'v.mp4', question: 'Tell', answer: 'long', question_type: 'subPlot' },
      ]),
    )
    expect(records.map(record => record.id)).toEqual(['1_plotQA/0', '1_plotQA/1', '1_plotQA/2', '2_needle/0'])
    const replies = { '1_plotQA/0': 'A) a', '1_plotQA/1': 'B', '1_plotQA/2': '(B) b', '2_needle/0': 'A' }
    const official = await scoreMlvu(records, { replies: lines(replies), scoring: 'official' })
    expect(official.groups.plotQA!.accuracy).toBeCloseTo((2 / 3) * 100, 10)
    expect(official.metrics.m_avg).toBeCloseTo((200 / 3 + 100) / 2, 10)
    expect(official.metrics.accuracy).toBe(75)
    expect((await scoreMlvu(records, { replies: lines(replies), scoring: 'strict' })).metrics).toEqual({
      m_avg: 100,
      accuracy: 100,
    })
  })
})

describe('LongVideoBench', () => {
  const question = {
    video_path: 'v.mp4',
    question: 'When?',
    subtitle_path: 'v.json',
    duration_group: 60,
    question_category: 'TOS',
  }

  test('a reply without a letter is worth a random choice officially and nothing in strict', async () => {
    const path = await data('long', 'lvb_val.json', [
      { ...question, id: 'a', candidates: ['x', 'y', 'z', 'w'], correct_choice: 2 },
      {
        ...question,
        id: 'b',
        option0: 'x',
        option1: 'y',
        option2: 'N/A',
        option3: 'N/A',
        option4: 'N/A',
        correct_choice: 1,
      },
    ])
    const records = await recordsOf(longVideoBench, path)
    expect(records.map(record => [record.answer, record.options.length])).toEqual([
      ['C', 4],
      ['B', 2],
    ])
    const replies = { a: 'no idea at all', b: 'B' }
    expect((await scoreLongVideoBench(records, { replies: lines(replies), scoring: 'official' })).metrics).toEqual({
      accuracy: 62.5,
    })
    expect((await scoreLongVideoBench(records, { replies: lines(replies), scoring: 'strict' })).metrics).toEqual({
      accuracy: 50,
    })
    const [sample] = await samplesOf(longVideoBench, path)
    expect(sample).toMatchObject({
      id: 'a',
      video: 'videos/v.mp4',
      subtitles: 'subtitles/v.json',
      groups: { duration_group: '60' },
    })
  })

  test('answers that are withheld are listed, not scored', async () => {
    const records = await recordsOf(
      longVideoBench,
      await data('long2', 'lvb_test_wo_gt.json', [{ ...question, id: 'a', candidates: ['x', 'y'] }]),
    )
    const scores = await scoreLongVideoBench(records, { replies: lines({ a: 'A' }), scoring: 'strict' })
    expect(scores).toMatchObject({ n: 1, metrics: { accuracy: null }, excluded: [{ id: 'a' }] })
  })

  test('subtitles stand between the frames they are said at', () => {
    const cues = readLvbCues(
      [
        { timestamp: [100, 103], text: 'around the frame at 2' },
        { start: '00:01:44.2', end: '00:01:44.6', line: 'too short, and no frame near' },
        { timestamp: [105.9, 106.2], text: 'short, but a frame near' },
        { timestamp: [108, null], text: 'to the end' },
      ],
      { offset: 100, duration: 110 },
    )
    expect(cues.at(-1)).toEqual({ start: 8, end: 10, text: 'to the end' })
    expect(interleave([0, 2, 6, 9], cues)).toEqual([
      0,
      'around the frame at 2',
      2,
      6,
      'short, but a frame near',
      9,
      'to the end',
    ])
    expect(lvbFrameTimes(10, 4)).toEqual([0, 2.5, 5, 7.5])
    expect(lvbFrameTimes(3.5, 4)).toEqual([0, 1, 2])
    expect(() => readLvbCues({}, { offset: 0, duration: 1 })).toThrow(/not a subtitle file/)
  })
})

test('the request names the options by letters and says whether there are subtitles', () => {
  const sample = { question: { text: 'What?', options: ['x', 'y'] } }
  expect(choicePrompt(sample)).toMatch(/What\?\nA\. x\nB\. y$/)
  expect(choicePrompt(sample, ['Hello.'])).toContain('What is said in the video:\nHello.')
  expect(choicePrompt(sample, [])).toContain('no subtitles')
})

describe('the benchmarks of 2026', () => {
  const lettered = ['A. one', 'B. two', 'C. three', 'D. four']
  const egoOptions = { choice_a: 'Tasha', choice_b: 'Alice', choice_c: 'Shure', choice_d: 'Lucia' }
  const hour = { qid: 'q1', task: 'summarization/key_events', question: 'What?', correct_answer_label: 'B' }
  const five = { answer_1: 'one', answer_2: 'two', answer_3: 'three', answer_4: 'four', answer_5: 'five' }
  const pictures = Object.fromEntries(Object.keys(five).map(name => [name, `images/${name}.png`]))

  // The layouts as released code reads them, with what each reader makes of the first question.
  test.each([
    [
      lvOmniBench,
      'data.json',
      [{ video_id: 'video_3', question: 'What?', options: lettered, correct_option: 'b', difficulty: 'hard' }],
      { id: 'video_3/0', video: 'videos/video_3.mp4', options: ['one', 'two', 'three', 'four'], answer: 'B' },
    ],
    [
      omniVideoBench,
      'data.json',
      [
        {
          video: 'video_1',
          video_type: 'Vlog',
          duration: '03:28',
          questions: [{ question: 'What?', options: lettered, correct_option: 'B', audio_type: 'Speech' }],
        },
      ],
      { id: 'video_1/0', video: 'videos/video_1.mp4', groups: { video_type: ['Vlog'], audio_type: ['Speech'] } },
    ],
    [
      hourVideo,
      'dev_v1.0.json',
      {
        v1: {
          video_metadata: {},
          benchmark_dataset: [
            { ...hour, ...five },
            { ...hour, qid: 'q2', ...pictures },
          ],
        },
      },
      { id: 'q1', video: 'v1.mp4', options: Object.values(five), answer: 'B', groups: { task: ['summarization'] } },
    ],
    [
      minerva,
      'minerva.json',
      [
        {
          ...{
            key: 'k',
            video_id: 'abcdefghijk',
            question: 'What?',
            answer_id: 1,
            question_type: 'Counting, Temporal',
          },
          ...Object.fromEntries(Object.values(five).map((option, i) => [`answer_choice_${i}`, option])),
        },
      ],
      { id: 'k', options: Object.values(five), answer: 'B', groups: { question_type: ['Counting', 'Temporal'] } },
    ],
    [
      egoLife,
      'EgoLifeQA_A2_ALICE.json',
      [{ ID: '1', query_time: { date: 'DAY1', time: '11210217' }, question: 'Who?', answer: 'B', ...egoOptions }],
      { id: 'A2_ALICE/1', video: 'A2_ALICE.mp4', question: 'It is DAY1, 11:21:02. Who?', answer: 'B' },
    ],
    [
      egoMemReason,
      'annotations_public.jsonl',
      `{"example_id":1,"identity":"A1_JAKE","query_time":"DAY7, 19:00:00","question":"What?","options":{"A":"x","B":"y"},"query_type":"Event Linking"}\n`,
      { id: '1', video: 'A1_JAKE.mp4', options: ['x', 'y'], question: 'It is DAY7, 19:00:00. What?' },
    ],
  ])('%#: a file in the layout of the released code is read', async (benchmark, file, content, first) => {
    const records = await recordsOf(benchmark, await data(benchmark.name, file, content))
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject(first)
    const { id } = records[0]!
    const official = await scorerOf(benchmark)(records, { replies: lines({ [id]: 'B' }), scoring: 'official' })
    const isWithheld = benchmark === egoMemReason
    expect(official.metrics.accuracy).toBe(isWithheld ? null : 100)
  })

  test('the released readings take what they take', () => {
    const omni = {
      'b) two': 'B',
      'I say B or A': 'A',
      'The ANSWER is: d': 'D',
      'Answer: C, not A': 'C',
      no: '',
      Zed: 'E',
      '': '',
    }
    for (const [reply, letter] of Object.entries(omni)) expect(readOmniChoice(reply), reply).toBe(letter)
    const boxed = {
      '(b)': 'B',
      'B. two': 'B',
      '\\boxed{C}': 'C',
      '/box{d}': 'D',
      'assistant\nA': 'A',
      'The answer is B': 'THE ANSWER IS B',
    }
    for (const [reply, text] of Object.entries(boxed)) expect(readBoxedChoice(reply), reply).toBe(text)
  })

  test('Video-MME-v2 rates groups of four; an unreadable reply lowers a sum and passes in a chain', async () => {
    const structures = ['[1, 2, 3, 4]', '[1, 2, 3, 4]', '[1, [2, 3], 4]', '[[1, 2], 3, 4]']
    const rows = structures.flatMap((group_structure, group) =>
      [0, 1, 2, 3].map(step => ({
        ...{ video_id: `00${group}`, question_id: `${group}-${step}`, group_type: group === 0 ? 'relevance' : 'logic' },
        ...{
          group_structure,
          question: 'What?',
          options: 'A. one\nB. two',
          answer: 'B',
          level: String(group || 'None'),
        },
      })),
    )
    const records = await recordsOf(videoMmeV2, await data('mme-v2', 'test.json', rows))
    const said = ['B', 'B', 'B', 'none', 'B', 'none', 'A', 'B', 'B', 'A', 'Final Answer: B', 'A', 'A', 'B', 'A', 'B']
    const saved = Object.fromEntries(rows.map(({ question_id }, at) => [question_id, said[at] ?? null]))
    const official = await scorerOf(videoMmeV2)(records, { replies: lines(saved), scoring: 'official' })
    expect(official.metrics).toEqual({
      total: (25 + 25 + 400 / 12 + 10) / 4,
      level_1: 25, // right, unread, wrong
      level_2: 400 / 12,
      level_3: 10,
      relevance_score: 25, // 1 + 1 + 1 - 1
      relevance_linear_score: 50,
      logic_score: (25 + 400 / 12 + 10) / 3,
      accuracy: (9 / 14) * 100,
    })
    const strict = await scorerOf(videoMmeV2)(records, { replies: lines(saved), scoring: 'strict' })
    expect(strict.metrics).toMatchObject({ relevance_score: 900 / 16, level_1: 100 / 16, accuracy: (9 / 16) * 100 })
  })
})
