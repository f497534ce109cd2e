import type { Turn } from '../../src/core/agent.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { ask } from '../agent/ask.ts'

export type Said = Awaited<ReturnType<typeof ask>>

// Asks one question after another over an index, as a session does; the states in their order.
export async function talkOver(index: VideoIndex, ...questions: string[]): Promise<Said[]> {
  const turns: Turn[] = []
  const states: Said[] = []
  for (const text of questions) {
    const state = await ask(index, text, { turns: [...turns] })
    const cited = new Set(state.answer.sentences.flatMap(sentence => sentence.cites))
    turns.push({
      question: state.question,
      answer: state.answer,
      evidence: state.evidence.filter(row => cited.has(row.id)),
    })
    states.push(state)
  }
  return states
}
