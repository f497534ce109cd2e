import { errorCode, errorText, LongtakeError } from '../core/errors.ts'
import { resourceFault } from '../core/machine/resource-fault.ts'
import { safeJson, visibleFileName } from '../core/words/visible-text.ts'
import { asSystemError } from '../store/storage-error.ts'
import type { Terminal } from './terminal.ts'
import { reportAddress } from './version.ts'

export const exitCodes = { ok: 0, fault: 1, limit: 5, backend: 4, partial: 6, storage: 7, interrupted: 130 } as const

const codeNames: Readonly<Record<number, string>> = {
  1: 'fault',
  2: 'usage',
  3: 'input',
  4: 'backend',
  5: 'limit',
  6: 'partial',
  7: 'storage',
  130: 'interrupted',
}

interface FailOptions {
  debug?: boolean // with the stack trace
  aborted?: boolean
  json?: 'json' | 'ndjson' // for programs, on stdout too
}

// Reports what went wrong and what to do next, and returns the exit code.
export function fail(error: unknown, terminal: Terminal, options: FailOptions = {}): number {
  terminal.draw([])
  const { message, hint, code } = describe(error, options.aborted ?? false)
  if (options.json) {
    const report = { schemaVersion: 1, error: { code: codeNames[code], message, hint, exitCode: code } }
    // One line, for a reader of lines too: with --json, chat and --watch print a line each time.
    terminal.out(`${safeJson(options.json === 'json' ? report : { type: 'error', ...report })}\n`)
  }
  terminal.say(`error: ${visibleFileName(message)}`)
  if (hint) terminal.say(`hint: ${visibleFileName(hint)}`)
  if (options.debug && error instanceof Error) terminal.say(formatStack(error))
  return code
}

function describe(error: unknown, aborted: boolean): { message: string; hint?: string; code: number } {
  if (error instanceof LongtakeError) return { message: error.message, hint: error.hint, code: error.exitCode }
  if (aborted)
    return { message: 'Stopped.', hint: 'The same command goes on where it stopped.', code: exitCodes.interrupted }
  const refused = resourceFault(error) ?? systemFault(error)
  if (refused) return { message: refused.message, hint: refused.hint, code: refused.exitCode }
  const address = reportAddress()
  return {
    message: `This is a fault of longtake: ${errorText(error)}`,
    hint: `Please report it${address ? ` at ${address}` : ''} with what the same command says with --debug.`,
    code: exitCodes.fault,
  }
}

// A path that is not a folder, may not be written or is gone is the machine's, wherever it is met. Our own files that are missing are not.
function systemFault(error: unknown): LongtakeError | undefined {
  const systemError = errorCode(error) === 'ENOENT' ? error : asSystemError(error)
  return systemError instanceof LongtakeError ? systemError : undefined
}

function formatStack(error: Error): string {
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\ncaused by ${formatStack(error.cause)}` : stack
}
