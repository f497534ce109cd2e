import { UsageError } from '../../src/core/errors.ts'

export function refuseOtherThanEnglish(name: string, language: string | undefined, hint: string): void {
  if (!language || /^(en|eng|english|und)\b/i.test(language)) return
  throw new UsageError(`${name} knows English only, and the speech is said to be "${language}".`, { hint })
}
