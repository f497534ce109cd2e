import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryPath } from '../temporary.ts'
import { openJobStore } from './jobs.ts'

const home = mkdtempSync(join(tmpdir(), 'longtake-jobs-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('what a server that was killed has left half-written goes when the next one starts; another process keeps its own', async () => {
  const folder = join(home, 'jobs', 'j0000000000000000')
  mkdirSync(folder, { recursive: true })
  const { pid } = spawnSync('true')
  const own = temporaryPath(folder)
  const left = own.replace(`-${process.pid}-`, `-${pid}-`)
  for (const path of [own, left]) writeFileSync(path, '{')
  const beside = await openJobStore(home, { alone: false })
  await beside.close()
  expect(existsSync(left)).toBe(true) // one of several does not sweep
  const store = await openJobStore(home, { alone: true })
  await store.close()
  expect([existsSync(own), existsSync(left)]).toEqual([true, false])
})
