import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import lectures from '../../docs/examples/lectures.ts'
import { writeJsonLines } from '../../eval/data/lines.ts'
import { wordsJudge } from '../../eval/judges/judge-service.ts'
import { processSamples } from '../../eval/runner/ask/process-samples.ts'
import { collectSamples } from '../../eval/runner/collect-samples.ts'
import { replyLines, scoreRun } from '../../eval/runner/score-run.ts'
import { recordsOf, scoreReplyLines } from '../support/benchmark.ts'
import { countingAgent } from './counting-agent.ts'
import { newFolder } from './run-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-lectures-'))
})
afterEach(() => rm(folder, { recursive: true }))

const record = (id: string, topic: string, question: string, answer: string, right: number) => ({
  id,
  video: `${topic}.mp4`,
  topic,
  question,
  answer,
  options: ['Wegener', 'Darwin', 'Curie', 'Bohr'],
  right,
})

// The agent answers "answer to <question>", and chooses the first option.
test('the worked example of CONTRIBUTING.md is asked, judged, graded once and scored both ways', async () => {
  await writeFile(
    join(folder, 'lectures.json'),
    JSON.stringify([
      record('a', 'geology', 'Who moved it, Wegener', 'Who moved it, Wegener', 0),
      record('b', 'physics', 'Who drew it, Bohr', 'Mendel', 1),
    ]),
  )
  const collected = await collectSamples(lectures, folder, {})
  const files = await newFolder(join(folder, 'run'), 'lectures')
  await processSamples({
    benchmark: lectures,
    samples: collected.samples.map((sample, place) => ({ sample, place, locate: video => ({ path: video }) })),
    tasks: new Set(['open', 'mcq']),
    trajectory: 'ideal',
    agent: countingAgent(),
    judge: wordsJudge(lectures.judge!),
    store: files,
    concurrency: 1,
    watch: () => {},
    onSample: () => {},
    signal: new AbortController().signal,
  })
  const lines = await files.tidy()
  files.close()
  expect(lines.map(line => line.judge?.replies.open)).toEqual(['yes', 'no'])
  expect(lines.map(line => [line.grades.open!.score, line.grades.mcq!.score])).toEqual([
    [1, 1],
    [0, 0],
  ])
  expect((await scoreRun(lectures, collected, lines)).strict).toMatchObject({
    n: 2,
    metrics: { open: 50, mcq: 50 },
    groups: { geology: { n: 1, open: 100, mcq: 100 }, physics: { n: 1, open: 0, mcq: 0 } },
    excluded: [],
  })
  // The grades that a line keeps are what scores are summed from; lines of older runs are graded again.
  const regraded = lines.map(line => ({ ...line, grades: { ...line.grades, mcq: { score: 0, rule: 'by hand' } } }))
  expect((await scoreRun(lectures, collected, regraded)).strict.metrics).toEqual({ open: 50, mcq: 0 })
  const older = regraded.map(({ grading: _, ...line }) => line)
  expect((await scoreRun(lectures, collected, older)).strict.metrics).toEqual({ open: 50, mcq: 50 })
  const again = replyLines(lectures, collected, lines).map(line => JSON.parse(line))
  again[0].replies.mcq = 'It was Wegener.' // by its first letter, I
  const replies = writeJsonLines(again)
  expect(
    (await scoreReplyLines(lectures, { records: await recordsOf(lectures, folder), replies, scoring: 'official' }))
      .metrics,
  ).toEqual({
    open: 50,
    mcq: 0,
  })
})
