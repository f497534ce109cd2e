import type { ProfileName } from '../config/profiles.ts'
import { resolveConfig } from '../config/resolve.ts'
import type { RunEvent } from '../core/agent.ts'
import { dataHome } from '../store/home/home.ts'
import { keepPrivate } from '../store/home/private-home.ts'
import { createRuntime, type LocalRuntime } from './runtime.ts'

export interface OpenOptions {
  profile?: 'auto' | ProfileName
  model?: string // of the chat roles: "ollama/qwen3-vl:8b", "openai/NAME", "vllm", "http://127.0.0.1:8000/v1"
  settings?: Record<string, unknown> // as in longtake.config.json: { index: { level: 'quick' } }
  config?: string // a settings file; none is looked for
  home?: string // the data folder; LONGTAKE_HOME or the platform's where it is left out
  environment?: Readonly<Record<string, string | undefined>> // instead of process.env
  watch?(event: RunEvent): void // the stages of indexing
  say?(line: string): void // for what a person who waits should know
  signal?: AbortSignal // stops the opening; what is indexed by then is kept
}

// The runtime as the library opens it.
export async function openRuntime(options: OpenOptions): Promise<{ runtime: LocalRuntime; home: string }> {
  const { environment = process.env, say = () => {}, settings, profile, model, config: file, home: given } = options
  const home = given ?? dataHome(environment)
  await keepPrivate(home, say)
  const values = { ...settings, ...(profile ? { profile } : {}), ...(model ? { model } : {}) }
  const givenLayer = { values, place: 'the options of open()' }
  const config = await resolveConfig({ cwd: process.cwd(), environment, file, given: givenLayer, search: false })
  return { runtime: await createRuntime({ config, home, environment, say: options.say }), home }
}
