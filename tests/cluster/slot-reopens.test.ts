import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../apps/cluster/data/database.ts'
import { migrate } from '../../apps/cluster/data/schema/index.ts'
import { openSlot } from '../../apps/cluster/worker/slot.ts'
import { Config } from '../../src/config/schema.ts'
import { freshDatabase } from '../support/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-slot-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a slot that began while the database was away works when it is back', async () => {
  const address = await freshDatabase()
  const database = await openDatabase(address)
  await migrate(database)
  await database.close()
  const [, socket = ''] = /host=(.*)/.exec(address) ?? []
  const link = join(folder, 'socket') // leads nowhere yet
  for (const name of ['home', 'store']) mkdirSync(join(folder, name))
  const settings = Config.parse({
    cluster: { database: address.replace(socket, link), store: join(folder, 'store') },
  })
  const slot = openSlot({
    ...{ home: join(folder, 'home'), settings, environment: process.env, maxMegabytes: 4000, say: () => {} },
  })
  const run = () => {
    const job = { kind: 'library', video: 'v0', config: 'c0' } as const
    return slot.run({ job, attempt: 'a0' }, () => {}, new AbortController().signal)
  }
  try {
    expect(await run()).toMatchObject({ kind: 'failed', as: 'storage' })
    symlinkSync(socket, link)
    expect(await run()).not.toMatchObject({ kind: 'failed', as: 'storage' })
  } finally {
    await slot.close()
  }
})
