import type { Host } from '../../core/backend.ts'

export interface HostOptions {
  home: string // the data folder
  environment: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal // ends the work
  say?(line: string): void // for what a person who waits should know
  turns?: Host['turns'] // of a cluster
}

// What the backends may use of this process.
export function buildHost({
  home,
  environment,
  signal = new AbortController().signal,
  say = () => {},
  turns,
}: HostOptions): Host {
  return { folder: `${home}/models`, environment, signal, say, ...(turns && { turns }) }
}
