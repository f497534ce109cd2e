import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../src/core/agent.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { ask } from '../agent/ask.ts'
import { handMadeIndex } from '../agent/hand-made-index.ts'
import { museum } from '../agent/museum.ts'

const root = join(import.meta.dirname, '..', '..')
const index = handMadeIndex(museum)

// A writer that sends its draft in small pieces, as a server that streams does.
function streamingWriter(pieces: number, pause: () => Promise<void>): ChatModel {
  const row = index.evidence().find(one => one.text.includes('lighthouse was closed'))
  const draft = JSON.stringify({
    sentences: [{ text: 'The lighthouse was closed because the stairs were rotten.', cites: [row?.id] }],
    confidence: 0.8,
  })
  const size = Math.ceil(draft.length / pieces)
  return {
    id: 'chat/streaming',
    accepts: new Set(['text'] as const),
    async reply(_, __, onText) {
      for (let at = 0; at < draft.length; at += size) {
        onText?.(draft.slice(at, at + size))
        await pause()
      }
      return { text: draft, calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'streaming' }
    },
  }
}

describe('events', () => {
  test('tokens come while the writer still writes, and before the verdict and the answer', async () => {
    const events: RunEvent[] = []
    const seen: number[] = []
    const writer = streamingWriter(
      20,
      async () => void seen.push(events.filter(event => event.type === 'token').length),
    )
    await ask(index, 'Why was the lighthouse closed?', { writer, events })
    const types = events.map(event => event.type)
    expect(new Set(seen).size).toBeGreaterThan(5)
    expect(types.lastIndexOf('token')).toBeLessThan(types.indexOf('verdict'))
    expect(types.at(-1)).toBe('answer')
    const written = events.map(event => (event.type === 'token' ? event.text : '')).join('')
    expect(written).toBe('The lighthouse was closed because the stairs were rotten.')
  })

  test('the steps are numbered and named, each call begins and ends, the rows come before the answer', async () => {
    const events: RunEvent[] = []
    await ask(index, 'Why was the lighthouse closed?', { events })
    const steps = events.filter(event => event.type === 'step')
    expect(steps.map(({ step }) => step)).toEqual(steps.map((_, i) => i + 1))
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['overview', 'plan', 'act', 'draft', 'check', 'answer']),
    )
    const count = (type: RunEvent['type']) => events.filter(event => event.type === type).length
    const ended = events.filter(
      event => event.type === 'tool-end' && ['found', 'nothing', 'failed'].includes(event.step.outcome),
    )
    expect(count('tool-start')).toBe(ended.length)
    expect(count('evidence')).toBeGreaterThan(0)
  })

  test('a question that is aborted ends at once, with an answer that says so', async () => {
    const stop = new AbortController()
    const events: RunEvent[] = []
    const writer = streamingWriter(50, async () => {
      stop.abort()
      await new Promise(resolve => setTimeout(resolve, 200))
    })
    const began = performance.now()
    const { stop: why, answer } = await ask(index, 'Why was the lighthouse closed?', {
      writer,
      events,
      signal: stop.signal,
    })
    expect(why).toBe('interrupted')
    expect(answer.text).not.toBe('')
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('every type of the page of events is one of the code, and the other way round', () => {
    const page = readFileSync(join(root, 'docs', 'events.md'), 'utf8')
    const code = readFileSync(join(root, 'src', 'core', 'agent.ts'), 'utf8').split('export type RunEvent =')[1]!
    const union = code.slice(0, code.indexOf('export type Watch'))
    const told = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name).filter(name => name !== 'type')
    const known = [...union.matchAll(/\btype: '([\w-]+)'/g)].map(([, name]) => name)
    expect(told.sort()).toEqual([...known, 'result', 'watch'].sort())
  })
})
