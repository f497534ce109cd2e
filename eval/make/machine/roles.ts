import { costOf } from '../../../src/app/ask/prices.ts'
import { Models } from '../../../src/app/models/models.ts'
import type { OpenRuntime } from '../../../src/app/runtime.ts'
import type { Config } from '../../../src/config/schema.ts'
import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  decorate,
  emptyUsage,
  type Price,
} from '../../../src/core/chat.ts'
import { BackendError, errorText, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import { readCalls } from '../../../src/store/call-log/resume.ts'
import { shareCalls, sharedCallKey } from '../../../src/store/call-log/share.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { type MakeRole, makeRoles } from '../item.ts'

// The models of a making: their calls are kept in made/calls, each is made once, and none where a making is replayed.

export interface MadeModel {
  id: string
  chat: ChatModel
  identity: unknown // backend and settings, by which its calls are known again
  price?: Price
  ask(request: ChatRequest, signal: AbortSignal): Promise<{ id: string; reply: ChatReply }>
}

export type MadeModels = Record<MakeRole, MadeModel[]>

export interface Spent {
  calls: number
  inputTokens: number
  outputTokens: number
  money: number
}

// The money of the making is spent; what was made stays, and --resume goes on.
export class MoneySpent extends LongtakeError {
  readonly exitCode = 6
}

export interface RolesWish {
  runtime: OpenRuntime
  folder: string // made/calls
  recorded?: Record<string, RecordedRole[]> // of the making that is replayed: nothing is opened
  redact: Redact
  onCall(call: { role: MakeRole; model: string; seconds: number; unusable?: string }): void
}

// What is known of a model afterwards.
export interface RecordedRole {
  id: string
  identity: unknown
}

export interface OpenRoles {
  models: MadeModels
  spent: Spent // on this making, also before it was stopped
  close(): Promise<void>
}

export async function openRoles(wish: RolesWish): Promise<OpenRoles> {
  const spent = { calls: 0, inputTokens: 0, outputTokens: 0, money: 0 }
  const closers: (() => Promise<void>)[] = []
  const models = Object.fromEntries(makeRoles.map(role => [role, [] as MadeModel[]])) as MadeModels
  for (const role of makeRoles) {
    const opened = wish.recorded ? replayed(wish.recorded[role] ?? []) : await openRole(role, wish, closers)
    models[role] = opened.map(one => kept(role, one, wish, spent))
  }
  if (!wish.recorded) await addSpent(spent, models, wish.folder)
  return { models, spent, close: async () => void (await Promise.all(closers.map(close => close()))) }
}

// What the calls took that were made before the making was stopped.
async function addSpent(spent: Spent, models: MadeModels, folder: string): Promise<void> {
  for (const call of await readCalls(folder)) {
    if (call.kind !== 'chat' || !call.reply) continue
    const asked = models[call.row as MakeRole]?.find(({ id }) => id === call.model)
    add(spent, call.reply, asked?.price)
  }
}

function add(spent: Spent, { usage }: ChatReply, price: Price | undefined): void {
  spent.calls++
  spent.inputTokens += usage.inputTokens
  spent.outputTokens += usage.outputTokens
  spent.money += costOf({ ...emptyUsage, ...usage }, price)
}

type Opened = Omit<MadeModel, 'ask'>

// `look` is models.vision where nothing else is said; the others are off, and the author is the rules.
async function openRole(role: MakeRole, { runtime }: RolesWish, closers: (() => Promise<void>)[]): Promise<Opened[]> {
  const { settings, host } = runtime
  const chosen = choicesOf(settings, role)
  return Promise.all(
    chosen.map(async choice => {
      const own = new Models({ writer: choice }, host, undefined, settings.prices)
      closers.push(() => own.close())
      const { service } = await own.open('writer')
      if (!service.accepts.has('text')) throw readsNothing(role, service.id)
      return { id: service.id, chat: service, identity: await own.chosen('writer'), price: own.price('writer') }
    }),
  )
}

// Rules read what the agent puts beside a prompt, and nothing is beside these.
function readsNothing(role: MakeRole, id: string): UsageError {
  return new UsageError(`make.${role} must be a model that reads text, and ${id} reads none.`, {
    hint:
      role === 'author'
        ? 'Leave make.author out: then the rules of the recipe write.'
        : `Leave make.${role} out: its checks are then not run, and the card says so.`,
  })
}

export function choicesOf({ make, models }: Config, role: MakeRole): { backend: string }[] {
  if (role === 'look' && make.look === undefined) return models.vision.backend === 'off' ? [] : [models.vision]
  const given = make[role]
  const list = Array.isArray(given) ? given : given === undefined ? [] : [given]
  return list.filter(({ backend }) => backend !== 'off')
}

function replayed(recorded: readonly RecordedRole[]): Opened[] {
  return recorded.map(({ id, identity }) => ({
    id,
    identity,
    chat: {
      id,
      accepts: new Set(['text', 'image', 'audio']),
      reply: async ({ messages }) => {
        const words = messages
          .at(-1)
          ?.content.map(part => (part.type === 'text' ? part.text : part.type))
          .join(' ')
        throw new UsageError(`The recorded making has no reply of ${id} to "${words?.slice(0, 80)}".`, {
          hint: 'The recipe or its prompts have changed since; make the set again without --replay.',
        })
      },
    },
  }))
}

function kept(role: MakeRole, model: Opened, wish: RolesWish, spent: Spent): MadeModel {
  const { folder, redact, onCall, runtime } = wish
  const limit = runtime.settings.budget.money
  const metered = decorate(model.chat, async (request, signal) => {
    if (limit !== undefined && spent.money >= limit)
      throw new MoneySpent(`The making has spent ${spent.money.toFixed(2)}, and budget.money is ${limit}.`, {
        hint: 'Raise budget.money and use --resume: what was answered is not asked again.',
      })
    const began = performance.now()
    const { reply, unusable } = await replyOrNothing(model, request, signal)
    add(spent, reply, model.price)
    const seconds = Math.round(performance.now() - began) / 1000
    onCall({ role, model: model.id, seconds, ...(unusable !== undefined && { unusable }) })
    return reply
  })
  const as = { role, chosen: async () => model.identity }
  const shared = shareCalls(folder, role, redact, () => 0).model(metered, as)
  return {
    ...model,
    chat: shared,
    ask: async (request, signal) => ({
      id: sharedCallKey(request, model.identity, model.chat.accepts.has('text')),
      reply: await shared.reply(request, signal),
    }),
  }
}

// A model that runs and says nothing usable has replied all the same: with nothing, which is kept and replayed as its reply.
async function replyOrNothing(
  { chat, id }: Opened,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<{ reply: ChatReply; unusable?: string }> {
  try {
    return { reply: await chat.reply(request, signal) }
  } catch (error) {
    if (!(error instanceof BackendError) || error.reason === undefined) throw error
    const usage = { inputTokens: 0, outputTokens: 0 }
    return { reply: { text: '', calls: [], stop: 'refused', usage, model: id }, unusable: errorText(error) }
  }
}
