import type { Ollama } from 'ollama'
import { z } from 'zod'
import { explainReplyIssue } from '../../explain-issue.ts'
import { isMissingModel } from '../../http/ollama.ts'
import { ServerError } from '../../http/server-error.ts'

type Support = 'yes' | 'no' | 'unknown'

interface Capabilities {
  vision: boolean
  thinking: Support
  tools: Support
}

const ShowReply = z
  .object({
    capabilities: z.array(z.string()).nullish(),
    projector_info: z.unknown().optional(),
    details: z.object({ families: z.array(z.string()).nullish() }).nullish(),
  })
  .optional()

// Capabilities of a model. Ollama before 0.6.4 does not list them; a projector then indicates vision. Undefined for
// other servers of the protocol, which have no such request.
export async function readCapabilities(client: Ollama, model: string): Promise<Capabilities | undefined> {
  const result = ShowReply.safeParse(await shownBy(client, model))
  if (!result.success)
    throw new ServerError(
      `chat/ollama: what was told of ${model} has an unknown form (${explainReplyIssue(result.error, 'the reply')}).`,
      { retry: 'once', hint: 'Is it Ollama that listens there? Check the URL.' },
    )
  if (result.data === undefined) return undefined
  const details = result.data
  const list = details.capabilities
  if (list) {
    return {
      vision: list.includes('vision'),
      thinking: list.includes('thinking') ? 'yes' : 'no',
      tools: list.includes('tools') ? 'yes' : 'no',
    }
  }
  const families = details.details?.families ?? []
  const vision =
    details.projector_info !== undefined || families.some(family => family === 'clip' || family === 'mllama')
  return { vision, thinking: 'unknown', tools: 'unknown' }
}

async function shownBy(client: Ollama, model: string): Promise<unknown> {
  try {
    return await client.show({ model })
  } catch (error) {
    if (error instanceof ServerError && error.details.status === 404 && !isMissingModel(error.details.said))
      return undefined
    throw error
  }
}
