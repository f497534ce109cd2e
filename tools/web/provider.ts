import type { WebPage } from '../../src/core/services.ts'

// One search engine: how it is asked, and how its answer is read. One file each, one line in index.ts.
export interface WebProvider {
  address?: string // where it is; without one the user must say
  needsKey: boolean
  request(base: URL, query: string, count: number, key?: string): { url: URL; headers: Record<string, string> }
  read(reply: unknown): WebPage[] // throws where the reply is of another form
  explain?(status: number): string | undefined // what one of its error codes means
}
