import type { BackendFamily, Host, RanOn } from '../../../core/backend.ts'
import { withDeadline } from '../../../core/basics/signals.ts'
import { errorText, LongtakeError } from '../../../core/errors.ts'
import type { RoleCheck, RoleReport } from '../../../core/runtime.ts'
import type { Role } from '../../../core/services.ts'
import { loadChoice, type RoleChoice, roles } from '../role-families.ts'
import { type Tried, trials } from './trials.ts'

const patience = 180 // seconds for all that is tried of one role

// The checks that a role must pass; the others are only reported.
const needed: Partial<Record<Role, RoleCheck['what'][]>> = {
  planner: ['answers', 'tools'],
  writer: ['answers', 'schema'],
  verifier: ['answers', 'schema'],
  judge: ['answers', 'schema'],
  vision: ['answers', 'images'],
}

// Really opens a role and gives it one tiny piece of its work. Roles that share a model and its settings are tried once.
export function roleProber(host: Host): (role: Role, choice: RoleChoice, looked: RoleReport) => Promise<RoleReport> {
  const tried = new Map<string, Promise<Outcome>>()
  return async (role, choice, looked) => {
    if (looked.state !== 'ready') return looked
    const family = (await roles[role]()).role
    const key = `${family} ${JSON.stringify(choice)}`
    const outcome = tried.get(key) ?? tryRole(role, choice, host)
    tried.set(key, outcome)
    return { ...looked, ...judged(role, await outcome, looked.detail) }
  }
}

interface Outcome {
  tried?: Tried
  failed?: { detail: string; mend: string }
  models?: string[]
  ran: RanOn[]
  seconds: number
}

async function tryRole(role: Role, choice: RoleChoice, host: Host): Promise<Outcome> {
  const began = performance.now()
  const ran = new Map<string, RanOn>()
  const limit = withDeadline(patience, host.signal)
  const { signal } = limit
  const watching: Host = { ...host, signal, say() {}, ran: report => ran.set(report.model, report) }
  const outcome: Outcome = { ran: [], seconds: 0 }
  try {
    outcome.models = await served(role, choice, watching)
    outcome.tried = await openAndTry(role, choice, watching)
  } catch (error) {
    host.signal.throwIfAborted()
    outcome.failed = { detail: errorText(error), mend: fixFor(error, role, signal) }
  } finally {
    limit.clear()
  }
  return { ...outcome, ran: [...ran.values()], seconds: (performance.now() - began) / 1000 }
}

async function openAndTry(role: Role, choice: RoleChoice, host: Host): Promise<Tried> {
  const { family, backend, settings } = await loadChoice(role, choice, host)
  const service = await backend.open(hurried(settings), host)
  try {
    // Rules and scripts are no language models: there is nothing to find out about them.
    if (backend.standIn && family.role === 'chat') return 'works without any model'
    const trial = trials[role] as ((service: unknown, signal: AbortSignal) => Promise<Tried>) | undefined
    return (await trial?.(service, host.signal)) ?? 'it was opened'
  } finally {
    await (service as { close?(): Promise<void> }).close?.()
  }
}

// One try is enough to see how a server is.
function hurried(settings: unknown): unknown {
  if (!settings || typeof settings !== 'object') return settings
  const { limits, chat, ...rest } = settings as Record<string, unknown>
  return {
    ...rest,
    ...(chat ? { chat: { ...chat, limits: { ...(chat as { limits?: object }).limits, attempts: 1 } } } : {}),
    ...(limits ? { limits: { ...limits, attempts: 1 } } : {}),
  }
}

// Asked of the server itself, for a backend that has one, or of the one that its chat model has.
async function served(role: Role, { backend, ...settings }: RoleChoice, host: Host): Promise<string[] | undefined> {
  const { chat } = settings as { chat?: RoleChoice }
  if (chat && typeof chat === 'object') return served('planner', chat, host)
  const family: BackendFamily<unknown> = await roles[role]()
  return (await family.load(backend)).server?.models(settings, host)
}

function fixFor(error: unknown, role: Role, signal: AbortSignal): string {
  if (error instanceof LongtakeError && error.hint) return error.hint
  if (signal.aborted) return `It takes longer than ${patience} s: choose a smaller model for models.${role}.`
  return `See "longtake doctor --debug", or choose another backend: --set models.${role}.backend=NAME.`
}

function judged(role: Role, outcome: Outcome, summary: string): Partial<RoleReport> {
  const { tried, failed, models, ran, seconds } = outcome
  const common = { seconds, ...(models && { models }), ...(ran.length > 0 && { ran }) }
  if (failed) return { ...common, state: 'broken', ...failed }
  if (typeof tried === 'string' || !tried) return { ...common, detail: `${summary}: ${tried}` }
  const lacking = (needed[role] ?? ['answers']).flatMap(what => tried.filter(check => check.what === what))
  const worst =
    lacking.find(check => check.state === 'no' || check.state === 'not tried') ??
    lacking.find(check => check.state === 'partly')
  if (!worst || worst.state === 'yes')
    return { ...common, checks: tried, detail: tried.find(check => check.what === 'answers')?.detail ?? summary }
  const state = worst.state === 'partly' ? 'weak' : 'broken'
  return { ...common, checks: tried, state, detail: worst.detail, mend: worst.mend ?? 'Choose another model.' }
}
