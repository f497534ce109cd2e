import { afterAll, beforeAll, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { colouredShots, manyColours, settingWords, startCaptionServer } from '../support/caption-server.ts'
import { longtake } from './longtake.ts'

const answered = 4 // before the server says no more

let media: MediaFolder
let server: Awaited<ReturnType<typeof startCaptionServer>>
beforeAll(async () => {
  media = mediaFolder()
  colouredShots(media, 'clip.mp4', manyColours)
  server = await startCaptionServer()
})
afterAll(async () => {
  await server?.close()
  media?.remove()
})

test('after a kill -9 in the middle of captioning no clip is asked for twice that was answered', async () => {
  const { asked } = server
  const settings = {
    profile: 'embedded',
    models: { vision: { ...server.vision, limits: { concurrency: 2 } } },
    index: { tracks: { text: false, sound: false, speech: false }, captions: { mode: 'shots' } },
  }
  const args = settingWords(settings)
  const home = media.path('home')
  const dying = new AbortController()
  server.fallSilentAfter(answered)
  const killed = longtake(['index', media.path('clip.mp4'), ...args], { home, killOn: dying.signal })
  // Both places of the server wait: whatever was answered before has been written down.
  await expect.poll(() => asked.length).toBe(answered + 2)
  dying.abort()
  expect((await killed).code).toBeNull()

  const before = server.speakAgain()
  const again = await longtake(['index', media.path('clip.mp4'), ...args], { home })
  expect(again.err).not.toMatch(/error/)
  expect(again.code).toBe(0)
  expect(new Set(before.slice(0, answered)).size).toBe(answered)
  for (const clip of before.slice(0, answered)) expect(asked).not.toContain(clip)
  expect(new Set([...before, ...asked]).size).toBe(manyColours.length)
  expect(asked).toHaveLength(manyColours.length - answered)

  const video = await open(media.path('clip.mp4'), { home, settings, profile: 'embedded' })
  try {
    expect(video.evidence({ tracks: ['caption'] })).toHaveLength(manyColours.length)
    expect(asked).toHaveLength(manyColours.length - answered) // nothing is asked to open it
  } finally {
    await video.close()
  }
})
