import { countPhrase } from '../../core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { shortRow } from '../../runtime/documents.ts'
import { openSessions } from '../../store/sessions.ts'
import type { CommandRun } from '../command.ts'
import { result } from '../output.ts'
import { alignColumns } from '../show/format.ts'
import { askedText, turnLines } from '../show/lines.ts'

const ls: CommandRun = async call => {
  const { sessions: listed, damaged } = await openSessions(await call.home()).list()
  const sessions = listed.map(({ turns, ...session }) => {
    const last = turns.at(-1)
    return { ...session, turns: turns.length, used: last?.asked ?? session.created, last: last && askedText(last) }
  })
  const rows = sessions.map(({ name, turns, video, last }) => [
    name,
    countPhrase(turns, 'turn'),
    visibleFileName(video.name),
    visibleLine(last ?? ''),
  ])
  const unread = damaged.map(
    ({ name, why }) => `The session ${visibleFileName(name)} cannot be read: ${visibleLine(why)}`,
  )
  const none = damaged.length > 0 ? [] : ['There are no sessions yet.']
  result(call, { sessions, ...(damaged.length > 0 && { damaged }) }, [
    ...(rows.length === 0 ? none : alignColumns(rows)),
    ...unread,
  ])
  return 0
}

const show: CommandRun = async call => {
  const session = await openSessions(await call.home()).read(call.argument())
  const { name, video, from } = session
  const turns = session.turns.map(turn => ({ ...turn, evidence: (turn.evidence ?? []).map(shortRow) }))
  result(call, { session: { ...session, turns } }, [
    `${name}: about ${visibleFileName(video.name)}${from ? `, forked from ${from.session} at turn ${from.turn}` : ''}`,
    ...session.turns.flatMap(turn => ['', ...turnLines(turn, call.terminal)]),
  ])
  return 0
}

const fork: CommandRun = async call => {
  const name = call.argument()
  const as = call.required('--as', `longtake runs sessions fork ${name} --at TURN --as NEW`)
  const { turns, ...head } = await openSessions(await call.home()).fork(name, call.integer('--at'), as)
  result(call, { session: { ...head, turns: turns.length } }, [`${as}: the first ${turns.length} turns of ${name}`])
  return 0
}

const rm: CommandRun = async call => {
  const name = call.argument()
  await openSessions(await call.home()).remove(name)
  result(call, { removed: name }, [`${name} was removed.`])
  return 0
}

export const sessionsCommands = { ls, show, fork, rm }
