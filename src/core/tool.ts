import type { z } from 'zod'
import type { Usage } from './chat.ts'
import type { Box, Evidence, Finding, Track } from './evidence.ts'
import type { HelperStep } from './run/step.ts'
import type { Role, RoleServices, WebSearcher } from './services.ts'
import type { Span } from './time.ts'
import type { AudioSource, Frame, Video, VideoIndex } from './video.ts'

// What a run's tools may use, opened when first asked for. A role that is off or not ready throws a UsageError that says how to get it.
export type ToolServices = { [R in Role]: () => Promise<NamedService<RoleServices[R]>> } & {
  web?(): Promise<NamedService<WebSearcher>>
}

// A service and who it is, for `Evidence.by`: "transcribe/pocketsphinx".
export interface NamedService<Service> {
  by: string
  service: Service
  madeIndex?: boolean // the index was made by the very same, with the same settings
}

export type Permission = 'network' | 'code' | 'servers' // servers: tools of MCP servers that the settings do not call safe

export interface ToolContext extends ToolSight, ToolEvidence {
  video: Video
  index: VideoIndex
  services: ToolServices
  permissions: ReadonlySet<Permission> // fixed by the user before any frame is read
  memory: Memory
  spend(usage: Partial<Usage>): void
  limits?: { code?: CodeLimits; lookFrames?: number | 'auto' } // the usual ones where left out
  focus?(wish: FocusWish): Promise<Focused> // sends out a helper; only where the planner is a language model
  signal: AbortSignal
}

// What a tool sees and hears of the video.
export interface ToolSight {
  // Decoded from the file itself, at the nearest presentation time; a keyframe that lies up to `near` seconds before will do.
  // A region is cut out of the whole frame before it is scaled.
  frames(times: number[], width?: number, near?: number, region?: Box): Promise<Frame[]>
  jpeg?(frame: Frame): Promise<Uint8Array> // as models are sent it
  framesLeft?(): number // of the budget of the question
  audio(): Promise<AudioSource | undefined>
}

// The rows that a tool may read and write.
export interface ToolEvidence {
  evidence(id: string): Evidence | undefined // of the run's ledger or the index
  known?(): Evidence[] // every row of the index and of what this run's tools noted
  round?: number // of tool calls, from 0: where a note came from
  note(finding: Finding, by: string): Evidence // stamps a finding for this video
}

// What a helper is sent out for: one question that can be understood alone, about one span.
export interface FocusWish {
  question: string
  span: Span
}

// What it comes back with: sentences that were checked, with the rows that they rest on.
export interface Focused {
  sentences: { text: string; cites: string[] }[]
  evidence: Evidence[] // that the sentences cite
  unknown: string[]
  confidence: number
  ended?: string // why, where it is not that it had its answer
  steps: HelperStep[]
  spent: Usage
}

// Of one program that execute_code runs.
export interface CodeLimits {
  seconds: number
  megabytes: number
  outputCharacters: number
}

export interface Memory {
  add(text: string, source: string): string
  remove(id: string): boolean
  search(query: string): { id: string; text: string; source: string }[]
}

// Evidence found, and a text for the planner if the rows do not say it all.
export interface ToolResult {
  evidence: Evidence[]
  text?: string
  outcome?: 'found' | 'nothing' // only where the rows do not say it: a sum that was worked out has none and is found
  steps?: HelperStep[] // of a helper that it sent out
}

// What a tool is for, whatever its name is. The code of the agent asks for kinds; a tool without one is only the planner's.
//   search: finds the rows that fit some words best    list: gives all rows of a span in time order    overview: the whole video
//   look, listen, read: goes back to the frames or the sound of a span    memory: keeps notes
export const toolKinds = ['search', 'list', 'overview', 'look', 'listen', 'read', 'memory'] as const
export type ToolKind = (typeof toolKinds)[number]

// What the code asks a tool of some kind for.
export interface ToolWish {
  query?: string // key words
  question?: string
  about?: string // only rows that hold these words
  tracks?: Track[]
  start?: number
  end?: number
  k?: number
  limit?: number
}

// Something the agent can do to a video. One file a tool, one line in tools/index.ts.
export interface Tool<Input = unknown> {
  name: string
  description: string // for the planner: when to use it, what comes back
  kind?: ToolKind
  makes?: Track[] // the tracks of the rows that it makes while a question is answered
  input: z.ZodType<Input>
  arguments?(wish: ToolWish): object // the wish by the names of its own parameters, where they are others
  danger?: Permission // runs only with this permission, which content can never give
  sends?: 'helper' // shown only to a planner that is a language model, and never to a helper itself
  varies?: true // the same call may find something else later: it rests on what the run learned
  offered?(index: VideoIndex): boolean // whether it has anything to do in this video; where it does not say, it always has
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

export function filterOffered(tools: readonly Tool[], index: VideoIndex): Tool[] {
  return tools.filter(tool => tool.offered?.(index) ?? true)
}
