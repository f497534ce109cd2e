import { UsageError } from '../../src/core/errors.ts'

// A prompt with a place {name} for each value. A person may supply the wording.
export function fillTemplate(text: string, values: Record<string, string | undefined>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : place,
  )
}

// A prompt in which something is filled in must have a place for it.
export function checkTemplate(text: string, place: string, names: readonly string[]): void {
  const missing = names.find(name => !text.includes(`{${name}}`))
  if (missing === undefined) return
  throw new UsageError(`${place} has no place for {${missing}}.`, {
    hint: `Write ${names.map(name => `{${name}}`).join(', ')} where they belong in the prompt.`,
  })
}
