import { openManager } from '../models-manager.ts'
import { fileName } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const path: CommandRun = async call => {
  const manager = await openManager(call)
  const here = (await manager.list()).flatMap(({ model, folder }) => (folder ? [{ name: model.name, folder }] : []))
  result(
    call,
    () => ({ models: here }),
    () => {
      if (here.length === 0) return ['None of the models is here yet.']
      return columns(here.map(({ name, folder }) => [fileName(name), fileName(folder)]))
    },
  )
  return 0
}
export default path
