import { gradeOpen } from '../../../eval/benchmarks/needle/grade.ts'
import type { NeedleRecord } from '../../../eval/benchmarks/needle/record.ts'
import type { AgentState, Answer } from '../../../src/core/agent.ts'
import type { ChatModel } from '../../../src/core/chat.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import type { VideoIndex } from '../../../src/core/video.ts'
import { type AskMore, ask } from '../ask.ts'

export interface Answered {
  record: NeedleRecord
  task: 'open' | 'choice'
  score: number // 0..1
  silent: boolean // the video says it, and the agent says that it does not
  answer: Answer
  cited: Evidence[]
}

export interface Models {
  planner: ChatModel
  writer: ChatModel
  verifier: ChatModel
  vision?: ChatModel
}

// Each question of a needle video, open and with options, graded by the benchmark.
export async function answerQuestions(
  index: VideoIndex,
  records: readonly NeedleRecord[],
  { vision, ...models }: Models,
  { services: given, ...more }: AskMore = {},
): Promise<Answered[]> {
  const answered: Answered[] = []
  const services = { ...given, ...(vision && { vision: async () => ({ by: vision.id, service: vision }) }) }
  for (const record of records) {
    const turns = record.turns.map(({ question, answer }) => ({ question: { text: question }, reference: answer }))
    const all = { ...models, turns, frames: vision ? 64 : 0, services, ...more }
    const open = await ask(index, record.question, all)
    const score = gradeOpen(record, open.answer.text, open.answer.abstained).score
    const silent = open.answer.abstained && record.expect.form !== 'abstain'
    answered.push({ record, task: 'open', score, silent, answer: open.answer, cited: citedBy(open) })
    const chosen = await ask(index, record.question, { ...all, options: record.choices })
    const right = chosen.answer.choice === record.right_answer.charCodeAt(0) - 65
    answered.push({
      record,
      task: 'choice',
      score: Number(right),
      silent: false,
      answer: chosen.answer,
      cited: citedBy(chosen),
    })
  }
  return answered
}

// The rows that an answer rests on.
export function citedBy({ answer, evidence }: AgentState): Evidence[] {
  const ids = new Set(answer?.sentences.flatMap(({ cites }) => cites))
  return evidence.filter(row => ids.has(row.id))
}
