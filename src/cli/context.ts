import type { ResolvedConfig } from '../config/resolve.ts'
import type { Runtime } from '../core/runtime.ts'
import type { LineInput } from './chat/lines.ts'
import type { Terminal } from './terminal.ts'

export type CreateRuntime = (options: {
  config: ResolvedConfig
  home: string
  environment: NodeJS.ProcessEnv
  say?(line: string): void
  exceeded?(error: Error): void
}) => Promise<Runtime>

// All that a command touches of the outside; tests bring their own.
export interface World {
  cwd: string
  environment: NodeJS.ProcessEnv
  terminal: Terminal
  signal: AbortSignal
  createRuntime: CreateRuntime
  exceeded?(error: Error): void // ends the process: the bound of memory cannot be kept
  input?: LineInput // where a conversation is typed or piped in
  onInterrupt?(handler: () => void): () => void // Ctrl-C goes there, and not to `signal`, until it is given back
}
