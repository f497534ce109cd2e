import { chatModels } from '../../../../models/chat/index.ts'
import { tryOnce } from '../../../../models/chat/probe/try-once.ts'
import { oneTry } from '../../../../models/http/limits.ts'
import type { Host } from '../../../core/backend.ts'
import { type ModelCandidate, toRoleChoice } from './fill-roles.ts'

// Time to load the model is in it.
const seconds = 180

// Asks a model for a tool call and about one picture.
export async function tryModel(model: ModelCandidate, host: Host): Promise<{ callsTools?: boolean; sees?: boolean }> {
  const { backend, ...settings } = toRoleChoice('planner', { ...model, sees: undefined })
  const limits = { ...oneTry(), attemptSeconds: seconds }
  const opened = await chatModels.open(backend, { ...settings, limits }, { ...host, say: () => {} })
  try {
    return await tryOnce(opened, host.signal)
  } finally {
    await opened.close?.()
  }
}
