import { execFileSync } from 'node:child_process'
import {
  appendFile,
  copyFile,
  cp,
  link,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderVideo } from '../../src/media/render/render-video.ts'
import type { Scene } from '../../src/media/render/scene.ts'
import { longtake, longtakeHere } from './longtake.ts'

let folder: string
let twelve: string
let ninety: string // same size and same sampled blocks, other content
let indexed: string // a library that holds the first
let count = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-replaced-'))
  twelve = await room('12')
  ninety = await room('99')
  await copySampledBlocks(twelve, ninety)
  indexed = join(folder, 'indexed')
  const video = join(folder, 'place.avi')
  await copyFile(twelve, video)
  expect((await longtakeHere(['index', video], { home: indexed })).code).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function room(number: string): Promise<string> {
  const scene: Scene = {
    frames: 50,
    opens: { kind: 'cut' },
    background: { kind: 'plain', colour: '#123a66' },
    texts: [{ text: `ROOM NUMBER ${number}`, size: 0.14, at: { x: 0.05, y: 0.4 }, colour: '#ffffff' }],
    things: [],
  }
  const small = join(folder, `${number}.mp4`)
  const script = { title: number, width: 640, height: 360, fps: 25, scenes: [scene], cues: [] }
  await renderVideo(script, small, { signal: new AbortController().signal })
  const raw = join(folder, `${number}.avi`)
  execFileSync('ffmpeg', ['-v', 'error', '-i', small, '-an', '-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', raw])
  return raw
}

// What src/media/file/content-id.ts reads.
async function copySampledBlocks(from: string, to: string): Promise<void> {
  const block = 64 * 1024
  const source = await open(from, 'r')
  const target = await open(to, 'r+')
  const { size } = await source.stat()
  expect((await target.stat()).size).toBe(size)
  for (let i = 0; i < 32; i++) {
    const at = Math.floor(((size - block) * i) / 31)
    const { buffer } = await source.read(Buffer.alloc(block), 0, block, at)
    await target.write(buffer, 0, block, at)
  }
  await source.close()
  await target.close()
}

// The first video, indexed, in a place and a library of its own.
async function place(): Promise<{ home: string; video: string }> {
  const at = join(folder, `place-${++count}`)
  const home = join(at, 'home')
  const video = join(at, 'place.avi')
  await cp(indexed, home, { recursive: true, preserveTimestamps: true })
  await copyFile(twelve, video)
  const { code, err } = await longtakeHere(['show', video, '--json'], { home })
  expect(code, err).toBe(0)
  return { home, video }
}

async function text(home: string, given: string, ...options: string[]) {
  const ran = await longtakeHere(['show', given, '--track', 'text', '--json', ...options], { home })
  const rows = ran.code === 0 ? JSON.parse(ran.out).evidence : []
  return { ...ran, text: rows.map((row: { text: string }) => row.text).join(' ') }
}

async function overwrite(video: string): Promise<void> {
  const file = await open(video, 'r+')
  await file.write(await readFile(ninety), 0)
  await file.close()
}

describe('fault 32: a video that was replaced', () => {
  test.each([
    ['ask', ['What is the room number?']],
    ['search', ['ROOM NUMBER']],
    ['show', []],
    ['export', ['--format', 'csv']],
    ['index', []],
    ['chat', []],
  ])('%s notices a file that was overwritten, though its samples are the same', async (command, words) => {
    const { home, video } = await place()
    await overwrite(video)
    const input = command === 'chat' ? 'What is the room number?\n' : undefined
    const { code, out, err } = await longtakeHere([command, video, ...words], { home, input })
    expect(code, err).toBe(0)
    expect(err).toMatch(/The content is not that of v[0-9a-f]{20}, which was indexed before: the file gets an index/)
    expect(out).not.toMatch(/\b12\b/)
    expect((await text(home, video)).text).toMatch(/ROOM NUMBER 99/)
    expect(await readdir(join(home, 'library'))).toHaveLength(2)
  })

  test('a modification time that was put back does not hide it; with --trust-mtime it does, as that says', async () => {
    const { home, video } = await place()
    const { atime, mtime } = await stat(video)
    // An hour ago: a time of whole seconds counts only when it is two seconds old.
    await utimes(video, atime, new Date(Math.floor(mtime.getTime() / 1000) * 1000 - 3_600_000))
    expect((await text(home, video)).text).toMatch(/12/)
    const before = await stat(video)
    await overwrite(video)
    await utimes(video, before.atime, before.mtime)
    expect((await text(home, video, '--trust-mtime')).text).toMatch(/12/)
    expect((await text(home, video)).text).toMatch(/99/)
  })

  test('the old content is still there under its id, until its file is asked for', async () => {
    const { home, video } = await place()
    const [id] = await readdir(join(home, 'library'))
    expect((await text(home, id!)).text).toMatch(/12/)
    await overwrite(video)
    const { code, err } = await text(home, id!)
    expect(code).toBe(3)
    expect(err).toContain('has changed since it was indexed')
    expect((await longtakeHere(['search', 'ROOM', '--all'], { home })).err).toBeDefined()
    const all = await longtakeHere(['search', 'ROOM', '--all'], { home })
    expect(all.code).toBe(6)
    expect(all.out + all.err).toContain('its file has changed since it was indexed')
    await rm(video)
    expect((await text(home, id!)).text).toMatch(/12/)
  })

  test('moved, copied, touched and linked files keep their index', async () => {
    const { home, video } = await place()
    const at = join(video, '..')
    await rename(video, join(at, 'moved.avi'))
    await copyFile(join(at, 'moved.avi'), join(at, 'copied.avi'))
    await link(join(at, 'moved.avi'), join(at, 'linked.avi'))
    await symlink('moved.avi', join(at, 'pointing.avi'))
    for (const name of ['moved.avi', 'copied.avi', 'linked.avi', 'pointing.avi', 'copied.avi']) {
      const { out, err, code } = await longtakeHere(['index', join(at, name)], { home })
      expect(code, err).toBe(0)
      expect(out, name).toContain('was indexed already')
    }
    await utimes(join(at, 'copied.avi'), 5, 5)
    expect((await longtakeHere(['index', join(at, 'copied.avi')], { home })).out).toContain('was indexed already')
    expect(await readdir(join(home, 'library'))).toHaveLength(1)
  })

  test('a file that grows while it is indexed is refused, and nothing of it is kept as a result of what it became', async () => {
    const home = join(folder, `grows-${++count}`)
    const video = join(folder, `grows-${count}.avi`)
    await copyFile(twelve, video)
    const running = longtakeHere(['index', video], { home })
    for (;;) {
      const names = await readdir(home, { recursive: true }).catch(() => [])
      if (names.some(name => /library\/v[^/]*\/video\.json$/.test(name))) break
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await overwrite(video)
    const { code, err } = await running
    expect(code).toBe(3)
    expect(err).toContain('changed while it was indexed')
    expect((await text(home, video)).text).toMatch(/99/)
  })

  test('a library of an earlier release opens; its index is used only for a file that is older than it', async () => {
    const { home, video } = await place()
    const [id] = await readdir(join(home, 'library'))
    await rm(join(home, 'library', id!, 'content.json'))
    await utimes(video, 5, 5)
    const first = await longtakeHere(['index', video], { home })
    expect(first.out).toContain('was indexed already')
    expect(first.err).toContain('made by an earlier longtake')
    expect((await longtakeHere(['index', video], { home })).err).not.toContain('earlier')

    await rm(join(home, 'library', id!, 'content.json'))
    await overwrite(video) // newer than the index
    const { text: found, err } = await text(home, video)
    expect(found).toMatch(/99/)
    expect(err).toContain(`It cannot be shown that ${id} was made from this content`)
  })

  test('cache verify names files that have changed', async () => {
    const { home, video } = await place()
    expect((await longtakeHere(['cache', 'verify'], { home })).out).not.toContain('has changed')
    await overwrite(video)
    expect((await longtakeHere(['cache', 'verify'], { home })).out).toContain('place.avi has changed')
  })

  test('an index that was killed goes on, if its file was not touched', async () => {
    const home = join(folder, `killed-${++count}`)
    const video = join(folder, `killed-${count}.avi`)
    await copyFile(twelve, video)
    await longtake(['index', video], { home, killAfter: 900 })
    await longtakeHere(['index', video], { home })
    expect(await readdir(join(home, 'library'))).toHaveLength(1)
    await appendFile(video, 'x')
    expect((await stat(video)).size).toBe((await stat(twelve)).size + 1)
  })
})
