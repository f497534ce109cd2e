import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

export interface Effect {
  kind: 'write' | 'program' | 'network'
  what: string
}

type Functions = Record<string, unknown>

const writers =
  /^(?:write|append|truncate|ftruncate|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|link|symlink|chmod|chown|utimes|createWriteStream)/

// While `work` runs, whatever writes to the disk, starts a program or opens a connection is stopped and written down.
// It sees what goes through Node's own modules; it finds mistakes, and is not a wall against malice.
export async function watchEffects(work: () => Promise<void>): Promise<Effect[]> {
  const effects: Effect[] = []
  const restore: (() => void)[] = []
  const stop = (
    owner: Functions,
    name: string,
    kind: Effect['kind'],
    when: (given: unknown[]) => boolean = () => true,
  ) => {
    const original = owner[name]
    if (typeof original !== 'function') return
    owner[name] = function (this: unknown, ...given: unknown[]) {
      if (!when(given)) return Reflect.apply(original, this, given)
      effects.push({ kind, what: `${name} ${describeValue(given[0])}`.trim() })
      throw Object.assign(new Error(`EACCES: ${name} is not allowed to a tool under test`), { code: 'EACCES' })
    }
    restore.push(() => {
      owner[name] = original
    })
  }
  for (const owner of [fs, fs.promises] as unknown as Functions[]) {
    for (const name of Object.keys(owner)) if (writers.test(name)) stop(owner, name, 'write')
    for (const name of ['open', 'openSync']) stop(owner, name, 'write', ([, flags]) => opensForWriting(flags))
  }
  // Not imported: nothing of this file starts a program.
  const programs = process.getBuiltinModule('node:child_process') as unknown as Functions
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'])
    stop(programs, name, 'program')
  stop(net.Socket.prototype as unknown as Functions, 'connect', 'network')
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    for (const undo of restore) undo()
    syncBuiltinESMExports()
  }
  return effects
}

function opensForWriting(flags: unknown): boolean {
  if (typeof flags === 'string') return /[wa+]/.test(flags)
  return (
    typeof flags === 'number' && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0
  )
}

function describeValue(value: unknown): string {
  if (typeof value === 'string' || value instanceof URL) return String(value).slice(0, 120)
  const options = Array.isArray(value) ? value[0] : value
  const { host, port, path } = (options ?? {}) as Record<string, unknown>
  return [host, port ?? path].filter(Boolean).join(':')
}
