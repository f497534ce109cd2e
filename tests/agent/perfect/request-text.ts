import type { ChatRequest } from '../../../src/core/chat.ts'
import type { Truth } from './truth.ts'

// What of a request a model reads: its messages, its tools and the schema of the reply. Neither brief nor purpose.
export function wordsIn({ messages }: ChatRequest): string {
  return messages
    .filter(one => one.role !== 'system')
    .flatMap(one => one.content.map(part => (part.type === 'text' ? part.text : '')))
    .join('\n')
}

// The question that is asked now: the last that the text names.
export function askedIn(words: string, truths: readonly Truth[]): Truth | undefined {
  const now = words.replace(/^Earlier question: .*$/gm, '')
  const named = truths.filter(one => now.includes(one.question))
  const longest = Math.max(0, ...named.map(one => one.question.length))
  return named.find(one => one.question.length === longest)
}

export function hasOptions(words: string, { options = [] }: Truth): boolean {
  return options.length > 0 && options.every(option => words.includes(option)) && /^options\b/im.test(words)
}

export function propertiesOf(schema: object | undefined): string[] {
  return Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
}

export function fenced(words: string, name: string): string[] {
  return [...words.matchAll(new RegExp(`<data ${name}>\\n([\\s\\S]*?)\\n</data>`, 'g'))].map(match => match[1] ?? '')
}
