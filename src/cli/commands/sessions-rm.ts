import { openSessions } from '../../store/sessions.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const rm: CommandRun = async call => {
  const [name] = call.arguments
  await openSessions(await call.home()).remove(name)
  result(
    call,
    () => ({ removed: name }),
    () => [`${name} was removed.`],
  )
  return 0
}
export default rm
