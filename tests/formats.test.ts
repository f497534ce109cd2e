import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import recordedChat from '../models/chat/recorded.ts'
import { textContent } from '../src/core/chat.ts'
import { Evidence } from '../src/core/evidence.ts'
import { openTextIndex } from '../src/search/text-index.ts'
import { vectorIndexes } from '../src/search/vectors/index.ts'
import { verifyCache } from '../src/store/library/cache.ts'
import { openLibrary } from '../src/store/library/library.ts'
import { listRuns, readRunRecord } from '../src/store/run/run-folder.ts'
import { findStage, readStage } from '../src/store/stage/stage.ts'
import { vectorKinds } from './support/vector-kinds.ts'

// A data folder as the first format wrote it, kept for ever: what people have on disk must stay readable.
// When a format changes, a new folder is added beside it, and this test reads both.
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'longtake-format-'))
  await cp(new URL('fixtures/format-1', import.meta.url), home, { recursive: true })
})

describe('fault 31: a data folder of format 1', () => {
  test('has its video, and a result that is whole to the last byte', async () => {
    const library = openLibrary(home)
    expect((await library.list()).map(video => video.name)).toEqual(['harbour.mp4'])
    expect(await verifyCache(library)).toMatchObject({ stages: 1, damaged: [], newer: [] })
  })

  test('gives its rows, its text index and its vectors', async () => {
    const found = await findStage(openLibrary(home).videoFolder('harbour1'), 'all', 'format1')
    const reader = readStage(found?.folder ?? '')
    const rows = await reader.lines('evidence.jsonl', Evidence)
    expect(rows.map(row => row.text)).toEqual(['Welcome to the harbour.', 'The red crane lifts a container.'])
    const words = await openTextIndex(reader.path('words.sqlite'))
    expect(words.search('lifted cranes', { limit: 5 })).toMatchObject([
      { id: rows[1]!.id, terms: ['lifted', 'cranes'] },
    ])
    words.close()
    for (const name of vectorKinds) {
      const index = await vectorIndexes[name].open(reader.path(`${name}.vectors`), 4)
      expect(index.search(Float32Array.of(0, 0.6, 0.8, 0), 1)[0]!.key).toBe(1)
    }
  })

  test('gives its run, and the run is replayed', async () => {
    const { id, folder } = (await listRuns(home))[0]!
    expect(await readRunRecord(home, id)).toMatchObject({
      state: 'finished',
      config: { profile: 'embedded' },
      trace: [{ type: 'note', text: 'looked' }],
      summary: { answer: 'Red.' },
    })
    const chat = await recordedChat.open({ folder: join(folder, 'calls') })
    const asked = {
      purpose: 'write' as const,
      messages: [{ role: 'user' as const, content: textContent('What colour is the crane?') }],
    }
    expect((await chat.reply(asked, new AbortController().signal)).text).toBe('Red.')
  })
})
