import { openSessions } from '../../store/sessions.ts'
import { shortRow } from '../documents.ts'
import { fileName } from '../sanitise.ts'
import { turnLines } from '../show/turn-lines.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const show: CommandRun = async call => {
  const session = await openSessions(await call.home()).read(call.arguments[0])
  const turns = session.turns.map(turn => ({ ...turn, evidence: (turn.evidence ?? []).map(shortRow) }))
  result(
    call,
    () => ({ session: { ...session, turns } }),
    () => [
      `${session.name}: about ${fileName(session.video.name)}${session.from ? `, forked from ${session.from.session} at turn ${session.from.turn}` : ''}`,
      ...session.turns.flatMap(turn => ['', ...turnLines(turn, call.terminal)]),
    ],
  )
  return 0
}
export default show
