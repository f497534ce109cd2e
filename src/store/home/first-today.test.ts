import { mkdtemp, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFirstToday } from './first-today.ts'

test('a notice is due once a day, and each time in a home that is not there', async () => {
  const home = await mkdtemp(join(tmpdir(), 'longtake-notices-'))
  expect([await isFirstToday(home, 'a'), await isFirstToday(home, 'a'), await isFirstToday(home, 'b')]).toEqual([
    true,
    false,
    true,
  ])
  const yesterday = Date.now() / 1000 - 24 * 3600
  await utimes(join(home, 'notices', 'a'), yesterday, yesterday)
  expect([await isFirstToday(home, 'a'), await isFirstToday(home, 'a')]).toEqual([true, false])
  const absent = join(home, 'none')
  expect([await isFirstToday(absent, 'a'), await isFirstToday(absent, 'a')]).toEqual([true, true])
})
