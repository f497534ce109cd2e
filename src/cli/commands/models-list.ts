import type { ModelState } from '../../app/models/models-manager.ts'
import { openManager } from '../models-manager.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const list: CommandRun = async call => {
  const manager = await openManager(call)
  const models = await manager.list()
  result(
    call,
    () => ({ profile: manager.profile, models: models.map(entry) }),
    () => [
      ...(models.length === 0 ? [`The profile ${manager.profile} needs no models.`] : []),
      ...columns(
        models.map(({ model, state, bytes, missing, note }) => [
          fileName(model.name),
          model.kind,
          state,
          bytes > 0 ? formatBytes(bytes) : '',
          model.roles.join(', '),
          oneLine(note ?? (state === 'partial' ? `lacks ${missing.join(', ')}` : '')),
        ]),
      ),
      ...(models.some(({ state }) => state === 'missing' || state === 'partial')
        ? [`To fetch what is missing: longtake models pull ${manager.profile}`]
        : []),
    ],
  )
  return 0
}
export default list

function entry({ model, ...state }: ModelState): object {
  return { ...model, ...state }
}
