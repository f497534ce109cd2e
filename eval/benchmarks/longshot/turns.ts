import { isObject } from '../../../src/core/json.ts'
import type { Dict } from './python-error.ts'

// One question of a conversation in the ideal trajectory: all earlier turns with their reference answers, never the model's own.
export interface IdealTurn {
  index: number // place of the assistant's turn in the conversation
  history: { role: 'user' | 'assistant'; text: string; first: boolean }[] // `first`: the conversation's first turn, which shows the video
}

// Every turn can be asked at once, since none depends on an answer.
export function idealTurns(sample: unknown): IdealTurn[] {
  const history: IdealTurn['history'] = []
  const turns: IdealTurn[] = []
  readConversation(sample).forEach((turn, index) => {
    if (turn.role === 'assistant') turns.push({ index, history: [...history] })
    if (turn.role === 'user' || turn.role === 'assistant')
      history.push({ role: turn.role, text: String(turn.content ?? ''), first: index === 0 })
  })
  return turns
}

export function readConversation(sample: unknown): Dict[] {
  const record: Dict = isObject(sample) ? sample : {}
  const turns = record.conversations ?? record.question
  return Array.isArray(turns) ? turns.filter(isObject) : []
}

// The reply without thinking: closed <think> blocks, then everything before a </think> without an opening. One that was
// never closed stays, as in the released tools.
export function stripThinking(text: string | null): string | null {
  if (!text) return text
  const block = /<think>[\s\S]*?<\/think>\s*/g
  let rest = text.replace(block, '')
  for (;;) {
    const open = rest.indexOf('<think>')
    const close = rest.indexOf('</think>')
    if (close < 0 || (open >= 0 && open < close)) break
    rest = rest.slice(close + '</think>'.length).trimStart()
  }
  return rest.replace(block, '').trim()
}

// The sample with answers on its assistant turns, as a line of {model}.jsonl; the rest of the sample is kept as it is.
export function withAnswers(sample: Dict, answers: ReadonlyMap<number, string>): Dict {
  return {
    ...sample,
    conversations: readConversation(sample).map((turn, index) => {
      const answer = answers.get(index)
      return answer === undefined ? turn : { ...turn, candidate_response: answer }
    }),
  }
}
