import { z } from 'zod'
import { settingsDocument } from '../../app/documents.ts'
import { parseModelWord } from '../../app/models/choose/model-word.ts'
import { refuseSettingsOfOff } from '../../app/models/off-roles.ts'
import { loadChoice, roles } from '../../app/models/role-families.ts'
import { type BackendOutline, configJsonSchema } from '../../config/json-schema.ts'
import { roleNames } from '../../config/profiles.ts'
import { optionTable } from '../../config/settings-markdown.ts'
import { leavesOf } from '../../config/tree.ts'
import type { Backend, BackendFamily } from '../../core/backend.ts'
import { safeJson, visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import type { CommandRun } from '../command.ts'
import { result } from '../output.ts'
import { alignColumns } from '../show/format.ts'

const show: CommandRun = async call => {
  const { file, settings, origins } = settingsDocument(await call.settings())
  const rows = [...leavesOf(settings)].map(({ path, value }) => {
    const name = path.join('.')
    const row = [name, visibleLine(typeof value === 'string' ? value : JSON.stringify(value))]
    return call.has('--origin') ? [...row, visibleLine(origins[name] ?? 'default')] : row
  })
  result(call, { file, settings, origins: call.has('--origin') ? origins : undefined }, alignColumns(rows))
  return 0
}

// Checks names, types and ranges, and lets each backend check its own settings. Opens nothing.
const validate: CommandRun = async call => {
  const config = await call.settings(call.arguments[0] ?? call.text('--config'))
  const host = await call.host()
  for (const role of roleNames) {
    const choice = config.settings.models[role]
    if (choice.backend !== 'off') await loadChoice(role, choice, host)
  }
  const { profile, model = 'off', server } = config.settings
  if (model !== 'off') parseModelWord(model, call.world.environment)
  // Which roles are off is known where nothing is to be found out.
  else if (profile !== 'auto' && server?.url === undefined) await refuseSettingsOfOff(config, line => call.remark(line))
  const { file } = config
  const from = file
    ? `${visibleFileName(file)} and the other settings are`
    : 'No settings file was found; the settings are'
  result(call, { valid: true, file }, [`${from} valid.`])
  return 0
}

const schema: CommandRun = async call => {
  const backends = await backendOutlines()
  if (call.has('--markdown')) call.terminal.out(`${optionTable(backends)}\n`)
  else call.terminal.out(`${safeJson(configJsonSchema(backends), 2)}\n`)
  return 0
}

// Every backend of every role with what it takes, without opening any.
async function backendOutlines(): Promise<Record<string, BackendOutline[]>> {
  const entries = await Promise.all(
    Object.entries(roles).map(async ([role, load]) => {
      const family = (await load()) as BackendFamily<unknown>
      return [role, await Promise.all(family.names.map(name => outlineBackend(name, family)))] as const
    }),
  )
  return Object.fromEntries(entries)
}

async function outlineBackend(name: string, family: BackendFamily<unknown>): Promise<BackendOutline> {
  const backend = (await family.load(name)) as Backend<unknown>
  const settings = z.toJSONSchema(backend.settings, { io: 'input', unrepresentable: 'any' })
  return { name, summary: backend.summary, settings: settings as BackendOutline['settings'] }
}

export const configCommands = { show, validate, schema }
