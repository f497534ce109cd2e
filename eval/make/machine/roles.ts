import { z } from 'zod'
import type { Config } from '../../../src/config/schema.ts'
import {
  type ChatModel,
  ChatReply,
  type ChatRequest,
  contentText,
  type Modality,
  type Price,
} from '../../../src/core/chat.ts'
import { BackendError, errorText, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import { Models } from '../../../src/runtime/models/models.ts'
import { usageCost } from '../../../src/runtime/models/prices.ts'
import { loadChoice } from '../../../src/runtime/models/role-families.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { shareCalls, sharedCallKey } from '../../../src/store/call-log/share.ts'
import type { Redact } from '../../../src/store/redact.ts'
import type { MadeModel, MadeModels } from '../../recipes/author.ts'
import { type MakeRole, makeRoles } from '../../recipes/item.ts'
import { keptCalls } from './kept-calls.ts'

// The models of a making: their calls are kept in made/calls, each is made once, and none if a making is replayed.

interface Spent {
  calls: number
  inputTokens: number
  outputTokens: number
  money: number
}

// The money of the making is spent; what was made stays, and --resume goes on.
export class MoneySpent extends LongtakeError {
  readonly exitCode = 6
}

export function checkMoney(spent: number, limit: number | undefined): void {
  if (limit === undefined || spent < limit) return
  throw new MoneySpent(`The making has spent ${spent.toFixed(2)}, and budget.money is ${limit}.`, {
    hint: 'Raise budget.money and use --resume: what was answered is not asked again.',
  })
}

// What a model has said. One that runs and says nothing usable has replied with nothing.
export const MakeReply = z.object({ reply: ChatReply, seconds: z.number(), unusable: z.string().optional() })
export type MakeReply = z.infer<typeof MakeReply>

// A call that is not in made/calls, and how this machine would make it.
export interface ToAsk {
  key: string // by which it is known in made/calls
  n: number // of the calls that are equal to it, since the making was begun or resumed
  price: Price | undefined
  own(): Promise<MakeReply>
}

export interface RolesWish {
  runtime: Pick<LocalRuntime, 'settings' | 'host'>
  folder: string // made/calls
  recorded?: Record<string, RecordedRole[]> // of the making that is replayed: nothing is opened
  redact: Redact
  answer?(call: ToAsk): Promise<MakeReply> // in the place of its own
  onCall(call: { role: MakeRole; model: string; seconds: number; unusable?: string }): void
}

// What is known of a model afterwards.
export type RecordedRole = Pick<MadeModel, 'id' | 'identity'>

export interface OpenRoles {
  models: MadeModels
  spent: Spent // on this making, also before it was stopped
  close(): Promise<void>
}

export async function openRoles(wish: RolesWish): Promise<OpenRoles> {
  const spent = { calls: 0, inputTokens: 0, outputTokens: 0, money: 0 }
  const closers: (() => Promise<void>)[] = []
  const models = {} as MadeModels
  const close = async () => void (await Promise.all(closers.map(one => one())))
  try {
    for (const role of makeRoles) {
      const opened = wish.recorded ? replayed(wish.recorded[role] ?? []) : await openRole(role, wish, closers)
      models[role] = opened.map(one => countCalls(role, one, wish, spent))
    }
    const before = wish.recorded ? [] : await keptCalls(wish.folder, models) // where the making was stopped
    for (const { reply, price } of before) add(spent, reply, price)
  } catch (error) {
    await close()
    throw error
  }
  return { models, spent, close }
}

function add(spent: Spent, { usage }: ChatReply, price: Price | undefined): void {
  spent.calls++
  spent.inputTokens += usage.inputTokens
  spent.outputTokens += usage.outputTokens
  spent.money += usageCost(usage, price)
}

type Opened = Omit<MadeModel, 'ask'>

// `look` is models.vision where nothing else is said; the others are off, and the author is the rules.
async function openRole(role: MakeRole, { runtime }: RolesWish, closers: (() => Promise<void>)[]): Promise<Opened[]> {
  const { settings, host } = runtime
  return Promise.all(
    listChoices(settings, role).map(async choice => {
      const writerModels = new Models({ writer: choice }, host, undefined, settings.prices)
      closers.push(() => writerModels.close())
      await loadChoice('writer', choice, host, roleSetting(role, settings))
      const { service } = await writerModels.open('writer')
      checkFits(role, settings, service)
      const identity = await writerModels.chosen('writer')
      return { id: service.id, chat: service, identity, price: writerModels.price('writer') }
    }),
  )
}

export function listChoices({ make, models }: Config, role: MakeRole): { backend: string }[] {
  if (role === 'look' && make.look === undefined) return models.vision.backend === 'off' ? [] : [models.vision]
  const roleSettings = make[role]
  const list = Array.isArray(roleSettings) ? roleSettings : roleSettings === undefined ? [] : [roleSettings]
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
        const words = contentText(messages.at(-1)?.content ?? [])
        throw new UsageError(`The recorded making has no reply of ${id} to "${words.slice(0, 80)}".`, {
          hint: 'The recipe or its prompts have changed since; make the set again without --replay.',
        })
      },
    },
  }))
}

function countCalls(role: MakeRole, model: Opened, wish: RolesWish, spent: Spent): MadeModel {
  const { folder, redact, onCall, answer, runtime } = wish
  const limit = runtime.settings.budget.money
  const keyOf = (request: ChatRequest) => sharedCallKey(request, model.identity, model.chat.accepts.has('text'))
  const metered = async (request: ChatRequest, signal: AbortSignal, _: unknown, n: number) => {
    const askHere = async () => {
      checkMoney(spent.money, limit)
      return replyOrNothing(model, request, signal)
    }
    const { reply, ...about } = await (answer?.({ key: keyOf(request), n, price: model.price, own: askHere }) ??
      askHere())
    add(spent, reply, model.price)
    onCall({ role, model: model.id, ...about })
    return reply
  }
  const as = { role, chosen: async () => model.identity }
  const shared = shareCalls(folder, role, redact, () => 0).model(model.chat, as, metered)
  const ask: MadeModel['ask'] = async (request, signal) => ({
    id: keyOf(request),
    reply: await shared.reply(request, signal),
  })
  return { ...model, chat: shared, ask }
}

// A model that runs and says nothing usable has replied all the same: with nothing, which is kept and replayed as its reply.
async function replyOrNothing({ chat, id }: Opened, request: ChatRequest, signal: AbortSignal): Promise<MakeReply> {
  const began = performance.now()
  const seconds = () => Math.round(performance.now() - began) / 1000
  try {
    return { reply: await chat.reply(request, signal), seconds: seconds() }
  } catch (error) {
    if (!(error instanceof BackendError) || error.reason === undefined) throw error
    const usage = { inputTokens: 0, outputTokens: 0 }
    const reply: ChatReply = { text: '', calls: [], stop: 'refused', usage, model: id }
    return { reply, seconds: seconds(), unusable: errorText(error) }
  }
}

// Refuses a model that does not take what its role is shown. Rules read what the agent puts beside a prompt, and nothing is beside these.
function checkFits(role: MakeRole, settings: Config, { id, accepts }: ChatModel): void {
  const settingName = roleSetting(role, settings)
  const leave =
    settingName === 'models.vision' ? 'Make without it: --set make.look.backend=off' : `Leave make.${role} out`
  const hint = `${leave}: ${withoutIt[role] ?? 'its checks are then not run, and the card says so'}.`
  if (!accepts.has('text'))
    throw new UsageError(`${settingName} must be a model that reads text, and ${id} reads none.`, { hint })
  const shownKind = isShown[role]
  if (shownKind && !accepts.has(shownKind.as))
    throw new UsageError(`${settingName} must be a model that takes ${shownKind.what}, and ${id} takes none.`, {
      hint: `If it does, add "${shownKind.as}" to its setting "accepts". ${hint}`,
    })
}

// Which setting fills the role.
function roleSetting(role: MakeRole, { make }: Pick<Config, 'make'>): string {
  return role === 'look' && make.look === undefined ? 'models.vision' : `make.${role}`
}

const withoutIt: Partial<Record<MakeRole, string>> = {
  author: 'then the rules of the recipe write',
  look: 'no model then looks, and the card says so',
  listen: 'no model then listens, and the card says so',
}

const isShown: Partial<Record<MakeRole, { what: string; as: Modality }>> = {
  look: { what: 'pictures', as: 'image' },
  glance: { what: 'pictures', as: 'image' },
  listen: { what: 'sound', as: 'audio' },
}
