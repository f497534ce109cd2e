import { describe, expect, test } from 'vitest'
import type { Host } from '../../core/backend.ts'
import type { Role } from '../../core/services.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { Video } from '../../core/video.ts'
import { Models } from '../models/models.ts'
import type { RoleChoice } from '../models/role-families.ts'
import type { RowsChange, StageChanges } from './plan-stages.ts'
import { findPlanned, lostStages, type Planned, planStages } from './plan-stages.ts'

const host: Host = { folder: '', environment: {}, signal: new AbortController().signal, say() {} }
const video: Video = {
  id: 'abc',
  path: '/videos/talk.mp4',
  name: 'talk.mp4',
  bytes: 1,
  container: 'mp4',
  start: 0,
  duration: 60,
  picture: { index: 0, codec: 'h264', width: 320, height: 180, start: 0, rotation: 0, hdr: false },
  sound: { index: 1, codec: 'aac', channels: 1, sampleRate: 16_000, start: 0 },
  otherSounds: [],
  subtitles: [],
  sidecars: [],
  notes: [],
}
const tracks = { picture: true, text: true, speech: true, sound: true }
const captions = { mode: 'off' as const, seconds: 30, frames: 16, budget: {} }
const settings: IndexSettings = {
  ...{ level: 'balanced', stillsPerSecond: 1, stillWidth: 640, segments: 'auto', deepen: true, decoder: 'auto' },
  ...{
    maxHours: 48,
    vectors: 'exact',
    tracks,
    people: true,
    faces: true,
    subtitles: 'use',
    trustMtime: false,
    captions,
  },
  ...{ overview: 'extract', overviewTokens: 8000, overviewBudget: {} },
}
const server = { backend: 'openai', model: 'm', url: 'http://127.0.0.1:8000/v1' }
const choices: Record<Role, RoleChoice> = {
  shots: { backend: 'frame-difference' },
  voice: { backend: 'silero' },
  transcribe: server,
  retranscribe: { backend: 'pocketsphinx' },
  speakers: { backend: 'off' },
  readText: { backend: 'vlm', chat: { backend: 'openai', model: 'sees', url: 'http://127.0.0.1:1/v1' } },
  hear: server,
  listen: { backend: 'signal' },
  embedImage: { backend: 'siglip', model: 'base' },
  embedText: server,
  planner: { backend: 'rules' },
  writer: { backend: 'rules' },
  verifier: { backend: 'rules' },
  vision: { backend: 'off' },
  judge: { backend: 'off' },
  detect: { backend: 'off' },
  faces: { backend: 'off' },
}

// The stages that are made again when one role is set to something else.
async function redone(role: Role, choice: RoleChoice): Promise<string[]> {
  const [before, after] = await Promise.all(
    [choices, { ...choices, [role]: choice }].map(chosen =>
      planStages(video, new Models(chosen, host), settings, false),
    ),
  )
  const keyIn = (plan: Planned[], stage: string) => {
    const planned = findPlanned(plan, stage)
    return planned && planned.skip === undefined ? planned.key : 'skipped'
  }
  const all = [...new Set([...before!, ...after!].map(({ stage }) => stage))]
  return all.filter(stage => keyIn(before!, stage) !== keyIn(after!, stage))
}

test('a precision that is left to us is part of the key as what it becomes here', async () => {
  const siglip = { backend: 'siglip', model: 'base' } // what the choices above have, with the precision left to us
  expect(await redone('embedImage', { ...siglip, precision: 'fp32', device: 'cpu' })).toEqual([])
  const onCard = { ...siglip, device: 'webgpu' }
  expect(await redone('embedImage', onCard)).toContain('vectors')
  const keyOn = async (choice: RoleChoice) => {
    const models = new Models({ ...choices, embedImage: choice }, host)
    const planned = findPlanned(await planStages(video, models, settings, false), 'vectors')
    return planned?.skip === undefined && planned?.key
  }
  expect(await keyOn(onCard)).toBe(await keyOn({ ...siglip, precision: 'fp16' }))
})

const follows: Partial<Record<Role, [RoleChoice, string[]]>> = {
  voice: [{ backend: 'energy' }, ['voices', 'speech', 'overview', 'full-text', 'text-vectors']],
  transcribe: [{ backend: 'whisper', model: 'small' }, ['speech', 'overview', 'full-text', 'text-vectors']],
  speakers: [{ backend: 'sherpa' }, ['speakers', 'people', 'overview', 'full-text', 'text-vectors']],
  faces: [
    { backend: 'vlm', chat: { backend: 'openai', model: 'sees' } },
    ['faces', 'people', 'overview', 'full-text', 'text-vectors'],
  ],
  readText: [{ backend: 'tesseract' }, ['text', 'overview', 'full-text', 'text-vectors']],
  hear: [{ backend: 'clap' }, ['sounds', 'overview', 'full-text', 'text-vectors']],
  embedImage: [{ backend: 'clip' }, ['vectors', 'overview', 'full-text', 'vector-index', 'text-vectors']],
  embedText: [{ backend: 'onnx' }, ['text-vectors']],
}

test.each(Object.entries(follows))(
  'another backend for %s redoes what depends on it',
  async (role, [choice, stages]) => {
    expect((await redone(role as Role, choice)).sort()).toEqual([...stages].sort())
  },
)

test('another model of the same backend is another result; so is one inside a backend that asks it', async () => {
  expect(await redone('transcribe', { ...server, model: 'other' })).toContain('speech')
  expect(await redone('embedImage', { backend: 'siglip', model: 'so400m' })).toContain('vectors')
  expect(await redone('embedImage', { backend: 'siglip', precision: 'fp16' })).toContain('vectors')
  const reader = { backend: 'vlm', chat: { backend: 'openai', model: 'reads' } }
  expect(await redone('readText', reader)).toContain('text')
})

test.each(['retranscribe', 'listen', 'planner', 'writer', 'verifier', 'vision', 'judge', 'detect'] as Role[])(
  'another %s redoes nothing: it works when a question is asked',
  async role => {
    expect(await redone(role, { backend: 'openai', model: 'other' })).toEqual([])
  },
)

test('where a server is, with which key, and patience with it are no part of what it made', async () => {
  const moved = {
    url: 'https://other.example/v1',
    apiKeyEnv: 'OTHER_KEY',
    limits: { attempts: 9, totalSeconds: 5, concurrency: 1 },
  }
  for (const role of ['transcribe', 'hear', 'embedText'] as const)
    expect(await redone(role, { ...choices[role], ...moved })).toEqual([])
  const chat = { backend: 'openai', model: 'sees', ...moved }
  expect(await redone('readText', { backend: 'vlm', chat, atOnce: 7 })).toEqual([])
})

test('where a model runs and how much of it side by side are no part of what it made; defaults that are said are the same', async () => {
  expect(await redone('embedImage', { backend: 'siglip', model: 'base', device: 'cpu', threads: 2, batch: 3 })).toEqual(
    [],
  )
  const chat = { backend: 'openai', model: 'sees', schemaMode: 'json_schema' }
  expect(await redone('readText', { backend: 'vlm', chat, boxes: 'none' })).toEqual([])
})

test('at level quick shots come from keyframes, and the stage says so whichever backend is set', async () => {
  const decodeOf = async (backend: string, level: IndexSettings['level']) => {
    const models = new Models({ ...choices, shots: { backend } }, host)
    const decode = findPlanned(await planStages(video, models, { ...settings, level }, false), 'decode')
    return decode && decode.skip === undefined ? { by: decode.by, key: decode.key } : undefined
  }
  const quick = await decodeOf('frame-difference', 'quick')
  expect(quick?.by).toBe('shots/keyframes')
  expect(await decodeOf('scdet', 'quick')).toEqual(quick)
  expect((await decodeOf('frame-difference', 'balanced'))?.by).toBe('shots/frame-difference')
})

// Keys of the first release: libraries that are there are found by them.
const fixed = {
  isOff: (role: Role) => ['speakers', 'faces'].includes(role), // which had no stage then
  chosen: async (role: Role) => ({ by: `${role}/fixed`, settings: { size: 1 }, version: '1' }),
}
const rowsBy = (by: string, needs: RowsChange['needs']): RowsChange => ({
  ...{ by, needs, settings: () => ({ share: 0.5 }), rows: () => [] },
})
const withCues = { ...video, subtitles: [{ index: 2, codec: 'subrip' }] }
const silent = { ...video, sound: undefined }
const changes: StageChanges = {
  speech: rowsBy('fault/asr', 'rows'),
  text: rowsBy('oracle/ocr', 'nothing'),
  stills: { settings: { every: 2 }, keep: () => true },
}
const quick: IndexSettings = { ...settings, level: 'quick', vectors: 'hnsw' }
const planned: Record<string, () => Promise<Planned[]>> = {
  'as a rule': () => planStages(video, fixed, settings, false),
  'with subtitles': () => planStages(withCues, fixed, settings, true),
  'with subtitles that hold no words': () => planStages(withCues, fixed, settings, false),
  'at level quick': () => planStages(video, fixed, quick, false),
  'in an ablation': () => planStages(video, fixed, settings, false, changes),
  'of a silent video': () => planStages(silent, fixed, settings, false),
}
const known: Record<string, string> = {
  'as a rule': [
    'subtitles -, decode 61ca4c1d, vectors 3087c588, text 1df2982c, voices bba799a0, speech 40e6d59d, speakers -',
    'sounds f0095ed9, overview 6977d696, full-text 9f0f6fef, vector-index 6878d939, text-vectors 9b9c6a56',
  ].join(', '),
  'with subtitles': [
    'subtitles 102e9a1e, decode 61ca4c1d, vectors 3087c588, text 1df2982c, voices -, speech a57d4687, speakers -',
    'sounds f0095ed9, overview 69c011af, full-text 76dfc538, vector-index 6878d939, text-vectors 2bd1124c',
  ].join(', '),
  'with subtitles that hold no words': [
    'subtitles 102e9a1e, decode 61ca4c1d, vectors 3087c588, text 1df2982c, voices bba799a0, speech 40e6d59d, speakers -',
    'sounds f0095ed9, overview 139bf68c, full-text ce5f285d, vector-index 6878d939, text-vectors 7f561e13',
  ].join(', '),
  'at level quick': [
    'subtitles -, decode 10582329, vectors 27228b82, text f503a34d, voices 17aaafd1, speech 3104aad1, speakers -',
    'sounds 76d088e4, overview 5f6a161e, full-text 9c3aaed2, vector-index bdac397a, text-vectors 61ab52af',
  ].join(', '),
  'in an ablation': [
    'subtitles -, decode 61ca4c1d, vectors 1fbc7db8, text -, text 198a969a, voices bba799a0',
    'speech 40e6d59d, speech c67fb01a, speakers -, sounds f0095ed9, overview 5277c81f, full-text 6881d693, vector-index da0ada63, text-vectors a35218a8',
  ].join(', '),
  'of a silent video': [
    'subtitles -, decode 61ca4c1d, vectors 3087c588, text 1df2982c, voices -, speech -, speakers -',
    'sounds -, overview 9cc9864e, full-text 07dfad04, vector-index 6878d939, text-vectors b698d543',
  ].join(', '),
}

test.each(Object.entries(planned))('the key of every stage stays what it was, %s', async (name, plan) => {
  const keys = (await plan()).map(one => `${one.stage} ${one.skip === undefined ? one.key.slice(0, 8) : '-'}`)
  expect(keys.join(', ')).toBe(known[name])
})

test.each([
  ['text', ['text'], ['text']],
  ['sounds', ['sounds'], ['sounds']],
  ['speech', ['speech'], ['speech']],
  ['vectors', ['vectors'], ['vectors', 'vector-index']], // the index of vectors fell with it
])('without %s the overview, the words and their vectors have keys that say so', async (failed, overview, further) => {
  const plan = await planStages(video, fixed, settings, false)
  const outcomes = { [failed]: { state: 'failed' as const } }
  expect(lostStages(plan, 'overview', outcomes)).toEqual(overview)
  for (const stage of ['full-text', 'text-vectors']) expect(lostStages(plan, stage, outcomes)).toEqual(further)
  for (const stage of ['decode', 'vector-index', 'speech']) expect(lostStages(plan, stage, outcomes)).toEqual([])
})

test('every stage is listed after those that it reads, and begins early with what it reads only', async () => {
  const plan = await planStages(video, fixed, settings, false)
  for (const [at, { how }] of plan.entries()) {
    const before = plan.slice(0, at).map(({ stage }) => stage)
    const made = how.after.filter(name => plan.some(({ stage }) => stage === name)) // captions only where they are wanted
    expect(before).toEqual(expect.arrayContaining(made))
    expect(how.after).toEqual(expect.arrayContaining((how.early ?? []).map(({ stage }) => stage)))
  }
})

describe('a written overview', () => {
  const written: IndexSettings = { ...settings, overview: 'written' }
  const planWith = (given: IndexSettings, writer: RoleChoice = server) =>
    planStages(video, new Models({ ...choices, writer }, host), given, false)
  const changed = async (given: IndexSettings, writer?: RoleChoice) => {
    const [before, after] = [await planWith(written), await planWith(given, writer)]
    const keyIn = (plan: Planned[], stage: string) => {
      const planned = findPlanned(plan, stage)
      return planned?.skip === undefined ? planned?.key : 'skipped'
    }
    return before.map(({ stage }) => stage).filter(stage => keyIn(before, stage) !== keyIn(after, stage))
  }

  test('another writer, or another limit, redoes it and what rests on its rows, and nothing else', async () => {
    const rest = ['story', 'full-text', 'text-vectors']
    expect(await changed(written, { ...server, model: 'other' })).toEqual(rest)
    expect(await changed({ ...written, overviewTokens: 4000 })).toEqual(rest)
    expect(await changed(written, { ...server, url: 'http://127.0.0.1:9/v1' })).toEqual([])
  })

  test('another encoder of pictures does not: it reads rows, and not the overview that it stands in place of', async () => {
    const encoder = { ...choices, writer: server, embedImage: { backend: 'clip' } }
    const after = await planStages(video, new Models(encoder, host), written, false)
    const before = await planWith(written)
    expect(findPlanned(after, 'story')).toMatchObject({ key: (findPlanned(before, 'story') as { key: string }).key })
  })

  test('it is in no plan where it is not asked for, and left out with its reason where nothing can write', async () => {
    expect(findPlanned(await planWith(settings), 'story')).toBeUndefined()
    expect(findPlanned(await planWith(written, { backend: 'off' }), 'story')?.skip).toBe('models.writer is off')
    const rules = findPlanned(await planWith(written, { backend: 'rules' }), 'story')
    expect(rules?.skip).toBe('models.writer (chat/rules) must be a language model')
    const keys = (plan: Planned[]) => plan.flatMap(one => (one.skip === undefined ? [`${one.stage} ${one.key}`] : []))
    expect(keys(await planWith(written, { backend: 'rules' }))).toEqual(keys(await planWith(settings)))
  })
})
