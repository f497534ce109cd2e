import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readServeToken } from './serve-token.ts'

const home = mkdtempSync(join(tmpdir(), 'longtake-token-'))
const file = join(home, 'serve', 'token')
let made = 0
const make = () => `${++made}`.padEnd(43, 'x')

afterAll(() => rmSync(home, { recursive: true, force: true }))

test('the token is the same after a restart, private, and another one on request', async () => {
  const first = await readServeToken(home, make)
  expect(await readServeToken(home, make)).toBe(first)
  expect(readFileSync(file, 'utf8').trim()).toBe(first)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = await readServeToken(home, make, { renew: true })
  expect(second).not.toBe(first)
  expect(await readServeToken(home, make)).toBe(second)
})

test('a token that others could read, or that is none, is replaced', async () => {
  const open = await readServeToken(home, make)
  chmodSync(file, 0o644)
  const closed = await readServeToken(home, make)
  expect(closed).not.toBe(open)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'short\n')
  expect(await readServeToken(home, make)).toHaveLength(43)
})

test.skipIf(process.getuid?.() !== 0)('a token that another user has put there is replaced (needs root)', async () => {
  const own = await readServeToken(home, make)
  chownSync(file, 1234, 1234)
  const renewed = await readServeToken(home, make)
  expect(renewed).not.toBe(own)
  expect(statSync(file).uid).toBe(0)
})
