import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

// A real PostgreSQL on a socket in a temporary folder: no root, no port, nothing kept.
export interface Postgres {
  address(database?: string): string
  kill(): void // -9, with all of its processes
  start(): void // again, after `kill` or `stop`
  stop(): void
  remove(): void
}

// A database of its own for a test, on the one server of the test run. Whoever comes first starts that server.
export async function freshDatabase(): Promise<string> {
  const server = await sharedServer()
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server() })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return server(name)
}

// A server of one's own, for who kills it or fills its disk. `settings` are lines of postgresql.conf.
export function ownPostgres(folder: string, settings: readonly string[] = []): Postgres {
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  if (isRoot) chmodSync(folder, 0o777) // PostgreSQL refuses root, so its user must reach the folder
  if (!existsSync(data)) {
    asUser(['initdb', '-D', data, '-U', 'longtake', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'])
    const lines = [
      "listen_addresses = ''",
      `unix_socket_directories = '${folder}'`,
      'max_connections = 60',
      ...settings,
    ]
    writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  }
  const postgres: Postgres = {
    address: (database = 'postgres') => `postgres://longtake@/${database}?host=${folder}`,
    start: () => asUser(['pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), 'start']),
    stop: () => asUser(['pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop']),
    kill: () => killAll(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])),
    remove: () => {
      if (existsSync(join(data, 'postmaster.pid'))) postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  postgres.start()
  return postgres
}

// The processes of a server are each a session of their own, and its memory is free only when all are gone.
function killAll(postmaster: number): void {
  const children = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' })
  const all = [postmaster, ...children.stdout.split('\n').filter(Boolean).map(Number)]
  for (const id of all) signal(id, 'SIGKILL')
  while (all.some(id => signal(id, 0))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
}

function signal(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}

type Address = (database?: string) => string

// The test run is the process that started this one. A watcher stops the server when that process is gone, however it went.
async function sharedServer(): Promise<Address> {
  const run = process.ppid
  const folder = join(tmpdir(), `longtake-pg-${run}`)
  const [ready, failed] = [join(folder, 'ready'), join(folder, 'failed')]
  const address: Address = (database = 'postgres') => `postgres://longtake@/${database}?host=${folder}`
  if (becomesFirst(folder)) {
    try {
      stopAfter(run, folder)
      ownPostgres(folder, ['fsync = off', 'max_connections = 200'])
      writeFileSync(ready, '')
    } catch (error) {
      writeFileSync(failed, error instanceof Error ? error.message : String(error))
    }
  }
  for (let waited = 0; !existsSync(ready); waited += 50) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
    if (waited > 60_000) throw new Error(`PostgreSQL did not start in ${folder} within 60 s.`)
    await sleep(50)
  }
  return address
}

function becomesFirst(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 })
    return true
  } catch {
    return false
  }
}

function stopAfter(run: number, folder: string): void {
  const stop = `kill -QUIT $(head -n 1 '${folder}/data/postmaster.pid') 2>/dev/null; sleep 0.3; rm -rf '${folder}'`
  const script = `while kill -0 ${run} 2>/dev/null; do sleep 0.5; done; ${stop}`
  spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: '/' }).unref()
}

const isRoot = process.getuid?.() === 0

function asUserWords(): string[] {
  return isRoot ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : []
}

function asUser([name, ...words]: [string, ...string[]]): void {
  const [command, ...rest] = [...asUserWords(), program(name), ...words] as [string, ...string[]]
  const ended = spawnSync(command, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
  if (ended.status !== 0) throw new Error(`${name} ended with ${ended.status ?? ended.error}: ${ended.stderr}`)
}

// Debian keeps these beside the PATH; the newest version counts.
export function program(name: string): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map(version => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  const found = folders.map(folder => join(folder, name)).find(path => existsSync(path))
  if (found) return found
  throw new Error('These tests need PostgreSQL, which was not found. Run: bash scripts/setup.sh --tests')
}
