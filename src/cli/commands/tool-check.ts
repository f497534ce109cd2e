import { type Check, checkTool } from '../../app/tools/tools.ts'
import { UsageError } from '../../core/errors.ts'
import { exitCodes } from '../fail.ts'
import { oneLine } from '../sanitise.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const doesNotConform = 2

const toolCheck: CommandRun = async call => {
  const [file] = call.arguments
  const checked = await checkTool({
    file,
    cwd: call.world.cwd,
    input: readInput(call.text('--input')),
    seconds: call.wholeNumber('--seconds'),
  })
  result(
    call,
    () => checked,
    () => [
      `${oneLine(checked.tool ?? file)}: ${checked.conforms ? 'conforms' : 'does not conform'}.`,
      '',
      ...checked.checks.map(line),
      ...(checked.input === undefined ? [] : ['', `Called with ${oneLine(JSON.stringify(checked.input))}`]),
    ],
  )
  return checked.conforms ? exitCodes.ok : doesNotConform
}
export default toolCheck

const marks: Record<Check['state'], string> = { ok: 'ok  ', wrong: 'NO  ', doubtful: '?   ', 'not tried': '-   ' }

function line({ check, state, detail }: Check): string {
  return `${marks[state]}${check}${detail ? ` (${oneLine(detail)})` : ''}`
}

function readInput(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // told below
  }
  throw new UsageError(`--input "${text}" is no JSON object.`, {
    hint: `Write it as --input '{"start": 0, "end": 10}'.`,
  })
}
