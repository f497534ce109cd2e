import { openDatabase } from '../../../apps/cluster/data/database.ts'
import { openPgBoss } from '../../../apps/cluster/engine/pg-boss.ts'
import { openFolderStore } from '../../../apps/cluster/store/folder-store.ts'
import { superviseWorker } from '../../../apps/cluster/worker/supervisor.ts'
import { Config } from '../../../src/config/schema.ts'
import { buildHost } from '../../../src/runtime/models/host.ts'
import { fakeSlot } from './fake-stages.ts'

// A worker as "longtake cluster worker" is one, with stages that do nothing: fake-worker ADDRESS STORE HOME
const [address = '', folder = '', home = ''] = process.argv.slice(2)
const drain = new AbortController()
process.on('SIGTERM', () => drain.abort())

const heartbeat = 10
const database = await openDatabase(address, { patience: 30 })
const engine = await openPgBoss(database, { heartbeat, monitor: 5, watches: true })
await engine.start()
const store = openFolderStore(folder)
await superviseWorker({
  ...{
    cluster: { database, engine, heartbeat },
    own: Config.parse({}),
    host: buildHost({ home, environment: process.env }),
    version: '1',
  },
  ...{
    slots: { cpu: 2, gpu: 0, net: 0 },
    ending: { untilIdle: false, drain: drain.signal },
    openSlot: () => fakeSlot(store),
  },
  output: { say: line => console.error(line) },
})
await engine.stop()
await database.close()
