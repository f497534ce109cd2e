import { expect, test } from 'vitest'
import { type Evidence, type Finding, stamp } from '../../src/core/evidence.ts'
import type { SpeakerTurn } from '../../src/core/services.ts'
import type { StageReader, StageWriter } from '../../src/core/stage.ts'
import { stageContext } from '../../tests/support/stage-context.ts'
import { earlySound } from './early.ts'
import { rowsOfStages } from './results.ts'
import speakers from './speakers.ts'

const signal = new AbortController().signal

function row(start: number, text: string, more: Partial<Finding> = {}): Evidence {
  return stamp({ span: { start, end: start + 2 }, track: 'speech', text, ...more }, 'v', 'transcribe/whisper')
}

function reader(rows: Evidence[]): StageReader {
  return { has: () => true, path: () => '', json: async () => undefined as never, lines: async () => rows as never }
}

// Makes the stage over these lines with a diariser that has found these turns.
async function made(lines: Evidence[], turns: SpeakerTurn[]) {
  const files = new Map<string, unknown>()
  const notes: string[] = []
  let opened = 0
  const out: StageWriter = {
    json: async (name, value) => void files.set(name, value),
    lines: async (name, rows) => {
      const list: unknown[] = []
      for await (const one of rows) list.push(one)
      return files.set(name, list).size
    },
    note: text => notes.push(text),
    path: name => name,
    bytes: async () => Promise.reject(new Error('none')),
  }
  async function* found() {
    yield* turns
  }
  await speakers.make(
    stageContext<'speakers'>({
      ...{ out, signal, results: { result: stage => (stage === 'speech' ? reader(lines) : undefined) } },
      pipeline: {
        published: ((part: unknown) => (part === earlySound ? [{ file: '/dev/null', gaps: [] }] : [])) as never,
      },
      open: async () => {
        opened++
        return { by: 'speakers/test', service: { turns: found } }
      },
    }),
  )
  return { rows: files.get('evidence.jsonl') as Evidence[], turns: files.get('turns.json'), notes, opened }
}

const turns = [
  { span: { start: 0, end: 2 }, speaker: 5 },
  { span: { start: 3, end: 5 }, speaker: 2 },
]

test('lines get the speakers that the diariser tells apart, and the turns are kept', async () => {
  const result = await made([row(0, 'hello'), row(3, 'good morning')], turns)
  expect(result.rows.map(({ speaker, by }) => [speaker, by])).toEqual([
    ['Speaker 1', 'transcribe/whisper'],
    ['Speaker 2', 'transcribe/whisper'],
  ])
  expect(result.turns).toEqual([
    { span: { start: 0, end: 2 }, speaker: 'Speaker 1' },
    { span: { start: 3, end: 5 }, speaker: 'Speaker 2' },
  ])
})

test('without lines no model is opened, nor where subtitles name the speakers, which is noted', async () => {
  expect(await made([], turns)).toMatchObject({ rows: [], opened: 0, notes: [] })
  const named = await made([row(0, 'hello', { speaker: 'Anna' }), row(3, 'hm')], turns)
  expect(named).toMatchObject({ opened: 0, notes: ['the subtitles name the speakers'] })
  expect(named.rows.map(({ speaker }) => speaker)).toEqual(['Anna', undefined])
})

test('its lines stand in place of those of the speech stage; where it was not made, these stay', async () => {
  const stages = [{ name: 'speech', rows: true as const }, { name: 'text', rows: true as const }, speakers]
  const results: Record<string, StageReader> = { speech: reader([row(0, 'hello')]), text: reader([row(1, 'sign')]) }
  const texts = async () =>
    (await rowsOfStages(stages, name => results[name])).map(({ speaker, text }) => [speaker, text])
  expect(await texts()).toEqual([
    [undefined, 'hello'],
    [undefined, 'sign'],
  ])
  results.speakers = reader([row(0, 'hello', { speaker: 'Speaker 1' })])
  expect(await texts()).toEqual([
    ['Speaker 1', 'hello'],
    [undefined, 'sign'],
  ])
})
