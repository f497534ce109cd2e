import { expect, test } from 'vitest'
import type { Host } from '../../core/backend.ts'
import type { IndexSettings } from '../../core/index-settings.ts'
import type { Role } from '../../core/services.ts'
import type { Video } from '../../core/video.ts'
import { Models, type RoleChoice } from '../models/models.ts'
import { type Planned, plannedOf, planStages } from './plan-stages.ts'

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
const settings: IndexSettings = {
  ...{ level: 'balanced', stillsPerSecond: 1, stillWidth: 640, segments: 'auto', deepen: true, decoder: 'auto' },
  ...{ maxHours: 48, vectors: 'exact', tracks, subtitles: 'use', trustMtime: false },
}
const server = { backend: 'openai', model: 'm', url: 'http://127.0.0.1:8000/v1' }
const choices: Record<Role, RoleChoice> = {
  shots: { backend: 'frame-difference' },
  voice: { backend: 'silero' },
  transcribe: server,
  retranscribe: { backend: 'pocketsphinx' },
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
  rerank: { backend: 'off' },
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
  const keys = (plan: Planned[]) => plan.map(planned => (planned.skip === undefined ? planned.key : 'skipped'))
  const [was, is] = [keys(before), keys(after)]
  return before.flatMap(({ stage }, at) => (was[at] === is[at] ? [] : [stage]))
}

const follows: Partial<Record<Role, [RoleChoice, string[]]>> = {
  voice: [{ backend: 'energy' }, ['voices', 'speech', 'overview', 'words', 'meaning']],
  transcribe: [{ backend: 'whisper', model: 'small' }, ['speech', 'overview', 'words', 'meaning']],
  readText: [{ backend: 'tesseract' }, ['text', 'overview', 'words', 'meaning']],
  hear: [{ backend: 'clap' }, ['sounds', 'overview', 'words', 'meaning']],
  embedImage: [{ backend: 'clip' }, ['vectors', 'overview', 'words', 'nearest', 'meaning']],
  embedText: [{ backend: 'onnx' }, ['meaning']],
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

test.each([
  'retranscribe',
  'listen',
  'planner',
  'writer',
  'verifier',
  'vision',
  'judge',
  'rerank',
  'detect',
  'faces',
] as Role[])('another %s redoes nothing: it works when a question is asked', async role => {
  expect(await redone(role, { backend: 'openai', model: 'other' })).toEqual([])
})

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
    const decode = plannedOf(await planStages(video, models, { ...settings, level }, false), 'decode')
    return decode && decode.skip === undefined ? { by: decode.by, key: decode.key } : undefined
  }
  const quick = await decodeOf('frame-difference', 'quick')
  expect(quick?.by).toBe('shots/keyframes')
  expect(await decodeOf('scdet', 'quick')).toEqual(quick)
  expect((await decodeOf('frame-difference', 'balanced'))?.by).toBe('shots/frame-difference')
})
