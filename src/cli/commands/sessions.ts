import { UsageError } from '../../core/errors.ts'
import { openSessions } from '../../store/sessions.ts'
import { shortRow } from '../json-output.ts'
import { result } from '../output.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { columns } from '../show/format.ts'
import { turnLines } from '../show/turn-lines.ts'
import type { CommandRun } from '../table/types.ts'

export const ls: CommandRun = async call => {
  const sessions = await openSessions(await call.home()).list()
  result(
    call,
    () => ({
      sessions: sessions.map(({ turns, ...session }) => ({
        ...session,
        turns: turns.length,
        used: turns.at(-1)?.asked ?? session.created,
        last: turns.at(-1)?.question.refers?.asked ?? turns.at(-1)?.question.text,
      })),
    }),
    () =>
      sessions.length === 0
        ? ['There are no sessions yet.']
        : columns(
            sessions.map(({ name, turns, video }) => [
              name,
              turns.length === 1 ? '1 turn' : `${turns.length} turns`,
              fileName(video.name),
              oneLine(turns.at(-1)?.question.refers?.asked ?? turns.at(-1)?.question.text ?? ''),
            ]),
          ),
  )
  return 0
}

export const show: CommandRun = async call => {
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

export const fork: CommandRun = async call => {
  const [name] = call.arguments
  const as = call.text('--as')
  if (as === undefined)
    throw new UsageError('--as is missing.', { hint: `longtake sessions fork ${name} --at TURN --as NEW` })
  const session = await openSessions(await call.home()).fork(name, call.wholeNumber('--at'), as)
  const { turns, ...head } = session
  result(
    call,
    () => ({ session: { ...head, turns: turns.length } }),
    () => [`${as}: the first ${turns.length} turns of ${name}`],
  )
  return 0
}

export const rm: CommandRun = async call => {
  const [name] = call.arguments
  await openSessions(await call.home()).remove(name)
  result(
    call,
    () => ({ removed: name }),
    () => [`${name} was removed.`],
  )
  return 0
}
