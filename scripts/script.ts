import { errorText, LongtakeError } from '../src/core/errors.ts'

// Runs the work of a script: Ctrl-C aborts it, and an error of ours is a sentence with its hint.
export async function runScript(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  try {
    await work(stop.signal)
  } catch (error) {
    if (!(error instanceof LongtakeError)) throw error
    console.error(`error: ${errorText(error)}`)
    if (error.hint) console.error(`hint: ${error.hint}`)
    process.exitCode = error.exitCode
  }
}

// A line of progress, which the next one replaces; nothing where stderr is not a terminal.
export function live(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}\r`)
}
