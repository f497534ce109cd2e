import { join } from 'node:path'
import { decorate } from '../../../src/core/chat.ts'
import { contentHash } from '../../../src/core/json.ts'
import { resumeCalls } from '../../../src/store/call-log/resume.ts'
import type { RunContext } from './run-context.ts'

// Where the calls of one question are kept. Ids of samples come from data sets: they become folder names, and two must never
// become one.
export function callFolder(runFolder: string, key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)
  return join(runFolder, 'calls', plain === key ? plain : `${plain}-${contentHash(key).slice(0, 10)}`)
}

// The log of these calls. In an epoch after the first, every request has the number of the epoch as its seed.
export function questionCalls(
  { redact, epoch }: Pick<RunContext, 'redact' | 'epoch'>,
  folder: string,
): ReturnType<typeof resumeCalls> {
  const log = resumeCalls(folder, redact)
  if (epoch === undefined) return log
  return {
    ...log,
    model(model) {
      const logged = log.model(model)
      return decorate(logged, (request, signal, onText) =>
        logged.reply({ ...request, seed: request.seed ?? epoch }, signal, onText),
      )
    },
  }
}
