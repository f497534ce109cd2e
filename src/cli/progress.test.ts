import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunEvent } from '../core/agent.ts'
import { showProgress } from './progress.ts'
import { terminal } from './terminal.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function screen(environment: Record<string, string> = {}, isTTY = true) {
  let stderr = ''
  const stream = { isTTY, columns: 60, write: (text: string) => (stderr += text) }
  return { terminal: terminal(stream, stream, environment), written: () => stderr }
}

const stage = (stage: string, state: 'running' | 'done' | 'failed' | 'reused', rest = {}): RunEvent => ({
  type: 'stage',
  stage,
  state,
  ...rest,
})

describe('progress in plain lines', () => {
  test('a stage gets a line when it starts, at most one in ten seconds, and one when it ends', () => {
    const { terminal, written } = screen({}, false)
    const progress = showProgress(terminal, 'auto')
    for (let second = 0; second <= 25; second++) {
      progress.watch(stage('speech', 'running', { done: second * 30, total: 2700, seconds: second }))
      vi.advanceTimersByTime(1000)
    }
    progress.watch(stage('speech', 'done', { total: 2700, seconds: 90, note: '12 lines' }))
    progress.finish()
    expect(written().split('\n')).toEqual([
      'speech: started',
      'speech: 5:00 of 45:00, 30.0x real time, about 1:20 left',
      'speech: 10:00 of 45:00, 30.0x real time, about 1:10 left',
      'speech: done in 1:30, 30.0x real time (12 lines)',
      '',
    ])
  })

  test('what a helper does stands under the call that sent it out', () => {
    const { terminal, written } = screen({}, false)
    const progress = showProgress(terminal, 'auto')
    const step = {
      round: 1,
      tool: 'search',
      input: {},
      outcome: 'found',
      evidence: ['s1', 's2'],
      notes: [],
      text: '',
      seconds: 2,
    }
    const ended = { type: 'tool-end', step } as unknown as RunEvent
    progress.watch({ type: 'helper', question: 'What is said?', event: ended })
    progress.watch({ type: 'helper', question: 'What is said?', event: { type: 'note', text: 'within' } })
    progress.watch(ended)
    progress.finish()
    expect(written()).toBe('  helper: step 1: search: 2 found (2.0 s)\nstep 1: search: 2 found (2.0 s)\n')
  })

  test('a stage that ends at once gets one line', () => {
    const { terminal, written } = screen({}, false)
    const progress = showProgress(terminal, 'auto')
    progress.watch(stage('full-text', 'running', { done: 0, total: 10 }))
    vi.advanceTimersByTime(50)
    progress.watch(stage('full-text', 'reused'))
    progress.finish()
    expect(written()).toBe('full-text: reused\n')
  })

  test('a stage that sends nothing for long still says that it runs', () => {
    const { terminal, written } = screen({}, false)
    const progress = showProgress(terminal, 'auto')
    progress.watch(stage('text', 'running', { done: 0, total: 10 }))
    vi.advanceTimersByTime(2000)
    progress.finish()
    expect(written()).toBe('text: started\n')
  })

  test.each(['CI', 'TERM'])('nothing is redrawn where %s says so', variable => {
    const { terminal, written } = screen({ [variable]: 'dumb' })
    const progress = showProgress(terminal, 'auto')
    progress.watch(stage('text', 'running', { done: 0, total: 10 }))
    vi.advanceTimersByTime(3000)
    progress.watch(stage('text', 'done', { seconds: 3 }))
    progress.finish()
    expect(written()).not.toContain('\u001b')
    expect(written()).toContain('text: done in 3.0 s')
  })
})

describe('progress on a terminal', () => {
  test('is one line for each running stage, redrawn at most ten times a second and gone at the end', () => {
    const { terminal, written } = screen()
    const progress = showProgress(terminal, 'auto')
    for (let at = 0; at < 100; at++) {
      progress.watch(stage('speech', 'running', { done: at, total: 100, seconds: at }))
      progress.watch(stage('text', 'running', { done: at / 2, total: 100, seconds: at }))
      vi.advanceTimersByTime(10)
    }
    const drawn = written().split('\u001b[2K  speech: ').length - 1
    expect(drawn).toBeGreaterThan(5)
    expect(drawn).toBeLessThanOrEqual(12)
    expect(written()).toContain('\u001b[2A\u001b[2K  speech: ')
    progress.watch(stage('speech', 'failed', { note: 'no \u001b[2Jserver' }))
    expect(written()).toContain('speech: failed (no ␛[2Jserver)\n')
    progress.finish()
    expect(written().endsWith('\u001b[1A\u001b[J')).toBe(true)
  })

  test('a line never wraps', () => {
    const { terminal, written } = screen()
    const progress = showProgress(terminal, 'auto')
    progress.watch(stage('x'.repeat(300), 'running', { done: 1, total: 2 }))
    progress.finish()
    const lines = written().split('\u001b[2K').slice(1)
    expect(lines.every(line => line.split('\n')[0]!.length < 60)).toBe(true)
  })
})

test('steps and remarks are told in both, and nothing at all when it is off', () => {
  const step = {
    round: 2,
    tool: 'search',
    input: {},
    outcome: 'found' as const,
    evidence: ['a', 'b'],
    notes: [],
    seconds: 0.25,
  }
  const events: RunEvent[] = [
    { type: 'tool-end', step },
    { type: 'note', text: 'fine' },
  ]
  for (const [style, expected] of [
    ['lines', 'step 2: search: 2 found (0.3 s)\nfine\n'],
    ['off', ''],
  ] as const) {
    const { terminal, written } = screen()
    const progress = showProgress(terminal, style)
    for (const event of events) progress.watch(event)
    progress.finish()
    expect(written()).toBe(expected)
  }
})

test('NO_COLOR leaves colour out', () => {
  expect(screen({ NO_COLOR: '1' }).terminal.bold('x')).toBe('x')
  expect(screen({}).terminal.bold('x')).toBe('\u001b[1mx\u001b[22m')
  expect(screen({}, false).terminal.bold('x')).toBe('x')
})
