import { z } from 'zod'
import { type BackendOutline, configJsonSchema } from '../../config/json-schema.ts'
import { readValue } from '../../config/outline.ts'
import { roleNames } from '../../config/profiles.ts'
import { optionTable } from '../../config/settings-markdown.ts'
import { leavesOf, setAt, settingAt, type Tree } from '../../config/tree.ts'
import type { Backend, BackendFamily } from '../../core/backend.ts'
import { UsageError, unknownName } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { safeJson, visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { settingsDocument } from '../../runtime/documents.ts'
import { parseModelWord } from '../../runtime/models/choose/model-word.ts'
import { refuseSettingsOfOff } from '../../runtime/models/off-roles.ts'
import { loadChoice, roles } from '../../runtime/models/role-families.ts'
import { readOwnFile, writeOwnFile } from '../../runtime/setup/own-settings.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { result } from '../output.ts'
import { alignColumns } from '../show/format.ts'

const show: CommandRun = async call => {
  const { file, settings, origins } = settingsDocument(await call.settings())
  const rows = [...leavesOf(settings)].map(({ path, value }) => {
    const name = path.join('.')
    const row = [name, plainValue(value)]
    return call.has('--origin') ? [...row, visibleLine(origins[name] ?? 'default')] : row
  })
  result(call, { file, settings, origins: call.has('--origin') ? origins : undefined }, alignColumns(rows))
  return 0
}

// The value in use of one setting, or of all below a name.
const get: CommandRun = async call => {
  const { settings, origins } = settingsDocument(await call.settings())
  const name = call.argument()
  const value = settingAt(settings, name.split('.'))
  if (value === undefined) throw unknownName('setting', name, listNames(settings))
  const lines = isObject(value)
    ? alignColumns([...leavesOf(value)].map(leaf => [[name, ...leaf.path].join('.'), plainValue(leaf.value)]))
    : [plainValue(value)]
  result(call, { name, value, origin: origins[name] ?? 'default' }, lines)
  return 0
}

// Writes into the user's own settings file, once the value is known to be valid.
const set: CommandRun = async call => {
  const [name, text] = [call.argument(), call.argument(1)]
  await call.resolve(call.text('--config'), { named: [{ flag: 'longtake config set', path: name, text }] })
  const value = readValue(text, name.split('.'))
  return changeOwnFile(call, name, content => setAt(content, name.split('.'), value, 'longtake config set'))
}

const unset: CommandRun = async call => {
  const name = call.argument()
  return changeOwnFile(call, name, (content, file) => {
    if (!removeAt(content, name.split('.')))
      throw new UsageError(`${visibleLine(name)} is not set in ${visibleFileName(file)}.`, {
        hint: 'Where a value comes from: longtake config show --origin.',
      })
  })
}

async function changeOwnFile(call: Call, name: string, change: (content: Tree, file: string) => void): Promise<number> {
  const { path, content } = await readOwnFile(call.world.environment)
  change(content, path)
  await writeOwnFile({ path, content })
  const isSet = settingAt(content, name.split('.')) !== undefined // the value may be a secret, and is not repeated
  result(call, { file: path, name, isSet }, [
    `${visibleLine(name)} is ${isSet ? '' : 'no longer '}set in ${visibleFileName(path)}.`,
  ])
  return 0
}

// With the objects around it that are then empty.
function removeAt(tree: Tree, [key = '', ...below]: readonly string[]): boolean {
  const value = Object.hasOwn(tree, key) ? tree[key] : undefined
  if (value === undefined) return false
  if (below.length > 0 && !(isObject(value) && removeAt(value, below))) return false
  if (below.length === 0 || Object.keys(value as Tree).length === 0) delete tree[key]
  return true
}

const plainValue = (value: unknown) => visibleLine(typeof value === 'string' ? value : JSON.stringify(value))
const listNames = (settings: Tree) => [...leavesOf(settings)].map(({ path }) => path.join('.'))

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

export const configCommands = { show, get, set, unset, validate, schema }
