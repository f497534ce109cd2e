import type { ChatModel } from '../../../src/core/chat.ts'
import { LongtakeError } from '../../../src/core/errors.ts'

interface Opening {
  open(role: 'planner' | 'vision'): Promise<{ service: Pick<ChatModel, 'id' | 'accepts'> }>
}

// The model of a role if it takes pictures. One that cannot be opened is reported when it is asked.
export async function openSeeing(models: Opening, role: 'planner' | 'vision') {
  const opened = await models.open(role).catch((error: unknown) => {
    if (error instanceof LongtakeError) return undefined
    throw error
  })
  return opened?.service.accepts.has('image') ? opened.service : undefined
}
