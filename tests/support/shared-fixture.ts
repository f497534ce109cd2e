import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
// @ts-expect-error: plain JavaScript without types
import { compileIfStale, root } from '../../bin/compile.mjs'
import { contentHash } from '../../src/core/json.ts'

// Fixtures that several test files need are made once in a test run, by whoever comes first, and kept by the hash of what they are
// made of. Each file gets a copy. Vitest calls `setup` before the run.

const place = 'LONGTAKE_TEST_FIXTURES'

export async function setup(): Promise<() => void> {
  await compileIfStale() // what runs in the browser, and in threads and child processes, is read from dist
  process.env.LONGTAKE_BUILD ??= join(root, 'dist')
  const folder = mkdtempSync(join(tmpdir(), 'longtake-fixtures-'))
  process.env[place] = folder // inherited by every worker
  return () => rmSync(folder, { recursive: true, force: true })
}

// Copies to `target` the file or folder that `make` makes of `parts`. Outside a test run it is made there.
export async function copyFixture(
  target: string,
  parts: unknown,
  make: (path: string) => Promise<void>,
): Promise<void> {
  const folder = process.env[place]
  mkdirSync(dirname(target), { recursive: true })
  if (folder === undefined) return make(target)
  const kept = join(folder, contentHash(parts))
  while (!existsSync(kept)) {
    if (!takesTurn(`${kept}.turn`)) await sleep(50)
    else if (!existsSync(kept)) {
      rmSync(`${kept}.new`, { recursive: true, force: true })
      await make(`${kept}.new`).finally(() => rmSync(`${kept}.turn`))
      renameSync(`${kept}.new`, kept)
    }
  }
  cpSync(kept, target, { recursive: true, preserveTimestamps: true })
}

// A turn of a process that has ended, say because its test was stopped, is free again.
function takesTurn(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
    if (owner > 0 && !isRunning(owner)) rmSync(file, { force: true })
    return false
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
