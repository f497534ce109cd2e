import { appendFileSync } from 'node:fs'
import type { Agent } from '../../eval/runner/ask/agent.ts'
import { emptyUsage } from '../../src/core/chat.ts'
import { stamp } from '../../src/core/evidence.ts'

export interface CountingAgent extends Agent {
  opened: string[]
  asked: string[] // keys, in order
}

// An agent that answers "answer to <question>" after a while and notes whatever it is asked; it fails on questions with "fail".
export function countingAgent(options: { milliseconds?: number; log?: string } = {}): CountingAgent {
  const agent: CountingAgent = {
    opened: [],
    asked: [],
    async open(path) {
      agent.opened.push(path)
      if (path.includes('broken')) throw new Error('the file looks cut short')
      return {
        duration: 100,
        index: 'the same',
        async ask(question, { key, turns, clues, signal }) {
          agent.asked.push(key)
          if (options.log) appendFileSync(options.log, `${key}\n`)
          await pause(options.milliseconds ?? 0, signal)
          if (question.text.includes('fail')) throw new Error('the model went away')
          const before = turns.map(turn => turn.answer?.text ?? turn.reference).join('|')
          const row = stamp({ span: { start: 10, end: 20 }, track: 'speech', text: 'said' }, 'v', 'transcribe/hand')
          return {
            answer: {
              text: `answer to ${question.text}${before ? ` after ${before}` : ''}`,
              ...(question.options && { choice: 0 }),
              sentences: [{ text: 'said', cites: [row.id], verdict: 'supported' }],
              confidence: 0.8,
              abstained: false,
              degraded: [],
            },
            evidence: [row],
            steps: [],
            usage: { ...emptyUsage, calls: 1 },
            stop: 'answered',
            frames: [],
            indexed: clues.map(clue => ({ clue, rows: ['speech'] })),
          }
        },
        sight: () => Promise.reject(new Error('not part of this test')),
        close: async () => {},
      }
    },
  }
  return agent
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop)
  })
}
