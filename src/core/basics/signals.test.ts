import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { linkSignals, untilAborted, whenAborted, withDeadline } from './signals.ts'

test('a linked signal ends with the first of the others, with its reason, and not after it was cleared', () => {
  const [a, b] = [new AbortController(), new AbortController()]
  const first = linkSignals(a.signal, undefined, b.signal)
  const cleared = linkSignals(a.signal, b.signal)
  cleared.clear()
  b.abort('b')
  a.abort('a')
  expect([first.signal.reason, cleared.signal.aborted]).toEqual(['b', false])
  expect(linkSignals(a.signal).signal.reason).toBe('a')
})

test('a deadline ends with its own reason, or earlier with the outer signal', async () => {
  const outer = new AbortController()
  const soon = withDeadline(0.01, outer.signal, () => 'too slow')
  await expect(untilAborted(new Promise(() => {}), soon.signal)).rejects.toBe('too slow')
  const late = withDeadline(60, outer.signal)
  outer.abort('stopped')
  await expect(untilAborted(new Promise(() => {}), late.signal)).rejects.toBe('stopped')
  late.clear()
})

test('work that ends in time gives its value, and one that fails later is no unhandled rejection', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
  const failing = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5))
  await expect(untilAborted(failing, AbortSignal.abort('gone'))).rejects.toBe('gone')
  await new Promise(resolve => setTimeout(resolve, 20))
})

test('thirty who wait for a signal are one listener of it, and none when nobody waits', () => {
  const controller = new AbortController()
  const { signal } = controller
  const woken: number[] = []
  const wait = (at: number) => whenAborted(signal, () => woken.push(at))
  const first = wait(0)
  first()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  const links = Array.from({ length: 30 }, (_, at) => wait(at))
  first()
  links[3]?.()
  wait(30)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  controller.abort()
  expect(woken).toEqual(Array.from({ length: 31 }, (_, at) => at).filter(at => at !== 3))
})
