import { UsageError } from '../../core/errors.ts'
import { visibleLine } from '../../core/words/visible-text.ts'
import { type CheckResult, checkTool } from '../../runtime/tools/check/check-tool.ts'
import { listTools } from '../../runtime/tools/list-tools.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { alignColumns } from '../show/format.ts'

const list: CommandRun = async call => {
  const { settings } = await call.settings()
  const tools = await listTools(settings, await call.host())
  const rows = tools.map(({ name, from, state, danger, description }) => [
    name,
    from,
    danger ? `${state} (${danger})` : state,
    visibleLine(description.replace(/[.;:]\s.*/s, '')),
  ])
  const hint = 'Choose with --set tools.sets=core|longshot|all; permit with --set permissions.NAME=on.'
  result(call, { sets: settings.tools.sets, tools }, [...alignColumns(rows), '', hint])
  return exitCodes.ok
}

const doesNotConform = 2

const check: CommandRun = async call => {
  const file = call.argument()
  const checked = await checkTool({
    file,
    cwd: call.world.cwd,
    input: readInput(call.text('--input')),
    seconds: call.integer('--seconds'),
  })
  result(call, checked, [
    `${visibleLine(checked.tool ?? file)}: ${checked.conforms ? 'conforms' : 'does not conform'}.`,
    '',
    ...checked.checks.map(line),
    ...(checked.input === undefined ? [] : ['', `Called with ${visibleLine(JSON.stringify(checked.input))}`]),
  ])
  return checked.conforms ? exitCodes.ok : doesNotConform
}

const marks: Record<CheckResult['state'], string> = { ok: 'ok  ', wrong: 'NO  ', doubtful: '?   ', 'not tried': '-   ' }

function line({ check, state, detail }: CheckResult): string {
  return `${marks[state]}${check}${detail ? ` (${visibleLine(detail)})` : ''}`
}

function readInput(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // told below
  }
  throw new UsageError(`--input must be a JSON object, not "${text}".`, {
    hint: `Write it as --input '{"start": 0, "end": 10}'.`,
  })
}

export const toolCommands = { list, check }
