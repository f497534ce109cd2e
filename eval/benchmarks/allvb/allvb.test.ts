import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordsOf, samplesOf, scorerOf } from '../../../tests/support/benchmark.ts'
import { oracle, withOracle } from '../../../tests/support/oracle.ts'
import { writeJsonLines } from '../../data/lines.ts'
import { roundHalfEven } from '../../metrics/rounding.ts'
import { evenFrameTimes } from '../../protocols/frames.ts'
import { subtitlesAt } from '../multiple-choice/prompt.ts'
import { batchText, singleText } from './frames.ts'
import { readAllvbAnswer, readBatch } from './grade.ts'
import allvb from './index.ts'
import { type AllvbRecord, allvbRecords, allvbTasks } from './record.ts'

const scoreAllvb = scorerOf(allvb)

withOracle('allvb/cases.json')('replies', () => {
  interface Cases {
    options: string[]
    single: { reply: string; expected: string | null }[]
    batch: { question_num: number; reply: string; expected: (string | null)[] }[]
  }
  const cases = oracle<Cases>('allvb/cases.json')

  test.each(['official', 'strict'] as const)('one question per request, %s', scoring => {
    for (const { reply, expected } of cases.single)
      expect(readAllvbAnswer(reply, cases.options, scoring).letter ?? null, reply).toBe(expected)
  })

  test('all questions of a film in one', () => {
    for (const { question_num, reply, expected } of cases.batch)
      expect(
        readBatch(reply, question_num).map(letter => letter ?? null),
        reply,
      ).toEqual(expected)
  })
})

withOracle('allvb/table2_check.json')('the reported average', () => {
  interface Row {
    model: string
    tasks: Record<string, number>
    reported: number
    micro_full_set_weights: number
  }
  // Questions per film: 21 of its own, 11 of VC and 10 of NH, and 14 per sub-plot, two of each of the other seven tasks.
  const perTask = { VC: 1376 * 11, NH: 1376 * 10, other: 15_966 * 2 }

  test('is the micro average over the questions', async () => {
    for (const row of oracle<{ rows: Row[] }>('allvb/table2_check.json').rows) {
      const weight = (task: string) => (task === 'VC' ? perTask.VC : task === 'NH' ? perTask.NH : perTask.other)
      const total = allvbTasks.reduce((sum, task) => sum + weight(task), 0)
      const micro = allvbTasks.reduce((sum, task) => sum + row.tasks[task]! * weight(task), 0) / total
      expect(total).toBe(252_420)
      expect(roundHalfEven(micro, 2), row.model).toBe(row.micro_full_set_weights)
      expect(Math.abs(micro - row.reported), row.model).toBeLessThan(0.25)
    }
  })
})

const question = (id: number, task: string, answer: string): AllvbRecord => ({
  id: String(id),
  video: 'film',
  task,
  question: 'What?',
  options: ['one', 'two', 'three', 'four', 'five'],
  answer,
})

describe('scoring', () => {
  const records = [question(0, 'VC', 'A'), question(1, 'VC', 'B'), question(2, 'VC', 'C'), question(3, 'NH', 'D')]

  test('the average is over questions, not tasks; what cannot be read is wrong and listed', async () => {
    const lines = [
      { id: 0, replies: { answer: 'Best Answer: A' } },
      { id: 1, replies: { answer: 'two' } },
      { id: 2, replies: { answer: 'Best Answer: A or C' } },
    ]
    for (const scoring of ['official', 'strict'] as const) {
      const scores = await scoreAllvb(records, { replies: writeJsonLines(lines), scoring })
      expect(scores.metrics).toEqual({ average: 50 })
      expect(scores.groups).toEqual({ VC: { n: 3, accuracy: (2 / 3) * 100 }, NH: { n: 1, accuracy: 0 } })
      expect(scores.excluded.map(item => item.id)).toEqual(['2', '3'])
    }
  })

  test('a faint likeness is an answer only where the closest always is', () => {
    const options = ['a long walk by the sea at night', 'a quarrel over money and honour', 'x', 'y', 'z']
    expect(readAllvbAnswer('They talk about the money problem in the office', options, 'official')).toEqual({
      letter: 'B',
      rule: 'closest',
    })
    expect(readAllvbAnswer('They talk about the money problem in the office', options, 'strict')).toEqual({
      rule: 'none',
    })
  })
})

describe('reading files whose layout is not published', () => {
  const flat = {
    question: 'Where?',
    options: ['a', 'b', 'c', 'd', 'e'],
    answer: 'C. c because',
    task: 'Scene Recognition (SR)',
    video: 'm1',
  }

  test('a flat list, with options as list, letters or lines', () => {
    const variants = [
      flat,
      { ...flat, options: { A: 'a', B: 'b', C: 'c', D: 'd', E: 'e' } },
      { ...flat, options: 'A. a\nB. b\nC. c\nD. d\nE. e' },
      { ...flat, options: undefined, question: 'Where?\n- A. a\n- B. b\n- C. c\n- D. d\n- E. e' },
      { ...flat, options: ['A. a', 'B. b', 'C. c', 'D. d', 'E. e'], answer: 'c' },
    ]
    for (const [i, record] of allvbRecords(variants, 'f').entries())
      expect(record, String(i)).toEqual({
        id: String(i),
        video: 'm1',
        task: 'SR',
        subTask: undefined,
        question: 'Where?',
        options: ['a', 'b', 'c', 'd', 'e'],
        answer: 'C',
        split: undefined,
      })
  })

  test('a task is known by its code, its name, or both', () => {
    const names = ['sr', 'Scene Recognition', 'scene_recognition', 'Scene Recognition (SR)', 'Needle-in-a-Haystack']
    expect(names.map(task => allvbRecords([{ ...flat, task }], 'f')[0]!.task)).toEqual(['SR', 'SR', 'SR', 'SR', 'NH'])
  })

  test('questions nested under films, plots and tasks', () => {
    const { video: _, task: __, ...bare } = flat
    const nested = { 'The Film': { VC: [bare], plots: [{ subplots: [{ questions: { SR: [bare, bare] } }] }] } }
    expect(allvbRecords(nested, 'f').map(record => [record.video, record.task])).toEqual([
      ['The Film', 'VC'],
      ['The Film', 'SR'],
      ['The Film', 'SR'],
    ])
  })

  test('what is missing is named with what is there', () => {
    expect(() => allvbRecords([{ text: 1 }], 'f.json')).toThrow(/f\.json holds no question/)
    expect(() => allvbRecords([{ ...flat, task: 'XX' }], 'f.json')).toThrow(/lacks one of the nine tasks/)
    expect(() => allvbRecords([{ ...flat, answer: 'none' }], 'f.json')).toThrow(/lacks a letter/)
  })

  test('questions numbered per film are told apart by the film', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longtake-allvb-'))
    await writeFile(
      join(folder, 'a.json'),
      JSON.stringify([
        { ...flat, id: 1 },
        { ...flat, id: 1, video: 'm2' },
      ]),
    )
    expect((await recordsOf(allvb, folder)).map(record => record.id)).toEqual(['m1:1', 'm2:1'])
    await rm(folder, { recursive: true })
  })

  test('a file on disk becomes samples', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longtake-allvb-'))
    await writeFile(join(folder, 'test.json'), JSON.stringify([flat, { ...flat, answer: 'A' }]))
    expect(await recordsOf(allvb, folder)).toHaveLength(2)
    const [sample] = await samplesOf(allvb, folder)
    expect(sample).toMatchObject({ id: '0', choice: 2, reference: 'c', groups: { task: 'SR' } })
    await rm(folder, { recursive: true })
  })
})

test('the requests hold subtitles, questions and the form of the reply', () => {
  const records = [question(0, 'VC', 'A'), question(1, 'SR', 'B')]
  expect(singleText(records[0]!, ['Hello.'])).toMatch(
    /Subtitles: Hello\.\n\nQuestion: What\?\nA\. one[\s\S]*Best Answer: \[letter\]$/,
  )
  expect(batchText(records, [])).toMatch(/Question 2: What\?[\s\S]*Question 1: \[letter\]\nQuestion 2: \[letter\]$/)
  expect(evenFrameTimes(160, 4)).toEqual([20, 60, 100, 140])
  const srt = [
    '1\n00:00:10,000 --> 00:00:20,000\nends at the frame\n',
    '2\n00:00:20,000 --> 00:01:10,000\ncovers two\n',
    '3\n00:01:39,000 --> 00:01:39,500\nbetween\n',
  ].join('\n')
  expect(subtitlesAt(srt, evenFrameTimes(160, 4))).toEqual(['covers two'])
})
