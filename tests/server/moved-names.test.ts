import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openNamed } from '../../apps/serve/work/videos/name-video.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-named-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a link that came in the place of a named file after it was found is not followed', async () => {
  const place = (...names: string[]) => join(folder, ...names)
  mkdirSync(place('videos'))
  mkdirSync(place('private'))
  const secret = place('private', 'secret.mp4')
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc=s=64x36:r=5:d=1', secret])
  symlinkSync(secret, place('videos', 'a.mp4'))
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false })
  const runtime = await createRuntime({ config, home: place('home'), environment: {} })
  const { signal } = new AbortController()
  try {
    const opened = openNamed({ runtime } as Parameters<typeof openNamed>[0], { path: place('videos', 'a.mp4') }, signal)
    await expect(opened).rejects.toThrow('no such file in the folders')
    expect(await runtime.library.list()).toEqual([])
  } finally {
    await runtime.close()
  }
})
