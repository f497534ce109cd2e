import type { Preset } from '../../../../models/http/presets.ts'

// A model that a server has. What is undefined is not known.
export interface ServedModel {
  name: string
  chats?: boolean // false: it embeds, ranks, transcribes, draws or speaks
  sees?: boolean
  hears?: boolean
  callsTools?: boolean
  thinks?: boolean
  embeds?: boolean
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
