import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Caption } from '../../src/core/brief.ts'
import { textContent } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { host } from '../agent/ask.ts'
import { shown } from '../agent/looked.ts'
import { drawn, drawnScene } from '../support/drawn-script.ts'
import { simulatedModels } from './index.ts'

const ann = { who: 'Ann Reed', top: 'red', hat: 'green' } as const
const tom = {
  who: 'Tom Hill',
  top: 'yellow',
  trousers: 'black',
  hair: 'blond',
  holds: 'box',
  doing: 'sits',
  x: 0.75,
} as const
const script = drawn([
  drawnScene({ place: 'kitchen', people: [{ ...ann, holds: 'umbrella' }], texts: ['Ann Reed, baker'] }),
  drawnScene({ place: 'beach', people: [{ ...ann, x: 0.25 }, tom] }),
  drawnScene({ texts: ['HOTEL LUNA'], things: { shape: 'circle', colour: 'orange', count: 3 } }),
])
const [kitchen, beach, hotel] = [
  [[2], [5]],
  [[12], [15]],
  [[22], [25]],
] as const
const all = [...kitchen, ...beach, ...hotel]

let truth: string
beforeAll(async () => {
  truth = await mkdtemp(join(tmpdir(), 'longtake-simulated-'))
  await writeFile(join(truth, 'talk.script.json'), JSON.stringify(script))
  await writeFile(join(truth, 'broken.script.json'), '{"fps": "many"}')
})
afterAll(() => rm(truth, { recursive: true, force: true }))

type Task = Parameters<typeof shown>[1]['task']

const ask = async (task: Task, pictures: readonly (readonly number[])[], question?: string, settings = {}) =>
  shown(await simulatedModels.open('simulated', { truth, ...settings }, host), {
    name: 'talk.mp4',
    task,
    question,
    pictures: pictures.map(times => [...times]),
  })

describe('a look', () => {
  test.each([
    [kitchen, 'What colour is the coat of the person in the kitchen?', 'The coat of the person in the kitchen is red.'],
    [beach, 'What colour is the hat of the person on the beach?', 'The hat of the person on the beach is green.'],
    [beach, 'What does the person in the yellow shirt hold?', 'The person in a yellow top holds a box.'],
    [beach, 'What is the person with blond hair doing?', 'The person with blond hair sits and holds a box.'],
    [beach, 'How many people are on the beach?', '2 people are seen.'],
    [all, 'Where is the person who holds a box?', 'It is on a beach.'],
    [
      kitchen,
      'Who holds the umbrella?',
      'It is Ann Reed, whose name is written there, a person with brown hair in a red top, blue trousers and a green hat.',
    ],
    [kitchen, 'What does Ann wear?', 'It is a person with brown hair in a red top, blue trousers and a green hat.'],
    [hotel, 'What colour are the circles beside the sign "HOTEL LUNA"?', 'The circles are orange.'],
    [hotel, 'How many circles are shown beside the sign "HOTEL LUNA"?', '3 circles are seen.'],
    [hotel, 'Which name is on the hotel sign?', 'The text reads "HOTEL LUNA".'],
    [
      beach,
      'Does anyone hold a box?',
      'Yes: a person with blond hair in a yellow top and black trousers sits and holds a box.',
    ],
  ])('at %j answers %s', async (frames, question, answer) => {
    expect(await ask('look', frames, question)).toBe(answer)
  })

  test.each([
    [hotel, 'What does the person in the red coat hold?'],
    [kitchen, 'What colour are the circles beside the sign "HOTEL LUNA"?'],
    [kitchen, 'Who holds the box?'],
    [beach, 'What colour is the car?'],
  ])('at %j says that the frames do not show %s', async (frames, question) => {
    expect(await ask('look', frames, question)).toMatch(/^The frames do not show it\. \S/)
  })

  test('knows nobody by a name that no frame shows', async () => {
    expect(await ask('look', beach, 'What does Ann Reed wear?')).toMatch(/^No frame says who Ann Reed is\./)
    expect(await ask('look', beach, 'Who is there?')).not.toMatch(/Ann|Tom/)
  })

  test('describes what is seen where nothing particular is asked, in three sentences at most', async () => {
    const said = await ask('look', all, 'What do the people do?')
    expect(said).toMatch(/^In a kitchen, a person .* On a beach, .* There are 3 orange circles/)
    expect(await ask('look', all, 'What do the people do?', { misses: 1 })).toBe(
      'Nothing can be made out in the frames.',
    )
  })
})

test('a caption tells by its schema what happens, who as described, where, with which things and words', async () => {
  const caption = Caption.parse(JSON.parse(await ask('caption', all)))
  expect(caption.place).toBe('a kitchen and a beach')
  expect(caption.text).toEqual(['Ann Reed, baker', 'HOTEL LUNA'])
  expect(caption.objects).toEqual(['umbrella', 'box', '3 orange circles'])
  expect(caption.people.map(({ name }) => name)).toEqual(['Ann Reed', '', ''])
  expect(caption.people[1]?.looks).toBe('a person with brown hair in a red top, blue trousers and a green hat')
  expect(caption.events.map(({ frame }) => frame)).toEqual([1, 1, 3, 3, 5, 5])
  expect(Caption.parse(JSON.parse(await ask('caption', all, undefined, { misses: 1 }))).people).toEqual([])
})

describe('it makes nothing up', () => {
  test('of a video without a script, or with one that is none', async () => {
    const model = await simulatedModels.open('simulated', { truth }, host)
    const look = { task: 'look' as const, question: 'Who?', pictures: [[1]] }
    await expect(shown(model, { name: 'other.mp4', ...look })).rejects.toThrow(UsageError)
    await expect(shown(model, { name: 'other.mp4', ...look })).rejects.toThrow(/other\.script\.json is not there/)
    await expect(shown(model, { name: 'broken.mp4', ...look })).rejects.toThrow(/not a script of a needle video/)
    await expect(shown(model, { name: '../talk.mp4', ...look })).resolves.toMatch(/person/) // no path leads out of the folder
  })

  test('of pictures that nobody says anything of', async () => {
    const model = await simulatedModels.open('simulated', { truth }, host)
    const image = { type: 'image' as const, jpeg: new Uint8Array([1]) }
    const messages = [{ role: 'user' as const, content: [image, image] }]
    const brief = {
      kind: 'sight',
      video: { id: 'v', name: 'talk.mp4' },
      task: 'look',
      pictures: [[1]],
      question: 'Who?',
    }
    await expect(model.reply({ purpose: 'look', messages }, host.signal)).rejects.toThrow(/does not say which frames/)
    await expect(model.reply({ purpose: 'look', messages, brief }, host.signal)).rejects.toThrow(
      /2 pictures.*tells of 1/,
    )
    const plan = { purpose: 'plan' as const, messages: [{ role: 'user' as const, content: textContent('Plan.') }] }
    await expect(model.reply(plan, host.signal)).rejects.toThrow(/cannot plan/)
  })

  test('without a folder of truth it does not open', async () => {
    await expect(simulatedModels.open('simulated', {}, host)).rejects.toThrow(/truth/)
  })
})

test('nobody can take it for a model', async () => {
  const backend = await simulatedModels.load('simulated')
  const model = await simulatedModels.open('simulated', { truth }, host)
  expect(model.id).toBe('chat/simulated')
  expect(backend).toMatchObject({ standIn: true, summary: expect.stringMatching(/^simulated sight, no model/) })
  expect(backend.selfContained).toBeUndefined()
})
