import type { ResolvedConfig } from '../src/config/resolve.ts'

// Where an evaluation runs: the settings, the folder of all that is kept, and who is spoken to.
export interface BenchWorld {
  config: ResolvedConfig
  home: string
  environment: Readonly<Record<string, string | undefined>>
  version: string
  say(line: string): void
  signal: AbortSignal
}
