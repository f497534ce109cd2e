import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Answer } from '../../src/core/agent.ts'
import { Evidence } from '../../src/core/evidence.ts'
import { longtake, longtakeHere } from './longtake.ts'
import { indexedTown } from './town-video.ts'

const Asked = z.object({
  schemaVersion: z.literal(1),
  video: z.object({ id: z.string(), path: z.string(), duration: z.number() }),
  answer: Answer,
  evidence: z.array(Evidence.omit({ video: true })),
  coverage: z.object({ duration: z.number() }).loose(),
  steps: z.array(z.unknown()),
  profile: z.string(),
  run: z.string(),
})

type Row = z.infer<typeof Asked>['evidence'][number]

let folder: string
let video: string
let home: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-ask-'))
  ;({ video, home } = await indexedTown(join(folder, 'town')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function ask(question: string, ...more: string[]) {
  const ran = await longtakeHere(['ask', video, question, '--json', '--profile', 'embedded', ...more], { home })
  expect(ran.err).not.toContain('fault of longtake')
  expect(ran.code, ran.err).toBe(0)
  const asked = Asked.parse(JSON.parse(ran.out))
  const cited = asked.answer.sentences.flatMap(sentence => sentence.cites)
  const rows = cited.map(id => asked.evidence.find(row => row.id === id))
  expect(rows).not.toContain(undefined)
  for (const row of asked.evidence) {
    expect(row.span.start).toBeGreaterThanOrEqual(0)
    expect(row.span.end).toBeLessThanOrEqual(asked.video.duration + 0.001)
  }
  return { ...asked, cited: rows as Row[] }
}

describe('a question about a video', () => {
  test('text on a slide is found, with the time it was shown', async () => {
    const { answer, cited } = await ask('How much do adults pay?')
    expect(answer.text).toMatch(/12/)
    expect(cited.some(row => row.track === 'text' && Math.abs(row.span.start - 10) < 2)).toBe(true)
  })

  test('a spoken fact is found, with the time it was said', async () => {
    const { answer, cited } = await ask('How many paintings does the museum have?')
    expect(answer.text).toMatch(/seven hundred|700/i)
    expect(cited.some(row => row.track === 'speech' && row.span.start < 3)).toBe(true)
  })

  test('when something is shown is answered with its span', async () => {
    const { cited } = await ask('When is the bus line shown?')
    expect(cited.some(row => Math.abs(row.span.start - 19) < 2)).toBe(true)
  })

  test('what is on screen while something is said', async () => {
    const { answer } = await ask('What is on screen while the first tour is mentioned?')
    expect(answer.text).toMatch(/ticket prices|adults/i)
  })

  test('what is not in the video is said not to be', async () => {
    const { answer } = await ask('What does the video say about helicopters?')
    expect(answer.abstained).toBe(true)
  })

  test('a choice is made by the evidence', async () => {
    const { answer } = await ask('Which bus goes to the museum?', '--options', 'Line 12|Line 204|Line 31|Line 7')
    expect(answer.choice).toBe(2)
  })

  test('what needs a model to see is said plainly', async () => {
    const { answer } = await ask('What colour is the coat of the woman?')
    expect(answer.abstained).toBe(true)
  })

  test('the second question does none of the work again', async () => {
    const { out } = await longtake(['index', video, '--json'], { home })
    const { stages } = JSON.parse(out)
    expect(stages.filter((stage: { state: string }) => !['reused', 'skipped'].includes(stage.state))).toEqual([])
  })
})
