import { hostUrl } from '../../../../models/http/ollama.ts'
import { otherServer, type Preset, presetNamed, presets } from '../../../../models/http/presets.ts'
import { nearest, UsageError } from '../../../core/errors.ts'

// What --model names: a server by a preset or by its address, and one of its models or none.
export interface ModelWord {
  word: string // as it was given
  preset: Preset
  url: string // with a path
  address: boolean // the server was given by its address: which one it is, it tells itself
  model?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const examples =
  'For example: --model ollama/qwen3-vl:8b, --model openai/gpt-5-mini, --model vllm, --model http://127.0.0.1:8000/v1.'

// "PRESET", "PRESET/MODEL" or "http://HOST:PORT[/v1]"; the name of a model may hold slashes and colons itself.
export function parseModelWord(given: string, environment: Environment): ModelWord {
  const word = given.trim()
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return ofAddress(word)
  const at = word.indexOf('/')
  const name = (at < 0 ? word : word.slice(0, at)).toLowerCase()
  const model = at < 0 ? undefined : word.slice(at + 1).trim()
  const preset = presetNamed(name)
  if (!preset) throw wrongWord(word, name)
  if (model === '')
    throw new UsageError(`--model "${word}" names no model after the slash.`, {
      hint: `Write --model ${name}/MODEL, or --model ${name} to let its list decide.`,
    })
  return { word, preset, url: resolveAddress(preset, environment), address: false, model }
}

// Where a provider is asked: its own variable counts, as with its own tools.
function resolveAddress(preset: Preset, environment: Environment): string {
  const environmentUrl = preset.urlEnv ? environment[preset.urlEnv]?.trim() : undefined
  return environmentUrl ? (preset.port === undefined ? environmentUrl : hostUrl(environmentUrl)) : preset.url
}

function ofAddress(word: string): ModelWord {
  if (!URL.canParse(word) || !/^https?:$/.test(new URL(word).protocol) || new URL(word).hostname === '')
    throw new UsageError(`--model "${word}" is not the address of a server.`, {
      hint: 'Write it in full, as --model http://127.0.0.1:8000/v1.',
    })
  const { origin } = new URL(word)
  const hosted = presets.find(preset => !preset.local && new URL(preset.url).origin === origin)
  return { word, preset: hosted ?? otherServer, url: word, address: hosted === undefined }
}

function wrongWord(word: string, name: string): UsageError {
  const names = presets.map(preset => preset.name)
  // "127.0.0.1:8000" and "localhost:1234/v1" lack their beginning.
  if (/^[\w.-]+:\d+$/.test(name))
    return new UsageError(`--model "${word}" is neither a provider nor an address.`, {
      hint: `Write an address in full: --model http://${word}.`,
    })
  const near = nearest(name, names) ?? names.find(one => one.replace(/\W/g, '') === name.replace(/\W/g, ''))
  return new UsageError(`--model "${word}" names no known provider of models.`, {
    hint: `${near ? `Did you mean "${near}"? ` : ''}Providers: ${names.join(', ')}; a model comes after a slash. ${examples}`,
  })
}
