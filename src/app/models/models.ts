import { type Backend, backendSettings, type Closable, type Family, type Host, type RanOn } from '../../core/backend.ts'
import { UsageError } from '../../core/errors.ts'
import type { Role, RoleServices } from '../../core/services.ts'
import type { Named } from '../../core/tool.ts'
import type { ReplayedCalls } from '../../store/call-log/replay.ts'
import { resultSettings } from '../index/result-settings.ts'
import { roles } from './families.ts'
import { modelMegabytes } from './memory/model-memory.ts'

export interface RoleChoice {
  backend: string
  [setting: string]: unknown
}

// What a role is set to: enough to make a stage key without opening anything.
export interface Chosen {
  by: string // "transcribe/pocketsphinx"
  settings: unknown // those that change its results
  version: string
}

type Replay = Pick<ReplayedCalls, 'chat' | 'refuse' | 'serversTools'>

// Opens each configured model once, when first asked for, and closes all of them together.
export class Models {
  readonly #choices: Partial<Record<Role, RoleChoice>>
  readonly #host: Host
  readonly #open = new Map<string, Promise<unknown>>()
  readonly #replayed: Replay | undefined
  readonly #ran = new Map<string, RanOn & { by: string }>()

  constructor(choices: Partial<Record<Role, RoleChoice>>, host: Host, replayed?: Replay) {
    this.#choices = choices
    this.#host = host
    this.#replayed = replayed
  }

  isOff(role: Role): boolean {
    return (this.#choices[role]?.backend ?? 'off') === 'off'
  }

  choice(role: Role): RoleChoice {
    return this.#choices[role] ?? { backend: 'off' }
  }

  async chosen(role: Role): Promise<Chosen> {
    const { backend: name, ...settings } = await this.#on(role)
    const family = await roles[role]()
    const backend = (await family.load(name)) as Backend<unknown>
    return {
      by: `${family.role}/${name}`,
      settings: await resultSettings(backendSettings(role, name, backend, settings)),
      version: backend.version,
    }
  }

  async open<R extends Role>(role: R): Promise<Named<RoleServices[R]>> {
    const { backend: name, ...settings } = await this.#on(role)
    const family = await roles[role]()
    if (this.#replayed && family.role === 'chat')
      return { by: `${family.role}/${name}`, service: this.#replayed.chat(role) as RoleServices[R] }
    await this.#refuseReplayed(role, name, family)
    const key = `${family.role}/${name} ${JSON.stringify(settings)}`
    const service: Promise<unknown> =
      this.#open.get(key) ?? family.open(name, settings, this.#watching(`${family.role}/${name}`))
    if (!this.#open.has(key)) {
      this.#open.set(key, service)
      service.catch(() => this.#open.delete(key))
    }
    return { by: `${family.role}/${name}`, service: (await service) as RoleServices[R] }
  }

  // A new one that nobody else holds, for services that keep the state of one pass.
  async openFresh<R extends Role>(role: R): Promise<Named<RoleServices[R]>> {
    const { backend: name, ...settings } = await this.#on(role)
    const family = await roles[role]()
    await this.#refuseReplayed(role, name, family)
    return {
      by: `${family.role}/${name}`,
      service: (await family.open(name, settings, this.#watching(`${family.role}/${name}`))) as RoleServices[R],
    }
  }

  // Something else that lives as long as the models do.
  async keep<Kept extends Closable>(key: string, open: (host: Host) => Promise<Kept>): Promise<Kept> {
    const kept = (this.#open.get(key) as Promise<Kept> | undefined) ?? open(this.#host)
    if (!this.#open.has(key)) {
      this.#open.set(key, kept)
      kept.catch(() => this.#open.delete(key))
    }
    return kept
  }

  // What the role's work takes, MB, with as little side by side as it takes to stay within `room`.
  async megabytes(role: Role, room: number): Promise<number> {
    const { backend: name, ...settings } = await this.#on(role)
    const family = await roles[role]()
    const backend = (await family.load(name)) as Backend<unknown>
    const parsed = backendSettings(role, name, backend, settings)
    return backend.memory?.(parsed, room).megabytes ?? modelMegabytes(backend.needs?.(parsed) ?? [], this.#host)
  }

  // Closes what was opened for this role: the next one may need its memory.
  async release(role: Role): Promise<void> {
    const { backend: name, ...settings } = await this.#on(role)
    const family = await roles[role]()
    const key = `${family.role}/${name} ${JSON.stringify(settings)}`
    const service = this.#open.get(key) as Promise<Closable> | undefined
    this.#open.delete(key)
    await (await service?.catch(() => undefined))?.close?.()
  }

  async close(): Promise<void> {
    const services = await Promise.allSettled(this.#open.values())
    this.#open.clear()
    for (const found of services) {
      if (found.status === 'fulfilled') await (found.value as { close?(): Promise<void> }).close?.()
    }
  }

  // The same choices, with a recorded run in place of every model that would be asked over a network.
  replaying(calls: Replay): Models {
    return new Models(this.#choices, this.#host, calls)
  }

  get replayed(): Replay | undefined {
    return this.#replayed
  }

  // Which device the models of a backend, or all of them, really ran on so far.
  ran(by?: string): RanOn[] {
    return [...this.#ran.values()].filter(found => !by || found.by === by).map(({ by: _, ...report }) => report)
  }

  // A replay asks no server.
  async #refuseReplayed(role: Role, name: string, family: Family<unknown>): Promise<void> {
    if (this.#replayed && (await family.load(name)).reaches === 'network')
      throw this.#replayed.refuse(`call of models.${role} (${name})`)
  }

  #watching(by: string): Host {
    return { ...this.#host, ran: report => this.#ran.set(`${by} ${report.model}`, { by, ...report }) }
  }

  async #on(role: Role): Promise<RoleChoice> {
    const choice = this.choice(role)
    if (choice.backend !== 'off') return choice
    const family: Family<unknown> = await roles[role]()
    const backends = await Promise.all(family.names.map(family.load))
    const real = family.names.filter((_, at) => !backends[at].standIn)
    throw new UsageError(`The role "${role}" is off in this profile.`, {
      hint: `Set a backend (${real.join(', ')}), as --set models.${role}.backend=${real[0]}; "longtake doctor" shows what each still needs.`,
    })
  }
}
