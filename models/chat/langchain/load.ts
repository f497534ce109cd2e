import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Host } from '../../../src/core/backend.ts'
import { errorText, UsageError, unknownName } from '../../../src/core/errors.ts'

// The part of a LangChain chat model that is used here.
interface LangchainModel {
  model?: string
  modelName?: string
  invoke(messages: object[], options: { signal: AbortSignal }): Promise<unknown>
  stream?(messages: object[], options: { signal: AbortSignal }): Promise<AsyncIterable<unknown>>
  bindTools?(tools: object[]): LangchainModel
}

interface LoadSettings {
  module: string
  export: string
  settings: Record<string, unknown>
  fromEnvironment: Record<string, string>
  temperature?: number
  maxTokens?: number
}

// Loads the user's module, relative to the working folder, and creates a model from its export.
export async function loadModel(chosen: LoadSettings, host: Host): Promise<LangchainModel> {
  refuseSecrets(chosen.settings)
  const exported = await loadExport(chosen)
  const { temperature, maxTokens } = chosen
  const secrets = Object.fromEntries(
    Object.entries(chosen.fromEnvironment).map(([setting, variable]) => [setting, host.environment[variable]?.trim()]),
  )
  const options = Object.fromEntries(
    Object.entries({ temperature, maxTokens, ...chosen.settings, ...secrets }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const exportName = `${chosen.module} (${chosen.export})`
  let model: unknown
  try {
    model = await construct(exported, options)
  } catch (cause) {
    throw new UsageError(`chat/langchain: ${exportName} could not be made: ${errorText(cause)}`, {
      cause,
      hint: 'Check "settings"; a secret comes by name, with fromEnvironment.',
    })
  }
  if (isModel(model)) return model
  throw new UsageError(`chat/langchain: ${exportName} is not a LangChain chat model: it has no invoke.`, {
    hint: 'Name with "export" a chat model class, a function that returns a model, or a model.',
  })
}

async function loadExport(chosen: LoadSettings): Promise<unknown> {
  let loaded: Record<string, unknown>
  try {
    loaded = await import(location(chosen.module))
  } catch (cause) {
    throw new UsageError(`chat/langchain: "${chosen.module}" cannot be loaded: ${errorText(cause)}`, {
      cause,
      hint: /^[./]/.test(chosen.module) ? 'Check the path.' : `npm install ${chosen.module}`,
    })
  }
  if (chosen.export in loaded) return loaded[chosen.export]
  throw unknownName(`export of ${chosen.module}`, chosen.export, Object.keys(loaded))
}

// The settings have made paths and packages of the user's absolute (src/config/layers/absolute-paths.ts): whatever else lies in the
// working folder may be a stranger's. A name that is left is a package beside longtake.
function location(module: string): string {
  return /^\.{0,2}\//.test(module) ? pathToFileURL(resolve(module)).href : module
}

async function construct(exported: unknown, options: object): Promise<unknown> {
  if (typeof exported !== 'function') return exported
  const isClass = isModel(exported.prototype) || /^class\b/.test(Function.prototype.toString.call(exported))
  return isClass ? new (exported as new (options: object) => unknown)(options) : await exported(options)
}

function isModel(value: unknown): value is LangchainModel {
  return typeof (value as LangchainModel | undefined)?.invoke === 'function'
}

// Settings are written into every run folder, so a key among them would be stored.
function refuseSecrets(settings: Record<string, unknown>): void {
  const name = Object.keys(settings).find(
    key => /key|token$|secret|password/i.test(key) && typeof settings[key] === 'string',
  )
  if (!name) return
  throw new UsageError(`chat/langchain: settings.${name} looks like a secret, and settings are stored with each run.`, {
    hint: `Put it into an environment variable and name that: fromEnvironment: {"${name}": "MY_VARIABLE"}.`,
  })
}
