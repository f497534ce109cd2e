import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../apps/cluster/data/database.ts'
import { migrate } from '../../../apps/cluster/data/schema/index.ts'
import type { Database } from '../../../apps/cluster/data/sql.ts'
import { openPgBoss } from '../../../apps/cluster/engine/pg-boss.ts'
import { markStore } from '../../../apps/cluster/store/check-store.ts'
import { openStore } from '../../../apps/cluster/store/open-store.ts'
import { longtakeHere } from '../../end-to-end/longtake.ts'
import { freshDatabase } from '../../support/postgres.ts'

const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'longtake.mjs')

export interface Machine {
  process: ChildProcess
  said(): string
  ended: Promise<number | null>
  kill(): Promise<void> // -9, with the processes of its slots
}

export interface Machines {
  database: Database
  start(name: string, ...words: string[]): Machine // a command on a machine with a home of its own
  here(name: string, ...words: string[]): Pick<Machine, 'said' | 'ended'> // the same in this process: nobody can kill it
  until(what: string, isSo: () => Promise<boolean> | boolean, seconds?: number): Promise<void>
  close(): Promise<void>
}

// A cluster of processes with homes of their own: one database, one store, one root.
export async function machines(folder: string, root: string): Promise<Machines> {
  const address = await freshDatabase()
  const database = await openDatabase(address)
  await migrate(database)
  const engine = await openPgBoss(database, { installs: true })
  await engine.start()
  await engine.stop()
  await markStore(await openStore(join(folder, 'store'), {}))
  const environment = {
    LONGTAKE_CLUSTER: address,
    LONGTAKE_STORE: join(folder, 'store'),
    LONGTAKE_CLUSTER__HEARTBEAT: '10',
    LONGTAKE_CLUSTER__ROOTS: JSON.stringify({ data: root }),
  }
  const running = new Set<Machine>()
  const sayings = () => [...running].map(machine => machine.said()).join('\n--\n')
  return {
    database,
    start(name, ...words) {
      const child = spawn(process.execPath, [bin, ...words], {
        env: {
          ...process.env,
          ...environment,
          CI: 'true',
          LONGTAKE_HOME: join(folder, name),
          LONGTAKE_CONFIG: undefined,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', piece => {
          said += piece
        })
      const ended = once(child, 'close').then(([code]) => code as number | null)
      const machine: Machine = {
        process: child,
        said: () => said,
        ended,
        async kill() {
          child.kill('SIGKILL')
          await ended
          running.delete(machine)
        },
      }
      running.add(machine)
      return machine
    },
    here(name, ...words) {
      const running = longtakeHere(words, { home: join(folder, name), environment })
      let said = ''
      const ended = running.then(({ code, out, err }) => {
        said = out + err
        return code
      })
      return { ended, said: () => said }
    },
    async until(what, isSo, seconds = 60) {
      for (let waited = 0; !(await isSo()); waited += 0.1) {
        if (waited > seconds) throw new Error(`${what} did not come within ${seconds} s:\n${sayings()}`)
        await sleep(100)
      }
    },
    async close() {
      for (const machine of running) machine.process.kill('SIGTERM')
      await Promise.all([...running].map(machine => machine.ended))
      await database.close()
    },
  }
}
