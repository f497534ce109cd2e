import { z } from 'zod'
import { firstZodIssue, UsageError, unknownName } from './errors.ts'
import { memoryRoom } from './machine/memory.ts'

// What a backend may use of its environment.
export interface Host {
  folder: string // for its own model files
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  say(line: string): void // reports one line to the user
  owner?: string // the backend that this was given to, "embedImage/siglip"
  ran?(report: RanOn): void // which device a model really runs on: called when it is opened, and again once that was read back
  turns?(server: ServerName): RequestTurns | undefined // where a server has limits that several machines share
}

export interface ServerName {
  address: string // without secrets
  provider?: string // "openai"
}

// The limits of a server, over all who ask it.
export interface RequestTurns {
  // Waits until one more request may be sent. It counts as under way for so many seconds at most, should this process die.
  take(seconds: number, signal: AbortSignal): Promise<RequestTurn>
}

export interface RequestTurn {
  // What the request took, or how long the server asks everyone to wait.
  end(outcome: { tokens?: number; waitSeconds?: number }): void
}

// Where a model runs: the provider that accepted it, and where known how many of its operations ran on each.
export const RanOn = z.object({
  model: z.string(),
  device: z.string(), // that was asked for
  provider: z.string(),
  threads: z.number().optional(),
  precision: z.string().optional(), // of its files
  operations: z.record(z.string(), z.number()).optional(),
})
export type RanOn = z.infer<typeof RanOn>

// "cuda, fp16"; "cpu, fp32, 4 threads".
export function placeText({ provider, precision, threads }: RanOn): string {
  const shared = provider === 'cpu' && threads ? `${threads} thread${threads === 1 ? '' : 's'}` : undefined
  return [provider, precision, shared].filter(Boolean).join(', ')
}

// Something that must be there before a backend can open: a program, a model file, a server.
export interface ModelNeed {
  name: string
  met(host: Host): Promise<boolean>
  mend: string // the one command or setting that brings it
  model?: ModelFiles // where the need is files of the hub, so that they can be fetched
}

// Files of a model in a repository of the hub, as "onnx/vision_model.onnx".
interface ModelFiles {
  repository: string
  revision: string
  files: string[]
  optional?: string[] // fetched where the repository has them
}

// One way to fill a role. A backend is one file whose default export is this, and one line in its family.
export interface Backend<Service, Settings = unknown> extends BackendTraits {
  summary: string
  version: string // part of every stage key: raise it when the output changes
  versionFor?(settings: Settings): string // in its place, if the output changed only for some settings
  thinkingTokens?(settings: Settings): number // the most room that this chat model gives thinking; without it, none
  settings: z.ZodType<Settings>
  // The settings with what they leave to us (`auto`) as it is on this machine. They are asked for needs and opened so, and they are
  // what the key of a stage is made of.
  resolve?(settings: Settings, host: Pick<Host, 'environment'>): Promise<Settings>
  needs?(settings: Settings): ModelNeed[]
  // What its work takes besides the process itself, MB, and the settings with as little side by side as it takes to stay within
  // `room`; asked where memory is bound. Without it the size of its model files tells.
  memory?(settings: Settings, room: number): { megabytes: number; settings: Settings }
  open(settings: Settings, host: Host): Promise<Service>
}

// What other code may know of a backend beside its name.
export interface BackendTraits {
  // Runs in this process or on programs of the install, asks no server, and by its defaults reads no file of the user's:
  // a settings file that was only found may choose it by name.
  selfContained?: true
  reaches?: 'network' // its work asks a server, itself or through a chat model that it holds
  server?: ModelServer // which one, where it can say what models it has
  purposes?: readonly string[] // all that this chat model can be asked for (core/chat.ts); without it, anything
  standIn?: true // stands in for a model, never suggested as a fix for a missing model
}

export function backendVersion<Settings>(backend: Backend<unknown, Settings>, settings: Settings): string {
  return backend.versionFor?.(settings) ?? backend.version
}

// A server of models, as the settings of a backend name it.
export interface ModelServer {
  name: string // "Ollama"
  models(settings: Record<string, unknown>, host: Host): Promise<string[] | undefined> // undefined: it keeps no list
  fetches?: true // it gets a model by its name
  // Takes the model of these settings off the card of this machine, and says so; undefined if it holds nothing there.
  unload?(settings: Record<string, unknown>, host: Host): Promise<string | undefined>
}

export interface Closable {
  close?(): Promise<void>
}

// All ways to fill one role. The same list feeds --help, doctor and "choose one of".
export interface BackendFamily<Service> {
  role: string
  names: string[]
  load(name: string): Promise<Backend<Service>>
  open(name: string, settings: unknown, host: Host): Promise<Service>
}

type BackendFile<Service> = () => Promise<{ default: Backend<Service> }>

export function family<Service>(role: string, files: Record<string, BackendFile<Service>>): BackendFamily<Service> {
  const load = async (name: string) => {
    const file = Object.hasOwn(files, name) && files[name]
    if (!file) throw unknownName(`${role} backend`, name, Object.keys(files))
    return (await file()).default
  }
  return {
    role,
    names: Object.keys(files),
    load,
    async open(name, settings, host) {
      const backend = await load(name)
      const parsed = withinBound(backend, await resolvedSettings(role, name, backend, settings, host))
      for (const need of backend.needs?.(parsed) ?? []) {
        if (!(await need.met(host)))
          throw new UsageError(`${role}/${name} needs ${need.name}, which is not there.`, { hint: need.mend })
      }
      return backend.open(parsed, host)
    },
  }
}

function withinBound<Settings>(backend: Backend<unknown, Settings>, settings: Settings): Settings {
  const room = memoryRoom()
  return room === undefined ? settings : (backend.memory?.(settings, room).settings ?? settings)
}

export async function resolvedSettings<Settings>(
  role: string,
  name: string,
  backend: Backend<unknown, Settings>,
  settings: unknown,
  host: Pick<Host, 'environment'>,
  place?: string,
): Promise<Settings> {
  const parsed = backendSettings(role, name, backend, settings, place)
  return backend.resolve?.(parsed, host) ?? parsed
}

// The settings with their defaults filled in; a wrong one is named with its place among the settings of longtake.
export function backendSettings<Settings>(
  role: string,
  name: string,
  backend: Backend<unknown, Settings>,
  settings: unknown,
  place = `models.${role}`,
): Settings {
  const parsed = backend.settings.safeParse(settings ?? {})
  if (parsed.success) return parsed.data
  const issue = firstZodIssue(parsed.error)
  const path = issue.path.join('.')
  const once =
    backend.server && path === 'model'
      ? 'Name a server once for all roles, with --set server.url=ADDRESS. Or set'
      : 'Set'
  const set = path ? `${once} it with --set ${place}.${path}=VALUE or in the settings file. ` : ''
  throw new UsageError(`${place} (${name}): ${path || 'settings'}: ${issue.message}.`, {
    hint: `${set}See "longtake config schema" for what each backend takes.`,
  })
}
