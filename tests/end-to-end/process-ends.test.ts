import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { modelFixture } from '../contracts/model-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-ends-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const model = (role: string, backend: string, fixture: string) => [
  `models.${role}.backend=${backend}`,
  `models.${role}.folder=${modelFixture(fixture)}`,
]
const set = [
  'profile=embedded',
  'index.level=quick',
  'models.readText.backend=off',
  ...model('embedImage', 'siglip', 'siglip'),
  ...model('embedText', 'onnx', 'sentence'),
  ...model('hear', 'ast', 'ast'),
  ...model('transcribe', 'whisper', 'whisper'),
]

// What closes nothing: the threads of its models wait for work for three minutes.
const program = `
  const { createRuntime } = await import(${JSON.stringify(new URL('../../src/runtime/runtime.ts', import.meta.url).href)})
  const { resolveConfig } = await import(${JSON.stringify(new URL('../../src/config/resolve.ts', import.meta.url).href)})
  const [cwd, video, ...set] = process.argv.slice(1)
  const config = await resolveConfig({ cwd, environment: {}, flags: { set } })
  const runtime = await createRuntime({ config, home: cwd + '/home', environment: {} })
  const { stages } = await runtime.videos.index(video)
  console.log(stages.map(stage => stage.stage + ' ' + stage.state).join('\\n'))
  console.log('indexed')`

test('a process that has indexed ends by itself, even where it forgets to close the models', async () => {
  const video = join(folder, 'clip.mp4')
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=4:d=2', '-f', 'lavfi', '-i', 'sine=f=700:r=16000:d=2']
  execFileSync('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-shortest', video])
  const flags = ['--import', 'tsx', '--input-type=module', '--eval', program, '--', folder, video, ...set]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let said = ''
  let indexed = 0
  child.stdout.on('data', chunk => {
    said += chunk
    if (indexed === 0 && said.includes('indexed')) indexed = performance.now()
  })
  const [code] = await ended
  expect(said).toContain('text-vectors done')
  expect(said).toContain('vectors done')
  expect(code).toBe(0)
  expect(performance.now() - indexed).toBeLessThan(20_000)
})
