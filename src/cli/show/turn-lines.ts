import type { SessionTurn } from '../../store/sessions.ts'
import { oneLine, plain } from '../sanitise.ts'
import type { Terminal } from '../terminal.ts'
import { evidenceLine } from './evidence-line.ts'

// An earlier turn: what was asked, what it was taken to mean, the answer and its rows.
export function turnLines(turn: SessionTurn, { bold, dim }: Pick<Terminal, 'bold' | 'dim'>): string[] {
  const { question, answer, reference, evidence = [] } = turn
  const asked = askedText(turn)
  return [
    bold(`${turn.turn}. ${oneLine(asked)}`),
    ...(asked === question.text ? [] : [dim(`   meaning: ${oneLine(question.text)}`)]),
    `   ${plain(answer?.text ?? reference ?? '')}`,
    ...evidence.map(row => dim(`   ${evidenceLine(row)}`)),
  ]
}

// A question as it was typed, before what it refers to was filled in.
export function askedText({ question }: Pick<SessionTurn, 'question'>): string {
  return question.refers?.asked ?? question.text
}
