import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type HubClient, hubFault } from '../../../models/hub/hub-client.ts'
import { tierNames, tierRoles } from '../../config/tiers.ts'
import type { Tree } from '../../config/tree.ts'
import type { Host } from '../../core/backend.ts'
import { errorText, LongtakeError } from '../../core/errors.ts'
import type { Role } from '../../core/services.ts'
import { forgetSetupChoice, keepSetupChoice, readSetupChoice } from '../../store/models/setup-choice.ts'
import type { DownloadProgress } from '../models/manager/fetch-file.ts'
import { pullModels } from '../models/manager/pull.ts'
import { type OwnFile, overLocal, type WantedSettings, withWanted, writeOwnFile } from './own-settings.ts'
import { chatRoles, hubFix, type SetupChoice, type SetupPlan, type SetupStep } from './plan.ts'

export interface SetupOutcome {
  steps: (SetupStep & { fetched?: boolean })[]
  file: string
  changed: boolean // the settings file
  complete: boolean
}

interface CarryOutOptions {
  home: string
  host: Host
  own: OwnFile
  source?: HubClient // in place of the hub
  onProgress(progress: DownloadProgress): void
  onStep(step: SetupStep, at: number): void // when it is done, or could not be
}

// Fetches what is missing and writes the settings of what is here then. What cannot be done is left for the next time, and so is
// the rest where it is interrupted: the choice is kept until all of it is done.
export async function carryOut(plan: SetupPlan, options: CarryOutOptions): Promise<SetupOutcome> {
  const { home, host, own, source } = options
  await keepSetupChoice(home, plan.choice)
  const steps: SetupOutcome['steps'] = []
  let fault: string | undefined // of the hub, found on the way
  for (const step of plan.steps) {
    const finishedStep = step.state !== 'to fetch' ? step : await fetched(step, fault, options)
    if (finishedStep.state === 'cannot' && step.state === 'to fetch' && step.pull?.model.kind === 'hub' && !source)
      fault ??= await hubFault(host)
    steps.push(finishedStep)
    options.onStep(finishedStep, steps.length)
  }
  const complete = isComplete(steps)
  const content = settingsAfter(plan, steps, own.content)
  const changed = !isDeepStrictEqual(content, own.content)
  if (changed) await writeOwnFile({ path: own.path, content })
  if (complete) await forgetSetupChoice(home)
  return { steps, file: own.path, changed, complete }
}

async function fetched(
  step: SetupStep,
  fault: string | undefined,
  { home, host, source, onProgress }: CarryOutOptions,
): Promise<SetupStep & { fetched?: boolean }> {
  if (!step.pull) return step
  if (fault && step.pull.model.kind === 'hub') return { ...step, state: 'cannot', why: fault, fix: hubFix }
  try {
    await pullModels([step.pull], { home, host, source, update: false, onProgress })
    return { ...step, state: 'here', fetched: true }
  } catch (error) {
    host.signal.throwIfAborted()
    const fix = (error instanceof LongtakeError && error.hint) || hubFix
    return { ...step, state: 'cannot', why: errorText(error).replace(/\.$/, ''), fix }
  }
}

export function isComplete(steps: readonly SetupStep[]): boolean {
  return steps.every(({ state }) => state === 'here')
}

// Profile "local" only where everything that it needs is here. Else what is set stays, but for the roles whose models are here now,
// and "auto" sees to the others.
export function settingsAfter({ choice, roles }: SetupPlan, steps: readonly SetupStep[], content: Tree): Tree {
  const lacking = new Set(steps.filter(({ state }) => state !== 'here').flatMap(step => step.roles))
  const model = lacking.has('planner') ? (content.model as string | undefined) : choice.model
  // What is set for a role by itself goes before the model.
  const byModel = choice.model && !lacking.has('planner') ? unset(chatRoles) : {}
  if (!choice.tier) return withWanted(content, { model, roles: byModel })
  if (choice.tier === 'embedded') {
    const all = tierNames.flatMap(name => Object.keys(tierRoles(name)) as Role[])
    return withWanted(content, { profile: 'embedded', model, roles: unset(all) })
  }
  if (isComplete(steps))
    return withWanted(content, { profile: 'local', model, roles: { ...overLocal(roles), ...byModel } })
  const ready = Object.fromEntries(Object.entries(roles).filter(([role]) => !lacking.has(role)))
  const isNew = content.profile !== 'local' && Object.keys(ready).length > 0
  return withWanted(content, { ...(isNew && { profile: 'auto' }), model, roles: { ...ready, ...byModel } })
}

function unset(roles: readonly Role[]): WantedSettings['roles'] {
  return Object.fromEntries(roles.map(role => [role, undefined]))
}

const Choice = z.object({ tier: z.enum([...tierNames, 'embedded']).optional(), model: z.string().optional() })

// What was begun and is not done yet.
export async function unfinishedChoice(home: string): Promise<SetupChoice | undefined> {
  return Choice.safeParse(await readSetupChoice(home)).data
}
