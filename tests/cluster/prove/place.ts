import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAllWith } from '../../kills/processes.ts'
import { ownPostgres, type Postgres } from '../../support/postgres.ts'

export interface ProofSite {
  folder: string
  path(...names: string[]): string
  config: string // a settings file
  postgres(): Postgres // starts it where it does not run yet
  remove(keep: boolean): Promise<void> // ends every process of the proof, whatever it is at
}

// A temporary folder with all that the proof makes and starts.
export function makePlace(): ProofSite {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-prove-'))
  chmodSync(folder, 0o755) // PostgreSQL has a user of its own where this runs as root
  const path = (...names: string[]) => join(folder, ...names)
  for (const name of ['videos', 'tmp', 'workers']) mkdirSync(path(name))
  const config = path('longtake.config.json')
  writeFileSync(
    config,
    JSON.stringify({ profile: 'embedded', cluster: { roots: { proof: path('videos') }, heartbeat: 10 } }),
  )
  let server: Postgres | undefined
  return {
    folder,
    path,
    config,
    postgres() {
      server ??= ownPostgres(path('postgres'))
      return server
    },
    async remove(keep) {
      await killAllWith(path('tmp'))
      if (server && keep) server.stop()
      else server?.remove()
      if (!keep) rmSync(folder, { recursive: true, force: true })
    },
  }
}
