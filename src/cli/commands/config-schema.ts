import { configJsonSchema } from '../../config/json-schema.ts'
import { optionTable } from '../../config/table.ts'
import { backendOutlines } from '../backend-outlines.ts'
import { safeJson } from '../sanitise.ts'
import type { CommandRun } from '../table-types.ts'

const schema: CommandRun = async call => {
  const backends = await backendOutlines()
  if (call.has('--markdown')) call.terminal.out(`${optionTable(backends)}\n`)
  else call.terminal.out(`${safeJson(configJsonSchema(backends), 2)}\n`)
  return 0
}
export default schema
