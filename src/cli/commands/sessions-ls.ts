import { openSessions } from '../../store/sessions.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const ls: CommandRun = async call => {
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
export default ls
