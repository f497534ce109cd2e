import { z } from 'zod'
import type { Preset } from '../../../../models/http/presets.ts'

// What a model can do. What is undefined is not known.
export const Capabilities = z.object({
  chats: z.boolean().optional(), // false: it embeds, ranks, transcribes, draws or speaks
  sees: z.boolean().optional(),
  hears: z.boolean().optional(),
  callsTools: z.boolean().optional(),
  thinks: z.boolean().optional(),
  embeds: z.boolean().optional(),
})
export type Capabilities = z.infer<typeof Capabilities>

// A model that a server has.
export interface ServedModel extends Capabilities {
  name: string
  transcribes?: boolean
  since?: string // when its family came out, "2025-09"
  size?: number // billions of parameters
  digest?: string
  elsewhere?: boolean // the server passes the work on to another machine
}

export interface FoundServer {
  preset: Preset
  url: string // with the path that its backend asks
  models: ServedModel[] // all that it lists, in its order
  fault?: string // it listens and does not say what it has
}
