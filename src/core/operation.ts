import type { z } from 'zod'
import type { Box } from './evidence.ts'
import type { OperationReply } from './operation-reply.ts'
import type { LibrarySearch } from './runtime.ts'
import type { ToolContext } from './tool.ts'
import type { Frame, SearchQuery, Video, VideoIndex } from './video.ts'

// One thing that a host, a program or a person can do with the memory of a video. Offered alike by MCP, REST and the command line.
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string // for a model: when to use it, what comes back
  input: Input
  asksModels?: true // another call may say something else, and a hosted model costs money
  run(input: z.output<Input>, memory: VideoMemory): Promise<OperationReply>
}

// What operations work with.
export interface VideoMemory {
  videos(): Promise<Video[]>
  open<Result>(video: Video, work: (index: VideoIndex) => Result | Promise<Result>): Promise<Result>
  search(query: SearchQuery): Promise<LibrarySearch> // in every video that has an index
  frames(video: Video, times: number[], width: number, region?: Box): Promise<Frame[]>
  context(index: VideoIndex): ToolContext
  answerer(): Promise<string> // who answers questions, and what it cannot do
  signal: AbortSignal
}
