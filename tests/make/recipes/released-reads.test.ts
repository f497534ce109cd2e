import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type CommandLine, commandLine } from '../../support/command-line.ts'
import {
  CgBenchFile,
  CgBenchResult,
  CgBenchVideos,
  LongshotAnswered,
  LongshotSample,
  longshotId,
  mixedFields,
  VideoEvalProJudged,
  VideoEvalProRow,
} from '../../support/released-reads.ts'
import { talkSet } from '../talk-set.ts'

// Made sets, and what is exported of runs on them, as the released tools read them.

let line: CommandLine
beforeAll(() => {
  line = commandLine({}, { PATH: process.env.PATH })
})

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const jsonLines = (path: string) => readFileSync(path, 'utf8').trim().split('\n')
const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify({ result: value })}\n\`\`\``

// Names the field and the record, which a bare parse does too late.
function holds<Value>(shape: z.ZodType<Value>, records: readonly unknown[]): Value[] {
  expect(records.length).toBeGreaterThan(0)
  return records.map((record, at) => {
    const { data, error } = shape.safeParse(record)
    if (data === undefined) throw new Error(`record ${at}: ${error?.message}`)
    return data
  })
}

// Blind, with a scripted model and a scripted judge.
async function exported(benchmark: string, data: string, reply: string, verdicts: string[], ...more: string[]) {
  const out = join(line.cwd, `${benchmark}-run`)
  const scripted = (role: string, replies: string[]) => [
    ...['--set', `models.${role}.backend=scripted`, '--set', `models.${role}.replies=${JSON.stringify(replies)}`],
    ...['--set', `models.${role}.atEnd=cycle`],
  ]
  const ran = await line.run(
    ...['bench', 'run', benchmark, '--data', data, '--out', out, '--profile', 'embedded', '--by', 'alone'],
    ...[...scripted('vision', [reply]), ...scripted('judge', verdicts), '--judge', 'model', '--option', 'frames=0'],
    ...more,
  )
  expect(ran.code, ran.stderr).toBe(0)
  const files = join(line.cwd, `${benchmark}-files`)
  const written = await line.run('bench', 'export', out, '--out', files, '--name', 'my-agent')
  expect(written.code, written.stderr).toBe(0)
  return files
}

describe('by the hub', () => {
  test('a set of one file is read by that file alone, as its card says', async () => {
    const { root } = await talkSet(line, { recipe: 'allvb', folder: 'videos', options: ['perVideo=3'], videos: 2 })
    const card = readFileSync(join(root, 'README.md'), 'utf8')
    expect(card).toMatch(
      /^---\nconfigs:\n- config_name: default\n {2}data_files:\n {2}- split: test\n {4}path: "allvb.json"\n---\n\n# A allvb set/,
    )
    expect(mixedFields(json(join(root, 'allvb.json')) as unknown[])).toEqual([])
  })

  test('records of several types in one field are found', () => {
    expect(
      mixedFields([
        { a: 1, b: [{ c: 'x' }] },
        { a: 2.5, b: [{ c: null }] },
      ]),
    ).toEqual([])
    expect(
      mixedFields([
        { a: 1, b: ['x'] },
        { a: '1', b: [['x']] },
      ]),
    ).toEqual(['.a: number, string', '.b[]: string, array'])
  })
})

test('LongShOT: samples of a set, and those that a run has answered', async () => {
  const { root } = await talkSet(line, { recipe: 'longshot', folder: 'videos', options: [], videos: 3 })
  const lines = jsonLines(join(root, 'final_dataset.jsonl'))
  const samples = holds(
    LongshotSample,
    lines.map(text => JSON.parse(text)),
  )
  expect(mixedFields(samples)).toEqual([])
  expect(lines.map(text => longshotId.exec(text)?.[1])).toEqual(samples.map(sample => sample.sample_id))
  for (const { video_id } of samples) expect(existsSync(join(root, 'videos', `${video_id}.mp4`))).toBe(true)
  const verdicts = [true, false].map(met => JSON.stringify({ criteria_met: met }))
  const files = await exported('longshot', root, 'A mill.', verdicts)
  const answered = jsonLines(join(files, 'my_agent', 'judges', 'scripted', 'my_agent_eval.jsonl'))
  const judged = holds(
    LongshotAnswered,
    answered.map(text => JSON.parse(text)),
  )
  expect(mixedFields(judged)).toEqual([])
  expect(answered.map(text => longshotId.exec(text)?.[1])).toEqual(samples.map(sample => sample.sample_id))
})

test('CG-Bench: questions and frames of a set, and the file of each question of a run', async () => {
  const options = ['minMinutes=0', 'perVideo=5']
  const { root } = await talkSet(line, { recipe: 'cg-bench', folder: 'cg_videos_720p', options, videos: 3 })
  const asked = CgBenchFile.parse(json(join(root, 'cgbench.json')))
  const videos = CgBenchVideos.parse(json(join(root, 'video_meta_info.json')))
  expect(mixedFields(asked)).toEqual([])
  for (const { video_uid, choices, right_answer, answer } of asked) {
    expect(videos[video_uid]).toBeDefined()
    expect(existsSync(join(root, 'cg_videos_720p', `${video_uid}.mp4`))).toBe(true)
    expect(choices[right_answer.charCodeAt(0) - 65]).toBe(answer)
  }
  const tasks = ['--task', 'long_acc', '--task', 'open', '--option', 'subtitles=off']
  const files = await exported('cg-bench', root, fenced('A'), [fenced(1), fenced(0)], ...tasks)
  const names = readdirSync(files).sort()
  expect(names).toEqual(asked.map(({ qid }) => `${qid}.json`).sort())
  const results = holds(
    CgBenchResult,
    names.map(name => json(join(files, name))),
  )
  for (const { version, results: found } of results) {
    const all = Object.values(found).flatMap(one => [one, ...[one.step_1, one.step_2].flatMap(step => step ?? [])])
    expect(all.map(one => one.version)).toEqual(all.map(() => version)) // else they would ask again
    expect(all).toHaveLength(4)
  }
})

test('VideoEval-Pro: rows of a set, and the judged ones of a run', async () => {
  const options = ['minMinutes=0', 'perVideo=5']
  const { root } = await talkSet(line, { recipe: 'videoeval-pro', folder: 'videos_filtered', options, videos: 3 })
  const rows = holds(
    VideoEvalProRow,
    jsonLines(join(root, 'data', 'test.jsonl')).map(text => JSON.parse(text)),
  )
  expect(mixedFields(rows)).toEqual([])
  for (const { video } of rows) expect(existsSync(join(root, 'videos_filtered', video))).toBe(true)
  const files = await exported('videoeval-pro', root, 'B', ['A', 'B', 'C'])
  const lines = jsonLines(join(files, 'my_agent.jsonl')).map(text => JSON.parse(text))
  const judged = holds(VideoEvalProJudged, lines.slice(0, -1))
  const count = (field: 'textqa_judge' | 'mcq_judge') => judged.filter(row => row[field]).length
  expect(lines.at(-1)).toEqual({
    stats: { textqa_judge_true: count('textqa_judge'), mcq_judge_true: count('mcq_judge'), total: rows.length },
  })
})
