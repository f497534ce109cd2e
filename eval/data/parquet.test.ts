import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { samplesOf } from '../../tests/support/benchmark.ts'
import longshot from '../benchmarks/longshot/index.ts'
import videoEvalPro from '../benchmarks/videoeval-pro/index.ts'
import { readExactRecords, readRecords } from './records.ts'

const fixture = (name: string) => join(import.meta.dirname, '..', '..', 'tests', 'fixtures', 'parquet', name)

test('lists of options, nulls and every script come out of Parquet (snappy) as they were put in', async () => {
  expect(await readRecords(fixture('options-snappy.parquet'))).toEqual([
    {
      video: 'v0.mp4',
      question: 'What is on the table?',
      options: ['A. a cup', 'B. a "bowl"', 'C. a cat'],
      answer: 'B',
      answer_text: 'a bowl',
      qa_type: 'Local Perception',
      qa_subtype: null,
    },
    {
      video: 'v1.mp4',
      question: 'Où est-il – 誰?',
      options: ['A. here', 'B. there'],
      answer: 'A',
      answer_text: null,
      qa_type: 'Holistic Reasoning',
      qa_subtype: 'x',
    },
  ])
})

test('structs in lists (zstd) keep null for what a struct lacks', async () => {
  const [first, second] = (await readRecords(fixture('structs-zstd.parquet'))) as Record<string, unknown>[]
  expect(first!.duration).toBe(1234.5)
  expect(first!.conversations).toEqual([
    { role: 'user', content: 'What happens?', modalities: ['visual', 'speech'], difficulty: 3, criteria: null },
    {
      role: 'assistant',
      content: 'A talk.',
      modalities: null,
      difficulty: null,
      criteria: [
        {
          name: 'factual_correctness',
          description: 'Says talk',
          category: 'high_priority',
          weight: 5,
          is_penalty: false,
        },
        {
          name: 'hallucination',
          description: 'Must not say song',
          category: 'penalty',
          weight: -5,
          is_penalty: true,
        },
      ],
    },
  ])
  expect(second).toEqual({ sample_id: 'sample_2', video_id: 'vid2', task: null, duration: null, conversations: [] })
})

test('numbers of every width, lists of lists, maps and dates, over several row groups', async () => {
  const rows = await readExactRecords(fixture('numbers-gzip.parquet'))
  expect(rows).toHaveLength(5)
  expect(rows[4]).toEqual(
    new Map<string, unknown>([
      ['qid', 4n],
      ['big', 40000000000n],
      ['half', 2],
      ['whole_float', 2],
      ['even', true],
      [
        'clue_intervals',
        [
          [4, 5.5],
          [7, 8],
        ],
      ],
      ['day', '2024-01-31T00:00:00.000Z'],
      ['tags', new Map([['a', 4n]])],
      ['nothing', null],
    ]),
  )
})

test('a benchmark reads its Parquet file where it lies', async () => {
  expect(
    (await samplesOf(videoEvalPro, fixture('options-snappy.parquet'))).map(({ id, choice }) => [id, choice]),
  ).toEqual([
    ['0', 1],
    ['1', 0],
  ])
  expect(
    (await samplesOf(longshot, fixture('structs-zstd.parquet'))).map(({ id, reference }) => [id, reference]),
  ).toEqual([['sample_1__t1', 'A talk.']])
})

test('a file that is no Parquet, or a part of one, is said to be so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-parquet-'))
  try {
    const file = join(folder, 'cut.parquet')
    for (const content of ['', 'PAR1', 'PAR1 and something that ends otherwise']) {
      await writeFile(file, content)
      await expect(readRecords(file)).rejects.toMatchObject({ exitCode: 2, hint: /fetch it again/ })
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a column that is not in the schema is refused before another one is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-parquet-'))
  try {
    const file = join(folder, 'wrong.parquet')
    await copyFile(fixture('../../fuzz/crashes/parquet/column-that-is-not-in-the-schema'), file)
    await expect(readRecords(file)).rejects.toThrow(/column "conversations\S*" is not in its schema/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  [
    'a run of 2^30 values',
    'UEFSMRUEFQgVCEwVAhUEAAAHAAAAFQAVDhUOLBUCFRAVBhUGAAAB/v///wcAFQQZLEgEcm9vdBUCABUCJQAYAmMwABYCGRwZHCYIHBUCGRUAGRgCYzAVABYCFlIWUiYIAAAWWhYCAAA7AAAAUEFSMQ==',
    /reading it took more than 1024 MB or 60 s/,
  ],
  [
    '2^31 values of no bits',
    'UEFSMRUEFQgVCEwVAhUEAAAHAAAAFQAVAhUCLBX+////DxUQFQYVBgAAABUEGSxIBHJvb3QVAgAVAiUAGAJjMAAWAhkcGRwmCBwVAhkVABkYAmMwFQAW/v///w8WThZOJggAABZWFgIAAD8AAABQQVIx',
    /a page claims 2147483647 values/,
  ],
])('a page that claims %s ends no process but that of its reader', async (_, base64, why) => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-parquet-'))
  try {
    const file = join(folder, 'forged.parquet')
    await writeFile(file, Buffer.from(base64, 'base64'))
    await expect(readRecords(file)).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(why) })
  } finally {
    await rm(folder, { recursive: true })
  }
})
