import { touches } from '../../src/core/time.ts'
import { comesFrom, type StatedTime, statedTimes } from '../../src/text/times-in-prose.ts'
import type { AgentSession } from '../session.ts'
import type { GivenAnswer } from './turn.ts'

const near = 0.5 // seconds

// Times in the text of an answer that lie beside everything that was shown or read, and beside what its claims name.
export function strangeTimes(session: AgentSession, { text, claims }: GivenAnswer): StatedTime[] {
  const rows = [...session.ledger.values()]
  const spans = [...rows.map(row => row.span), ...claims.flatMap(claim => claim.at)]
  const isKnown = (second: number) =>
    spans.some(span => touches({ start: second, end: second }, { start: span.start - near, end: span.end + near }))
  const isTimecode = ({ start, end }: StatedTime) => text[start - 1] === ':' || /^:\d/.test(text.slice(end))
  return statedTimes(text).filter(
    stated => !isTimecode(stated) && !stated.seconds.every(isKnown) && !comesFrom(stated, rows),
  )
}
