import { expect, test } from 'vitest'
import { type Evidence, type Finding, stamp } from '../../../src/core/evidence.ts'
import type { People } from '../../../src/core/people.ts'
import type { StageReader, StageWriter } from '../../../src/core/stage.ts'
import { stageContext } from '../../../tests/support/stage-context.ts'
import people from '../people.ts'
import { rowsOfStages } from '../results.ts'
import { makePeople } from './make-people.ts'

function row(start: number, finding: Omit<Finding, 'span'>): Evidence {
  return stamp({ span: { start, end: start + 9 }, ...finding }, 'v', 'made/hand')
}

function reader(files: Record<string, unknown>): StageReader {
  const read = async (name: string) => files[name] as never
  return { has: name => name in files, path: name => name, json: read, lines: read }
}

async function made(results: Record<string, StageReader>, rows: Evidence[]) {
  const files: Record<string, unknown> = {}
  const out: StageWriter = {
    json: async (name, value) => {
      files[name] = value
    },
    lines: async (name, lines) => {
      const list: unknown[] = []
      for await (const one of lines) list.push(one)
      files[name] = list
      return list.length
    },
    note: () => {},
    path: name => name,
    bytes: async () => Promise.reject(new Error('none')),
  }
  const { signal } = new AbortController()
  const context = stageContext({ out, signal, results: { rows: async () => rows, result: stage => results[stage] } })
  await makePeople(context, 'people/rules')
  return { registry: files['people.json'] as People, rows: files['evidence.jsonl'] as Evidence[] }
}

const name = row(0, { track: 'text', text: 'Diane Miller, baker' })
const captions = [row(0, { track: 'caption', text: 'She bakes.' }), row(40, { track: 'caption', text: 'A street.' })]
const clips = [
  { caption: { people: [{ looks: 'a woman in a red coat' }], objects: ['a red bag'] } },
  { fault: 'no usable reply' }, // has no row
  { caption: { people: [], objects: [] } },
]

test('descriptions come from the captions, each by the id of its row', async () => {
  const { registry, rows } = await made({ captions: reader({ 'evidence.jsonl': captions, 'clips.jsonl': clips }) }, [
    name,
    ...captions,
  ])
  expect(registry.people).toMatchObject([
    {
      label: 'Diane Miller',
      descriptions: [{ text: 'a woman in a red coat', evidence: [captions[0]?.id, name.id] }],
    },
  ])
  expect(rows.map(({ track, by, text }) => [track, by, text])).toEqual([
    ['person', 'people/rules', expect.stringContaining('Diane Miller: shown while one person is seen')],
    ['person', 'people/rules', 'Diane Miller appears'],
  ])
})

test('where a caption stands over two faces, the captioner having seen one, nobody is named', async () => {
  const faces = reader({ 'faces.json': [{ time: 3, faces: [{}, {}] }] })
  const captioned = reader({ 'evidence.jsonl': captions, 'clips.jsonl': clips })
  const { registry } = await made({ captions: captioned, faces }, [name, ...captions])
  expect(registry.people).toEqual([])
})

test('pieces of one shot show one person; a cut between them may be to another', async () => {
  const long = row(5, { track: 'text', text: 'Diane Miller, baker' })
  const both = [row(0, { track: 'caption', text: 'She bakes.' }), row(9, { track: 'caption', text: 'She goes on.' })]
  const again = { caption: { people: [{ looks: 'a woman in a red coat' }], objects: [] } }
  const captions = reader({ 'evidence.jsonl': both, 'clips.jsonl': [again, again] })
  const described = async (...starts: number[]) => {
    const decode = reader({ 'shots.json': starts.map(start => ({ start, end: 30, opens: 'cut' })) })
    const { registry } = await made({ captions, decode }, [long, ...both])
    return registry.people.flatMap(({ descriptions }) => descriptions)
  }
  expect(await described(0)).toHaveLength(2)
  expect(await described(0, 9)).toEqual([])
})

test('the lines of a diariser are written anew with names, of subtitles those alone that get a name, in the place of their own', async () => {
  const line = row(0, { track: 'speech', text: "I'm Diane.", speaker: 'Speaker 1' })
  const diarised = await made({ speakers: reader({ 'evidence.jsonl': [line] }) }, [line])
  expect(diarised.rows.filter(({ track }) => track === 'speech')).toEqual([{ ...line, speaker: 'Diane (speaker 1)' }])
  const other = row(20, { track: 'speech', text: 'Well.', speaker: 'Speaker 2' })
  const titled = await made({}, [line, other])
  const lines = titled.rows.filter(({ track }) => track === 'speech')
  expect(lines).toEqual([{ ...line, speaker: 'Diane (speaker 1)' }])
  const results: Record<string, StageReader> = {
    speech: reader({ 'evidence.jsonl': [line, other] }),
    people: reader({ 'evidence.jsonl': titled.rows }),
  }
  const stages = [{ name: 'speech', rows: true as const }, people]
  const shown = (await rowsOfStages(stages, stage => results[stage])).filter(({ track }) => track === 'speech')
  expect(shown.map(({ speaker, text }) => [speaker, text])).toEqual([
    ['Diane (speaker 1)', "I'm Diane."],
    ['Speaker 2', 'Well.'],
  ])
})
