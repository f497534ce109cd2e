import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { GpuMemory, setGpuMemory } from '../../models/onnx/card/card.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { modelFixture } from '../contracts/model-fixture.ts'
import { never } from '../servers/host.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-card-'))
// The processor stands for the card, with real sessions.
const free: number[] = []
const card = new GpuMemory(
  async () => {
    free.push(40_000)
    return 40_000
  },
  () => true,
  'cpu',
)
const before = setGpuMemory(card)
afterAll(() => {
  setGpuMemory(before)
  rmSync(folder, { recursive: true, force: true })
})

test('what looks and listens leaves the card at the end of its stage and before the first question', async () => {
  const video = join(folder, 'clip.mp4')
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=4:d=2', '-f', 'lavfi', '-i', 'sine=f=700:r=16000:d=2']
  execFileSync('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-shortest', video])
  const model = (role: string, backend: string, fixture: string) => [
    `models.${role}.backend=${backend}`,
    `models.${role}.folder=${modelFixture(fixture)}`,
  ]
  const set = [
    ...['profile=embedded', 'index.level=quick', 'index.tracks.text=false', 'index.tracks.speech=false'],
    ...model('embedImage', 'siglip', 'siglip'),
    ...model('hear', 'ast', 'ast'),
  ]
  const config = await resolveConfig({ cwd: folder, environment: {}, flags: { set } })
  const runtime = await createRuntime({ config, home: join(folder, 'home'), environment: {} })
  try {
    const most = new Set<string>()
    await runtime.videos.index(video, {
      watch: () => {
        for (const { name } of card.loaded) most.add(name)
      },
    })
    expect([...most].sort()).toEqual(['model.onnx', 'vision_model.onnx'])
    expect(card.loaded).toEqual([])
    const { service } = await runtime.models.open('embedImage')
    await service.text(['a red car'], never)
    expect(card.loaded.map(({ owner }) => owner)).toEqual(['embedImage/siglip'])
    const opened = await runtime.questions.openVideo(video)
    expect(card.loaded).toEqual([])
    await opened.close()
  } finally {
    await runtime.close()
  }
  expect(free.length).toBeGreaterThan(0)
})
