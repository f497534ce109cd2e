import { resolve } from 'node:path'
import type { openTables, pullShared } from 'longtake-cluster'
import type { Flags } from '../config/layers/typed-layers.ts'
import type { ResolvedConfig } from '../config/resolve.ts'
import { UsageError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import { parseTime } from '../core/words/time-text.ts'
import { safeJson } from '../core/words/visible-text.ts'
import type { HostOptions } from '../runtime/models/host.ts'
import type { LineInput } from './chat/lines.ts'
import { fromPackage } from './packages.ts'
import type { Terminal } from './terminal.ts'

export type CreateRuntime = (options: {
  config: ResolvedConfig
  home: string
  environment: NodeJS.ProcessEnv
  say?(line: string): void
  shared?: ReturnType<typeof pullShared>['shared']
  elsewhere?: ReturnType<typeof pullShared>['elsewhere']
  searchTables?: ReturnType<typeof openTables>['search']
  exceeded?(error: Error): void
}) => Promise<Runtime>

// Everything that a command uses of the outside world; tests bring their own.
export interface CommandContext {
  cwd: string
  environment: NodeJS.ProcessEnv
  terminal: Terminal
  signal: AbortSignal
  traces?: string // OTEL_EXPORTER_OTLP_ENDPOINT: spans of requests go there, with only ids and times
  createRuntime: CreateRuntime
  exceeded?(error: Error): void // ends the process: the bound of memory cannot be kept
  input?: LineInput // where a conversation is typed or piped in
  onStop?(handler: () => void): void // the first signal to stop goes there, and the command ends in its own time
  onInterrupt?(handler: () => void): () => void // Ctrl-C goes there, and not to `signal`, until it is given back
}

const budgetOptions = {
  '--max-steps': 'budget.steps',
  '--max-tokens': 'budget.tokens',
  '--max-frames': 'budget.frames',
  '--max-seconds': 'budget.seconds',
  '--max-money': 'budget.money',
} as const

export type CallOptions = Readonly<Record<string, unknown>>

// One parsed command line, and what the command may use to run it. Nothing loads before it is needed.
export class Call {
  readonly arguments: readonly string[]
  readonly #options: CallOptions
  readonly world: CommandContext
  #settings?: Promise<ResolvedConfig>
  #runtime?: Promise<Runtime>
  readonly #noticed = new Set<string>()
  #home?: Promise<string>
  #pulling?: ReturnType<typeof pullShared>
  #tables?: ReturnType<typeof openTables>

  constructor(given: readonly string[], options: CallOptions, world: CommandContext) {
    this.arguments = given
    this.#options = options
    this.world = world
  }

  get terminal(): Terminal {
    return this.world.terminal
  }

  get signal(): AbortSignal {
    return this.world.signal
  }

  get json(): boolean {
    return this.has('--json')
  }

  has(flag: string): boolean {
    return this.#options[camelCase(flag)] === true
  }

  text(flag: string): string | undefined {
    const value = this.#options[camelCase(flag)]
    return typeof value === 'string' ? value : undefined
  }

  list(flag: string): string[] {
    const value = this.#options[camelCase(flag)]
    return Array.isArray(value) ? value.map(String) : []
  }

  integer(flag: string, min = 1, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const text = this.text(flag)
    if (text === undefined) return undefined
    if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
    const kind = min === 1 ? 'a positive integer' : `an integer from ${min}${max < 1e15 ? ` to ${max}` : ''}`
    throw new UsageError(`${flag} must be ${kind}, not "${text}".`)
  }

  // In seconds. Behind hours or minutes there are at most 59.
  time(flag: string): number | undefined {
    const text = this.text(flag)
    if (text === undefined) return undefined
    const seconds = parseTime(text)
    const [, ...parts] = text.split(':')
    if (seconds !== undefined && parts.every(part => Number.parseFloat(part) < 60)) return seconds
    throw new UsageError(`${flag} must be a time, not "${text}".`, {
      hint: 'Write it as 1:02:03, 2:03.5 or 62 (seconds).',
    })
  }

  // A path given by a flag, resolved from the working folder.
  path(flag: string): string | undefined {
    const path = this.text(flag)
    return path === undefined ? undefined : resolve(this.world.cwd, path)
  }

  // The value of an option that this command cannot do without.
  required(flag: string, hint: string): string {
    const text = this.text(flag)
    if (text === undefined) throw new UsageError(`${flag} is missing.`, { hint })
    return text
  }

  requiredPath(flag: string, hint: string): string {
    return resolve(this.world.cwd, this.required(flag, hint))
  }

  // An argument that the table declares as required: the parser has checked that it is there.
  argument(at = 0): string {
    const argument = this.arguments[at]
    if (argument === undefined) throw new Error(`Argument ${at + 1} is missing.`)
    return argument
  }

  // The home of everything that longtake keeps.
  home(): Promise<string> {
    this.#home ??= this.#openHome()
    return this.#home
  }

  async #openHome(): Promise<string> {
    const { dataHome } = await import('../store/home/home.ts')
    const { keepPrivate } = await import('../store/home/private-home.ts')
    const home = dataHome(this.world.environment)
    await keepPrivate(home, line => this.remark(line))
    return home
  }

  // What the work of a command may use of this process.
  async host(): Promise<Required<Omit<HostOptions, 'turns'>>> {
    const { environment } = this.world
    return { home: await this.home(), environment, signal: this.signal, say: line => this.remark(line) }
  }

  settings(file = this.text('--config')): Promise<ResolvedConfig> {
    this.#settings ??= this.#resolve(file)
    return this.#settings
  }

  // Those of a run, with the models that it began with: LONGTAKE_MODEL is for new ones.
  settingsOfRun(file: string): Promise<ResolvedConfig> {
    if (this.text('--model') !== undefined)
      throw new UsageError('A run resumes with the models that it started with; --model names another one.', {
        hint: 'Leave --model out, or go on in a new run: longtake ask --fork RUN --from-step N --model NAME.',
      })
    this.#settings ??= this.#resolveRun(file)
    return this.#settings
  }

  async #resolveRun(file: string): Promise<ResolvedConfig> {
    const { laterPolicies } = await import('../config/later-policies.ts')
    return this.#resolve(file, [{ flag: 'the run', path: 'model', text: 'off' }], await laterPolicies(file))
  }

  #resolve(
    file: string | undefined,
    fixed: NonNullable<Flags['named']> = [],
    before: string[] = [], // assignments that --set may replace
  ): Promise<ResolvedConfig> {
    const flags = {
      '--profile': 'profile',
      '--model': 'model',
      '--effort': 'effort',
      '--max-memory': 'limits.memory',
      ...budgetOptions,
    }
    const named = Object.entries(flags).flatMap(([flag, path]) => {
      const text = this.text(flag)
      return text === undefined ? [] : [{ flag, path, text }]
    })
    const trusting = this.has('--trust-mtime') ? ['index.trustMtime=true'] : []
    return this.resolve(file, {
      set: [...before, ...this.list('--set'), ...this.#tools(), ...trusting],
      named: [...named, ...fixed],
    })
  }

  // Settings from a file and flags; reports what a settings file that was only found may not set.
  async resolve(file: string | undefined, flags: Flags): Promise<ResolvedConfig> {
    const { resolveHere } = await import('../runtime/models/resolve-here.ts')
    const { cwd, environment } = this.world
    const config = await resolveHere({ cwd, environment, file, flags })
    for (const notice of config.notices) {
      if (!this.#noticed.has(notice)) this.terminal.say(notice) // with --quiet too: the run is not the one that was set
      this.#noticed.add(notice)
    }
    return config
  }

  // The files of --tool, relative to the working folder; they replace those of the settings.
  #tools(): string[] {
    const files = this.list('--tool').map(file => resolve(this.world.cwd, file))
    return files.length > 0 ? [`tools.files=${JSON.stringify(files)}`] : []
  }

  // Reports the profile and the settings file in use: a result depends on both.
  runtime(): Promise<Runtime> {
    this.#runtime ??= this.#open()
    return this.#runtime
  }

  async #open(): Promise<Runtime> {
    const { createRuntime, environment } = this.world
    const config = await this.settings()
    const home = await this.home()
    const { database, store } = config.settings.cluster
    if (database !== undefined && store !== undefined) {
      const { pullShared } = await loadCluster()
      this.#pulling = pullShared({ home, settings: config.settings, environment, signal: this.signal })
    }
    if (database !== undefined) {
      const { openTables } = await loadCluster()
      this.#tables = openTables(config.settings.cluster, environment)
    }
    const runtime = await createRuntime({
      config,
      home,
      environment,
      shared: this.#pulling?.shared,
      elsewhere: this.#pulling?.elsewhere,
      searchTables: this.#tables?.search,
      say: line => this.remark(line),
      exceeded: error => this.world.exceeded?.(error),
    })
    const line = await this.#profileLine(runtime.profile, config)
    if (line !== '') this.remark(line)
    return runtime
  }

  // A result depends on both. With rules only, the line says what more there is, once a day.
  async #profileLine({ name, why }: Runtime['profile'], { file, settings }: ResolvedConfig): Promise<string> {
    const from = file === undefined ? '' : `Settings: ${file}.`
    const { model = 'off', server, profile } = settings
    const byRules = name === 'embedded' && model === 'off' && server?.url === undefined
    if (!byRules || this.has('--verbose')) return `Profile ${name}: ${why.replace(/\.$/, '')}. ${from}`.trim()
    if (profile !== 'auto') return from
    const { isFirstToday } = await import('../store/home/first-today.ts')
    if (this.terminal.live && !(await isFirstToday(await this.home(), 'no-model'))) return from
    return `Answering by rules: no model found. "longtake setup" adds one. ${from}`.trim()
  }

  async close(): Promise<void> {
    const runtime = await this.#runtime?.catch(() => undefined)
    await runtime?.close()
    await this.#pulling?.close()
    await this.#tables?.close()
  }

  // A line for the user; --quiet suppresses it.
  remark(line: string): void {
    if (!this.has('--quiet')) this.terminal.say(line)
  }

  // The one JSON document of --json.
  document(content: object): void {
    this.terminal.out(`${safeJson({ schemaVersion: 1, ...content }, 2)}\n`)
  }
}

export function camelCase(flag: string): string {
  return flag.replace(/^--/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

// `wanted` is what the package is needed for, if it is not installed.
export const loadCluster = (wanted = 'cluster.database') =>
  fromPackage('longtake-cluster', wanted, () => import('longtake-cluster'))
