import { probes } from '../../models/chat/probe/probes.ts'
import type { ForkSettings } from '../core/api/job.ts'
import { errorText } from '../core/errors.ts'
import { answeringRoles } from './ask/open-agent.ts'
import { loadChoice } from './models/role-families.ts'
import type { LocalRuntime } from './runtime.ts'

interface AnsweringChoice {
  name: string
  by: string
  settings: ForkSettings // that differ from those of the runtime
}

// Who can answer beside whoever was chosen at the start: rules, and the models that the server of the planner has here already.
export async function listAnswering({ models, host }: AnsweringRuntime): Promise<{
  choices: AnsweringChoice[]
  fault?: string
}> {
  const planner = models.choice('planner')
  const ownName = String(planner.model ?? planner.backend)
  const choices: AnsweringChoice[] = [{ name: ownName, by: planner.backend, settings: {} }]
  const { backend, settings } = await loadChoice('planner', planner, host)
  if (!backend.standIn) choices.push({ name: 'rules', by: 'rules', settings: forRoles('', 'rules') })
  try {
    const names = (await backend.server?.models(settings as Record<string, unknown>, host)) ?? []
    const served = answeringRoles.filter(role => models.choice(role).backend === planner.backend)
    for (const name of names)
      if (name !== ownName) choices.push({ name, by: planner.backend, settings: forRoles('.model', name, served) })
    return { choices }
  } catch (error) {
    return { choices, fault: errorText(error) }
  }
}

type AnsweringRuntime = Pick<LocalRuntime, 'models' | 'host'>

function forRoles(setting: string, value: string, of: readonly string[] = answeringRoles): ForkSettings {
  return Object.fromEntries(of.map(role => [`models.${role}${setting}`, value]))
}

// One small question to who writes the answers.
export async function tryAnswering({ models, host }: AnsweringRuntime, signal: AbortSignal) {
  const began = performance.now()
  const { by, service } = await models.open('writer')
  const { backend } = await loadChoice('writer', models.choice('writer'), host)
  if (backend.standIn) return { by, seconds: 0, reply: 'Rules need no model.' }
  const { detail } = await probes.answers(service, AbortSignal.any([signal, host.signal]))
  return { by, seconds: (performance.now() - began) / 1000, reply: detail }
}
