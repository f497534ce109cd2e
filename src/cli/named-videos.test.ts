import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine, inMemoryRuntime, video } from '../../tests/support/command-line.ts'
import { openLibrary } from '../store/library/library.ts'

const known = inMemoryRuntime()

function open() {
  const shown: string[] = []
  const indexed: string[] = []
  const line = commandLine({
    show: async path => {
      shown.push(path)
      return known.videos.show(path)
    },
    index: async path => {
      indexed.push(path)
      return known.videos.index(path)
    },
  })
  return { line, shown, indexed, library: openLibrary(join(line.cwd, 'home')) }
}

test('the name of a video of the library goes wherever a path goes', async () => {
  const { line, shown, library } = open()
  await library.save(video)
  const { code, stderr } = await line.run('show', 'talk.mp4')
  expect([code, shown]).toEqual([0, [video.id]])
  expect(stderr).toContain('talk.mp4 is in your library: /videos/talk.mp4')
  await line.run('export', 'talk', '--format', 'csv')
  expect(shown).toEqual([video.id, video.id])
})

test('a file here goes before a name, and a name of several videos is refused with their ids', async () => {
  const { line, shown, library } = open()
  const other = { ...video, id: 'v0123456789abcdef0124', path: '/other/talk.mp4' }
  await library.save(video)
  await library.save(other)
  const { code, stderr } = await line.run('show', 'talk.mp4')
  expect([code, shown]).toEqual([2, []])
  expect(stderr).toContain('2 videos of the library have the name talk.mp4.')
  for (const { id, path } of [video, other]) expect(stderr).toContain(`${id} (${path})`)
  await line.run('show', 'unknown.mp4')
  expect(shown).toEqual(['unknown.mp4']) // the runtime says that there is no such file
})

test('a folder stands for the media files in it and below', async () => {
  const { line, indexed } = open()
  mkdirSync(join(line.cwd, 'talks', 'more'), { recursive: true })
  for (const name of ['b.mp4', 'a.mkv', 'notes.txt', '.hidden.mp4', 'more/c.wav'])
    writeFileSync(join(line.cwd, 'talks', name), 'x')
  const { stderr } = await line.run('index', 'talks')
  expect(indexed.map(path => path.replace(line.cwd, ''))).toEqual(['/talks/a.mkv', '/talks/b.mp4', '/talks/more/c.wav'])
  expect(stderr).toContain('talks: 3 files, 3 B')
  mkdirSync(join(line.cwd, 'none'))
  const { code, stderr: refusal } = await line.run('index', 'none')
  expect(code).toBe(2)
  expect(refusal).toContain('There is no video or audio file in')
})
