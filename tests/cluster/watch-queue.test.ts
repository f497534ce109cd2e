import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { initCluster } from '../../apps/cluster/setup/init.ts'
import { Config } from '../../src/config/schema.ts'
import { h264, mediaFolder, picture } from '../media-fixtures.ts'
import { freshDatabase } from '../support/postgres.ts'

const media = mediaFolder()
const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')
let address: string

beforeAll(async () => {
  for (const name of ['inbox', 'other', 'store']) mkdirSync(media.path(name))
  media.ffmpeg('one.mp4', picture(2), h264)
  address = await freshDatabase()
  const { cluster } = Config.parse({ cluster: { database: address, store: media.path('store') } })
  await initCluster(cluster, process.env)
})
afterAll(() => media.remove())

function watchQueue(folder: string) {
  const env = {
    ...{ ...process.env, LONGTAKE_HOME: media.path('home'), LONGTAKE_CLUSTER: address, LONGTAKE_PROFILE: 'embedded' },
    ...{ LONGTAKE_STORE: media.path('store'), LONGTAKE_WATCH__EVERY: '0.2', LONGTAKE_WATCH__STILL: '0.4' },
    LONGTAKE_CLUSTER__ROOTS: JSON.stringify({ inbox: media.path('inbox') }),
  }
  const child = spawn(process.execPath, [bin, 'index', '--queue', '--watch', folder, '--json'], {
    ...{ env, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const lines: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line)))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', piece => {
    said += piece
  })
  return { child, lines, said: () => said }
}

test('what comes into a folder below a root is queued, once; what cannot be read is said', async () => {
  const { child, lines } = watchQueue(media.path('inbox'))
  copyFileSync(media.path('one.mp4'), media.path('inbox/talk.mp4'))
  writeFileSync(media.path('inbox/bad.mp4'), 'no video')
  const events = (name: string) => lines.filter(({ event }) => event === name)
  await vi.waitFor(() => expect([events('queued').length, events('failed').length]).toEqual([1, 1]), 40_000)
  child.kill('SIGINT')
  await once(child, 'close')
  const database = await openDatabase(address)
  try {
    const { rows } = await database.query('select request, video, state from longtake.want')
    const [queued] = events('queued')
    expect(rows).toEqual([{ request: queued?.request, video: queued?.id, state: 'planned' }])
  } finally {
    await database.close()
  }
})

test('a folder below no root is refused before anything waits', async () => {
  const { child, lines, said } = watchQueue(media.path('other'))
  const [code] = await once(child, 'close')
  expect(code).toBe(2)
  expect(said()).toContain('lies below none of the roots')
  expect(lines).toEqual([expect.objectContaining({ error: expect.objectContaining({ code: 'usage' }) })])
})
