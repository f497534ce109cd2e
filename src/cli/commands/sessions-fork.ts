import { UsageError } from '../../core/errors.ts'
import { openSessions } from '../../store/sessions.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const fork: CommandRun = async call => {
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
export default fork
