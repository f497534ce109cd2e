import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { modelFolder } from '../../../models/hub/model-folder.ts'
import type { Config } from '../../config/schema.ts'
import { backendVersion, type Closable, type Host, type ModelNeed, type RanOn } from '../../core/backend.ts'
import type { ChatModel, Price } from '../../core/chat.ts'
import { UsageError } from '../../core/errors.ts'
import type { Role, RoleServices } from '../../core/services.ts'
import type { NamedService } from '../../core/tool.ts'
import type { ReplayedCalls } from '../../store/call-log/replay.ts'
import { priceIn } from './prices.ts'
import { resultSettings } from './result-settings.ts'
import { howToFill, type LoadedChoice, loadChoice, type RoleChoice, type RoleChoices } from './role-families.ts'

// What a role is set to: enough to make a stage key without opening anything.
interface Chosen {
  by: string // "transcribe/pocketsphinx"
  settings: unknown // those that change its results
  version: string
  purposes?: readonly string[] // all that it can be asked for; see core/backend.ts
}

const NamedChat = z.object({ backend: z.string(), model: z.unknown() })

type Replay = Pick<ReplayedCalls, 'chat' | 'refuse' | 'serversTools'>

// Opens each configured model once, when first asked for, and closes all of them together.
export class Models {
  readonly #choices: RoleChoices
  readonly #host: Host
  readonly #prices: Config['prices']
  readonly #open = new Map<string, Promise<unknown>>()
  readonly #replayed: Replay | undefined
  readonly #ran = new Map<string, RanOn & { by: string }>()

  constructor(choices: RoleChoices, host: Host, replayed?: Replay, prices: Config['prices'] = {}) {
    this.#prices = prices
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

  // Of a million tokens of its model; undefined if nobody said.
  price(role: Role): Price | undefined {
    const { backend, model, chat } = this.choice(role)
    const nestedChat = NamedChat.safeParse(chat).data // the chat model that a backend asks in its turn
    return (
      priceIn(this.#prices, backend, model) ??
      (nestedChat && priceIn(this.#prices, nestedChat.backend, nestedChat.model))
    )
  }

  // The most room that the chat model of the role gives thinking, as far as its settings tell.
  async thinkingTokens(role: Role): Promise<number> {
    const { backend, settings } = await this.#on(role)
    return backend.thinkingTokens?.(settings) ?? 0
  }

  async chosen(role: Role): Promise<Chosen> {
    const { by, settings, backend } = await this.#on(role)
    const { purposes } = backend
    const version = backendVersion(backend, settings)
    return { by, settings: await resultSettings(settings, this.#host), version, ...(purposes && { purposes }) }
  }

  // What is taken by something that stands in for a model; undefined if a real one fills the role, which would have to be loaded.
  async standInTakes(role: 'planner'): Promise<ChatModel['accepts'] | undefined> {
    if (this.isOff(role) || !(await this.#on(role)).backend.standIn) return undefined
    return (await this.open(role)).service.accepts
  }

  async open<R extends Role>(role: R): Promise<NamedService<RoleServices[R]>> {
    const choice = await this.#on(role)
    if (this.#replayed && choice.family.role === 'chat')
      return { by: choice.by, service: this.#replayed.chat(role) as RoleServices[R] }
    const service = await this.keep(buildKey(choice), () => this.#openNew(role, choice))
    return { by: choice.by, service: service as RoleServices[R] }
  }

  // A new instance that is not shared, for services that keep the state of one pass.
  async openFresh<R extends Role>(role: R): Promise<NamedService<RoleServices[R]>> {
    const choice = await this.#on(role)
    return { by: choice.by, service: (await this.#openNew(role, choice)) as RoleServices[R] }
  }

  // Keeps anything that is opened once open until close().
  async keep<Kept>(key: string, open: (host: Host) => Promise<Kept>): Promise<Kept> {
    const service = (this.#open.get(key) as Promise<Kept> | undefined) ?? open(this.#host)
    if (!this.#open.has(key)) {
      this.#open.set(key, service)
      service.catch(() => this.#open.delete(key))
    }
    return service
  }

  // What the role's work takes, MB, with as little side by side as it takes to stay within `room`.
  async megabytes(role: Role, room: number): Promise<number> {
    const { backend, settings } = await this.#on(role)
    return backend.memory?.(settings, room).megabytes ?? modelMegabytes(backend.needs?.(settings) ?? [], this.#host)
  }

  // Closes what was opened for this role: the next one may need its memory.
  async release(role: Role): Promise<void> {
    const key = buildKey(await this.#on(role))
    const service = this.#open.get(key) as Promise<Closable> | undefined
    this.#open.delete(key)
    await (await service?.catch(() => undefined))?.close?.()
  }

  // Idle models of a role, or of all that do not chat, leave the card: a stage is over, or questions come. The services stay open.
  async leaveCard(role?: Role): Promise<void> {
    const { card } = await import('../../../models/onnx/card/card.ts')
    if (card().loaded.length === 0) return
    const all = role ? [role] : (Object.keys(this.#choices) as Role[])
    const choices = await Promise.all(all.filter(one => !this.isOff(one)).map(one => this.#on(one)))
    await card().release(choices.filter(({ family }) => role || family.role !== 'chat').map(({ by }) => by))
  }

  async close(): Promise<void> {
    const services = await Promise.allSettled(this.#open.values())
    this.#open.clear()
    for (const result of services) {
      if (result.status === 'fulfilled') await (result.value as { close?(): Promise<void> }).close?.()
    }
  }

  // The same choices, with a recorded run in place of every model that would be asked over a network.
  replaying(calls: Replay): Models {
    return new Models(this.#choices, this.#host, calls, this.#prices)
  }

  get replayed(): Replay | undefined {
    return this.#replayed
  }

  // Which device the models of a backend, or all of them, really ran on so far.
  ran(by?: string): RanOn[] {
    return [...this.#ran.values()].filter(found => !by || found.by === by).map(({ by: _, ...report }) => report)
  }

  // A replay calls no server.
  async #openNew(role: Role, { name, by, family, backend, given }: LoadedChoice): Promise<unknown> {
    if (this.#replayed && backend.reaches === 'network') throw this.#replayed.refuse(`call of models.${role} (${name})`)
    const ran = (report: RanOn) => this.#ran.set(`${by} ${report.model}`, { by, ...report })
    return family.open(name, given, { ...this.#host, owner: by, ran })
  }

  async #on(role: Role): Promise<LoadedChoice> {
    const choice = this.choice(role)
    if (choice.backend !== 'off') return loadChoice(role, choice, this.#host)
    throw new UsageError(`The role "${role}" is off in this profile.`, { hint: await howToFill(role) })
  }
}

function buildKey({ by, given }: LoadedChoice): string {
  return `${by} ${JSON.stringify(given)}`
}

const runtime = 60 // MB of ONNX Runtime and a thread
const share = 1.3 // of its file that an open model takes with what goes through it

// What the models of a backend take, MB, from the size of their files; a backend without any takes little.
async function modelMegabytes(needs: readonly ModelNeed[], host: Host): Promise<number> {
  let bytes = 0
  for (const { model } of needs) {
    const folder = model && (await modelFolder(model, host))
    for (const file of folder ? model.files : [])
      bytes += await stat(join(folder ?? '', file)).then(
        found => found.size,
        () => 0,
      )
  }
  return bytes === 0 ? 20 : runtime + (bytes / 1e6) * share
}
