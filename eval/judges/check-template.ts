import { UsageError } from '../../src/core/errors.ts'

// A prompt in which something is filled in must have a place for it.
export function checkTemplate(text: string, place: string, names: readonly string[]): void {
  const missing = names.find(name => !text.includes(`{${name}}`))
  if (missing === undefined) return
  throw new UsageError(`${place} has no place for {${missing}}.`, {
    hint: `Write ${names.map(name => `{${name}}`).join(', ')} where they belong in the prompt.`,
  })
}
