import { readFileSync } from 'node:fs'

type Words = 'oddities' | 'digitRuns' | 'boxes' | 'tarSizes' | 'paxFields' | 'subtitles' | 'replies' | 'tool-calls'

// Words of each format and oddities of every kind, which mutations put into inputs.
export const dictionary: Record<Words, string[]> = read('dictionary.json')

// A record of each benchmark, as its files hold them.
export const records: Record<string, object> = read('records.json')

// Replies of models: texts, bodies of every protocol, and streams.
export const replySeeds: string[] = read('reply-seeds.json')

// An argument of every name that a tool knows.
export const toolArguments: object = read('tool-arguments.json')

function read(name: string) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}
