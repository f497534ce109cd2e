import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RunEvent } from '../core/agent.ts'
import { showBriefly } from './brief-progress.ts'
import { terminal } from './terminal.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function screen(isTTY: boolean) {
  let stderr = ''
  const stream = { isTTY, columns: 80, write: (text: string) => (stderr += text) }
  return { terminal: terminal(stream, stream, {}), written: () => stderr }
}

const stage = (stage: string, state: 'running' | 'done' | 'failed' | 'reused', rest = {}): RunEvent => ({
  ...{ type: 'stage', stage, state },
  ...rest,
})

// Half a minute of indexing: two stages side by side.
function index(watch: (event: RunEvent) => void) {
  for (let second = 0; second <= 30; second++) {
    watch(stage('speech', 'running', { done: second * 2, total: 60 }))
    watch(stage('text', 'running', { done: second, total: 60 }))
    vi.advanceTimersByTime(1000)
  }
}

test('in a pipe the whole index has a line when it begins and every ten seconds, with a share that only grows', () => {
  const { terminal, written } = screen(false)
  const progress = showBriefly(terminal, 'auto')
  index(progress.watch)
  progress.watch(stage('speech', 'done'))
  progress.watch({ type: 'step', step: 0, name: 'plan', round: 0 } as RunEvent)
  progress.finish()
  const lines = written().trimEnd().split('\n')
  expect(lines[0]).toBe('Indexing …')
  expect(lines.at(-1)).toMatch(/^Indexed in 31 s\.$/)
  const shares = lines
    .slice(1, -1)
    .map(line => Number(/^Indexing: (\d+) %, about [\d:]+ left \(transcribing, reading text\)$/.exec(line)?.[1]))
  expect(shares).toHaveLength(3)
  expect(shares).toEqual([...shares].sort((a, b) => a - b))
})

test('on a terminal it is one line, which is gone at the end; steps are not told', () => {
  const { terminal, written } = screen(true)
  const progress = showBriefly(terminal, 'auto')
  index(progress.watch)
  const up = written().match(/\u001b\[(\d)A/g) ?? []
  expect(new Set(up)).toEqual(new Set(['\u001b[1A']))
  progress.finish()
  expect(written()).toMatch(/\u001b\[1A\u001b\[J$/)
  expect(written()).not.toContain('speech')
})

test('what is there already is not told, and what failed or was done in another way is', () => {
  const { terminal, written } = screen(false)
  const progress = showBriefly(terminal, 'auto')
  progress.watch(stage('decode', 'reused'))
  progress.watch(stage('text', 'failed', { note: 'no reader' }))
  progress.watch(stage('vector-index', 'done', { note: 'each vector is looked at' }))
  progress.watch(stage('decode', 'done', { note: 'the coverage says it' }))
  progress.finish()
  expect(written()).toBe('reading text: failed (no reader)\neach vector is looked at\n')
})

test('a video of several is named in its line', () => {
  const { terminal, written } = screen(false)
  const progress = showBriefly(terminal, 'auto', 'a.mp4 (1 of 2)')
  index(progress.watch)
  progress.finish()
  expect(written()).toMatch(/^Indexing a\.mp4 \(1 of 2\) …\nIndexing a\.mp4 \(1 of 2\): \d+ %/)
})
