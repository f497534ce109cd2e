import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { never, testHost } from '../../tests/servers/host.ts'
import { lazyTokenizer } from '../tokens/tokenizer.ts'
import { closeWhenIdle } from './close-when-idle.ts'

// A thing that counts how often it was opened and closed.
function counted(idleSeconds: number) {
  const count = { opened: 0, closed: 0 }
  let whole = true
  const open = async () => {
    count.opened++
    whole = true
    return { ended: () => !whole, close: async () => void count.closed++ }
  }
  const breaks = () => {
    whole = false
  }
  return { count, breaks, shared: closeWhenIdle(open, idleSeconds) }
}

test('all who use it share one, also those who come before it is open', async () => {
  const { count, shared } = counted(60)
  await Promise.all([1, 2, 3].map(() => shared.use(async () => wait(5))))
  await shared.use(async () => {})
  expect(count).toEqual({ opened: 1, closed: 0 })
  await shared.close()
  expect(count).toEqual({ opened: 1, closed: 1 })
})

test('idle it is closed by itself, in use it is not, and the next use opens it again', async () => {
  const { count, shared } = counted(0.03)
  await shared.use(async () => wait(100))
  expect(count).toEqual({ opened: 1, closed: 0 })
  await wait(150)
  expect(count).toEqual({ opened: 1, closed: 1 })
  await shared.use(async () => {})
  expect(count.opened).toBe(2)
  await shared.close()
})

test('one that has broken is opened anew', async () => {
  const { count, breaks, shared } = counted(60)
  await shared.use(async () => {})
  breaks()
  await Promise.all([shared.use(async () => {}), shared.use(async () => {})])
  expect(count).toMatchObject({ opened: 2 })
  await shared.close()
})

test('one that cannot be opened is tried again by the next use', async () => {
  let tries = 0
  const shared = closeWhenIdle(async () => {
    if (++tries === 1) throw new Error('not yet')
    return {}
  })
  await expect(shared.use(async () => 'no')).rejects.toThrow('not yet')
  expect(await shared.use(async () => 'yes')).toBe('yes')
  await shared.close()
})

test('a tokenizer that nobody asks is closed as well: the next text is read from its files anew', async () => {
  const path = mkdtempSync(join(tmpdir(), 'longtake-tokenizer-'))
  cpSync(modelFixture('sentence'), path, { recursive: true })
  const tokenizer = lazyTokenizer({ path }, testHost(), 0.02)
  const first = await tokenizer.encode(['a red car'], { maxTokens: 16 }, never)
  await wait(300)
  expect(await tokenizer.encode(['a red car'], { maxTokens: 16 }, never)).toEqual(first)
  await wait(300)
  rmSync(path, { recursive: true })
  await expect(tokenizer.encode(['a red car'], { maxTokens: 16 }, never)).rejects.toThrow()
  await tokenizer.close()
})
