import { describe, expect, test } from 'vitest'
import { startRecordedServer } from '../recorded-server.ts'
import { observe } from './behaviours.ts'
import { readRecordings } from './recordings.ts'

// What real servers sent, played again to our backends, which must make the same of it as then.
for (const { folder, server, seen } of await readRecordings())
  describe(`${server.name} ${server.version} (${folder})`, () => {
    for (const { id, behaviour, exchanges, ok, saw } of seen)
      test(`${id}: ${behaviour.name}`, async () => {
        const player = await startRecordedServer(exchanges)
        try {
          expect(await observe(behaviour, { ...server, url: player.url })).toEqual({ ok, saw })
        } finally {
          await player.close()
        }
      })
  })
