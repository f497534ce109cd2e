import type { Ollama } from 'ollama'
import { z } from 'zod'
import { ServerFault } from '../../http/fault.ts'

type Known = 'yes' | 'no' | 'unknown'

export interface Capabilities {
  vision: boolean
  thinking: Known
  tools: Known
}

const Shown = z.object({
  capabilities: z.array(z.string()).nullish(),
  projector_info: z.unknown().optional(),
  details: z.object({ families: z.array(z.string()).nullish() }).nullish(),
})

// What Ollama knows of a model. Versions before 0.6.4 list no capabilities; there, vision shows in the projector.
export async function capabilitiesOf(client: Ollama, model: string): Promise<Capabilities> {
  const result = Shown.safeParse(await client.show({ model }))
  if (!result.success)
    throw new ServerFault(
      `chat/ollama: what was told of ${model} has an unknown form (${result.error.issues[0].path.join('.')}).`,
      {
        again: 'once',
        hint: 'Is it Ollama that listens there? Check the URL.',
      },
    )
  const shown = result.data
  const list = shown.capabilities
  if (list) {
    return {
      vision: list.includes('vision'),
      thinking: list.includes('thinking') ? 'yes' : 'no',
      tools: list.includes('tools') ? 'yes' : 'no',
    }
  }
  const families = shown.details?.families ?? []
  const vision = shown.projector_info !== undefined || families.some(family => family === 'clip' || family === 'mllama')
  return { vision, thinking: 'unknown', tools: 'unknown' }
}
