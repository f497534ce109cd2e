// Providers of models by a word. A newer one is one line.
export interface Preset {
  name: string // as in --model NAME/MODEL
  title: string
  backend: 'ollama' | 'openai'
  url: string
  urlEnv?: string // the variable that its own tools read the address from
  keyEnv: readonly string[] // variables that hold its key, in the order in which they count
  keyHeader?: string // its list of models wants the key there, and not as a bearer token
  headers?: Readonly<Record<string, string>> // of its list of models
  local: boolean // on this machine: free to take, and nothing leaves it
  port?: number // where it usually listens
  start?: string // the command that starts it; MODEL stands for a model
}

export const presets: readonly Preset[] = [
  {
    ...onPort('ollama', 'Ollama', 11434, 'ollama serve'),
    backend: 'ollama',
    url: 'http://127.0.0.1:11434',
    urlEnv: 'OLLAMA_HOST',
  },
  { ...onPort('vllm', 'vLLM', 8000, 'vllm serve MODEL'), keyEnv: ['VLLM_API_KEY'] },
  { ...onPort('llama-cpp', "llama.cpp's server", 8080, 'llama-server -m MODEL.gguf'), keyEnv: ['LLAMA_API_KEY'] },
  onPort('lmstudio', 'LM Studio', 1234, 'lms server start'),
  { ...hosted('openai', 'OpenAI', 'https://api.openai.com/v1', 'OPENAI_API_KEY'), urlEnv: 'OPENAI_BASE_URL' },
  hosted(
    'gemini',
    'Gemini',
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
  ),
  {
    ...hosted('anthropic', 'Anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY'),
    keyHeader: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
  },
  hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
]

function onPort(name: string, title: string, port: number, start: string): Preset {
  return { name, title, backend: 'openai', url: `http://127.0.0.1:${port}/v1`, keyEnv: [], local: true, port, start }
}

function hosted(name: string, title: string, url: string, ...keyEnv: string[]): Preset {
  return { name, title, backend: 'openai', url, keyEnv, local: false }
}

// Any other server of the OpenAI protocol, given by its address.
export const otherServer: Preset = {
  name: 'server',
  title: 'The server',
  backend: 'openai',
  url: 'http://127.0.0.1:8000/v1',
  keyEnv: [],
  local: true,
}

type Environment = Readonly<Record<string, string | undefined>>

export function presetNamed(name: string): Preset | undefined {
  return presets.find(preset => preset.name === name)
}

// Who listens at an address, where it is that of a hosted one.
export function providerAt(address: string): string | undefined {
  const host = URL.canParse(address) ? new URL(address).host : undefined
  return presets.find(preset => !preset.local && new URL(preset.url).host === host)?.name
}

// The variable that holds the key of a provider here.
export function keyVariable({ keyEnv }: Preset, environment: Environment): string | undefined {
  return keyEnv.find(name => environment[name]?.trim())
}

// The hosted providers whose key is set.
export function keysSet(environment: Environment): Preset[] {
  return presets.filter(preset => !preset.local && keyVariable(preset, environment) !== undefined)
}
