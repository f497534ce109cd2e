import { appendFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, searchLibrary } from '../../src/index.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'

// Speech comes from subtitles, so that making the indexes takes a second.
const settings = { index: { tracks: { text: false, sound: false } } }
const spoken: Record<string, string[]> = {
  harbour: [
    'The harbour opens at six.',
    'Ships leave the harbour at noon.',
    'The harbour is deep.',
    'No swimming in the harbour.',
  ],
  coast: ['The keeper climbs the stairs.', 'From the lighthouse you see the harbour.', 'Then the sun sets.'],
  kitchen: ['Chop the onions first.', 'Now the soup must rest.', 'Add the butter to the soup.'],
}

let media: MediaFolder
let home: string
const options = () => ({ home, settings, profile: 'embedded' as const, environment: process.env })
const colours = { harbour: 'red', coast: 'green', kitchen: 'blue' }

beforeAll(async () => {
  media = mediaFolder()
  home = media.path('home')
  for (const [name, colour] of Object.entries(colours)) {
    media.ffmpeg(`${name}.mp4`, ['-f', 'lavfi', '-i', `color=${colour}:s=128x72:r=5:d=8`], h264)
    const cues = spoken[name]!.map(
      (line, at) => `${at + 1}\n00:00:0${2 * at},000 --> 00:00:0${2 * at + 1},500\n${line}\n`,
    )
    await writeFile(media.path(`${name}.srt`), cues.join('\n'))
    await (await open(media.path(`${name}.mp4`), options())).close()
  }
})
afterAll(() => media.remove())

const names = ({ hits }: Awaited<ReturnType<typeof searchLibrary>>) => hits.map(({ video }) => video.name)

test('a word of one video is found there first, with the video it is from', async () => {
  const found = await searchLibrary({ query: 'soup', tracks: ['speech'] }, options())
  expect(found.hits.slice(0, 2).map(({ evidence }) => evidence.text)).toEqual(
    expect.arrayContaining([expect.stringContaining('soup must rest'), expect.stringContaining('butter')]),
  )
  expect(found.hits[0]!.video.path).toBe(media.path('kitchen.mp4'))
  expect(found.searched.map(({ video }) => video.name)).toEqual(['coast.mp4', 'harbour.mp4', 'kitchen.mp4'])
  expect(found.notSearched).toEqual([])
})

test('the row that holds all words stands before the best rows of a video that holds only the common one', async () => {
  const found = await searchLibrary({ query: 'lighthouse harbour', tracks: ['speech'], k: 4 }, options())
  expect(found.hits[0]!.evidence.text).toContain('lighthouse')
  expect(names(found).slice(0, 4)).toEqual(['coast.mp4', 'harbour.mp4', 'harbour.mp4', 'harbour.mp4'])
})

test('a word that one video repeats does not outweigh one that is rare in the library', async () => {
  // In the video of the harbour "harbour" tells nothing, in that of the coast it does; across both it is the common word.
  const found = await searchLibrary({ query: 'harbour keeper', tracks: ['speech'], k: 2 }, options())
  expect(found.hits[0]!.evidence.text).toContain('keeper')
})

test('pictures of all videos are held against one another', async () => {
  const found = await searchLibrary({ query: 'blue', tracks: ['picture'], k: 1 }, options())
  expect(names(found)).toEqual(['kitchen.mp4'])
})

test('what one video only can say is refused', async () => {
  await expect(searchLibrary({ query: 'soup', nth: 2 }, options())).rejects.toThrow('in one video only')
  await expect(searchLibrary({ query: '', frame: 2 }, options())).rejects.toThrow('in one video only')
})

test('videos that cannot be searched are named, each with its reason, and nothing is moved or made', async () => {
  const known = (await searchLibrary('soup', options())).searched
  const [coast, harbour] = known.map(({ video }) => video.id)
  const words = join(home, 'library', coast!, 'stages', 'words')
  const [key] = await readdir(words)
  await appendFile(join(words, key!, 'words.sqlite'), 'x')
  await rm(join(home, 'library', harbour!, 'stages', 'overview'), { recursive: true })
  await writeFile(join(home, 'library', known[2]!.video.id, 'video.json'), '{')
  const found = await searchLibrary('soup', options())
  expect(found.searched).toEqual([])
  expect(found.hits).toEqual([])
  expect(found.notSearched).toEqual([
    { id: known[2]!.video.id, why: expect.stringContaining('damaged'), mend: expect.any(String) },
    expect.objectContaining({ id: coast, why: expect.stringContaining('is damaged (full-text: words.sqlite has') }),
    expect.objectContaining({ id: harbour, why: expect.stringContaining('no index made with these settings') }),
  ])
  expect(await readdir(words)).toEqual([key])
})
