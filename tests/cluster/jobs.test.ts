import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isPoison, nextAfter } from '../../src/cluster/jobs/retry.ts'
import { fileBelow, rootedPath } from '../../src/cluster/jobs/roots.ts'
import { soloGate } from '../../src/cluster/worker/solo.ts'
import { parseSlots } from '../../src/cluster/worker/start-worker.ts'

test('what may pass is tried five times more, each time later; what will not is failed at once; a full disk does not count', () => {
  const waits = [0, 1, 2, 3, 4].map(retry => nextAfter('retryable', { retry }, 0.5))
  expect(waits).toEqual([5, 20, 80, 320, 1280].map(after => ({ do: 'retry', after })))
  expect(nextAfter('retryable', { retry: 5 })).toEqual({ do: 'fail', kind: 'backend' })
  expect(nextAfter('backend', {})).toEqual({ do: 'fail', kind: 'backend' })
  expect(nextAfter('input', {})).toEqual({ do: 'fail', kind: 'input' })
  expect(nextAfter('storage', { released: 40 })).toEqual({ do: 'give back' })
})

test('what has crashed is tried once more alone, then it is poison; so is what was lost with three workers', () => {
  expect(nextAfter('crash', { lost: 1, retry: 2 })).toEqual({ do: 'alone' })
  expect(nextAfter('crash', { crashed: 1 })).toEqual({ do: 'fail', kind: 'poison' })
  expect([2, 3].map(lost => isPoison({ lost }))).toEqual([false, true])
})

test('a file is named by its root; what a row says never leads out of it, neither by dots nor by a link', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-roots-'))
  for (const name of ['videos', 'videos/2026', 'private']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'videos/2026/talk.mp4'), '')
  writeFileSync(join(folder, 'private/key'), '')
  symlinkSync(join(folder, 'private/key'), join(folder, 'videos/link.mp4'))
  const roots = { lectures: join(folder, 'videos') }
  const rooted = await rootedPath(join(folder, 'videos/2026/talk.mp4'), roots)
  expect(rooted).toEqual({ root: 'lectures', path: '2026/talk.mp4' })
  expect(await fileBelow(rooted, roots)).toBe(join(folder, 'videos/2026/talk.mp4'))
  await expect(rootedPath(join(folder, 'videos/link.mp4'), roots)).rejects.toThrow('none of the roots')
  for (const path of ['../private/key', '2026/../../private/key', 'link.mp4', join(folder, 'private/key'), '', '.'])
    expect(await fileBelow({ root: 'lectures', path }, roots), path).toBeUndefined()
  expect(await fileBelow({ root: 'other', path: '2026/talk.mp4' }, roots)).toBeUndefined()
})

test('who asks to be alone waits for the others, and nobody enters meanwhile', async () => {
  const gate = soloGate()
  const seen: string[] = []
  const [one, two, three] = [await gate.enter(), await gate.enter(), await gate.enter()]
  const first = gate.alone(async () => void seen.push('first alone'))
  const second = gate.alone(async () => void seen.push('second alone'))
  const late = gate.enter().then(leave => {
    seen.push('late')
    leave()
  })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(seen).toEqual([])
  three()
  await first
  one()
  await second
  two()
  await late
  expect(seen).toEqual(['first alone', 'second alone', 'late'])
})

test('slots are named with their number, and none at all is refused', () => {
  expect(parseSlots('cpu=2,net=8')).toEqual({ cpu: 2, gpu: 0, net: 8 })
  for (const wrong of ['cpu', 'disk=1', 'cpu=-1', 'cpu=0', ''])
    expect(() => parseSlots(wrong), wrong).toThrow('--slots')
})
