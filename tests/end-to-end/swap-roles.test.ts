import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolve.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { modelFixture } from '../contracts/model-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-swap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const video = join(folder, 'clip.mp4')
const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=4:d=2', '-f', 'lavfi', '-i', 'sine=f=700:r=16000:d=2']
execFileSync('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-shortest', video])

const model = (role: string, backend: string, fixture: string) => [
  `models.${role}.backend=${backend}`,
  `models.${role}.folder=${modelFixture(fixture)}`,
]
const base = [
  'profile=embedded',
  'index.level=quick',
  ...model('embedImage', 'siglip', 'siglip'),
  ...model('embedText', 'onnx', 'sentence'),
  ...model('hear', 'ast', 'ast'),
  ...model('transcribe', 'whisper', 'whisper'),
]

async function indexed(flags: string[]): Promise<{ made: string[]; folder: string }> {
  const config = await resolveConfig({ cwd: folder, environment: {}, flags: { set: [...base, ...flags] } })
  const runtime = await createRuntime({ config, home: join(folder, 'home'), environment: {} })
  try {
    const { stages, video: found } = await runtime.videos.index(video)
    const made = stages.filter(stage => stage.state === 'done').map(stage => stage.stage)
    const vectors = stages.find(stage => stage.stage === 'vectors')
    return { made: made.sort(), folder: join(folder, 'home/library', found.id, 'stages/vectors', vectors?.key ?? '') }
  } finally {
    await runtime.close()
  }
}

const swaps: [what: string, flags: string[], redone: string[]][] = [
  [
    'the device, the batch and who plans',
    ['models.embedImage.device=cpu', 'models.embedImage.batch=2', 'models.planner.backend=scripted'],
    [],
  ],
  [
    'the picture encoder',
    model('embedImage', 'clip', 'clip'),
    ['full-text', 'overview', 'text-vectors', 'vector-index', 'vectors'],
  ],
  [
    'the precision',
    ['models.embedImage.precision=fp16'],
    ['full-text', 'overview', 'text-vectors', 'vector-index', 'vectors'],
  ],
  ['the line encoder', ['models.embedText.pooling=cls'], ['text-vectors']],
  ['the listener', model('hear', 'clap', 'clap'), ['full-text', 'overview', 'sounds', 'text-vectors']],
  ['the transcriber', ['models.transcribe.backend=off'], ['full-text', 'overview', 'text-vectors']],
  [
    'the finder of voices',
    ['models.voice.backend=energy'],
    ['full-text', 'overview', 'speech', 'text-vectors', 'voices'],
  ],
]

test('swapping one role by a flag redoes what depends on it and nothing else; where a model ran is kept', async () => {
  const first = await indexed([])
  expect(first.made).toEqual(expect.arrayContaining(['decode', 'vectors', 'speech', 'sounds', 'text-vectors']))
  const meta = JSON.parse(readFileSync(join(first.folder, 'meta.json'), 'utf8'))
  expect(meta.ran).toEqual([
    {
      model: 'vision_model.onnx',
      device: 'auto',
      threads: expect.any(Number),
      precision: 'fp32',
      provider: expect.stringMatching(/cpu|cuda/),
    },
  ])
  for (const [what, flags, redone] of swaps) expect((await indexed(flags)).made, what).toEqual(redone)
})
