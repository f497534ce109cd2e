import { fileURLToPath } from 'node:url'
import type { Closable, Host } from '../../src/core/backend.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import { BackendError } from '../../src/core/errors.ts'
import { builtFile } from '../../src/core/machine/built-folder.ts'
import { startLasting } from '../../src/media/program/lasting-program.ts'
import { Semaphore } from '../http/semaphore.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import type { SherpaJob, SherpaReply } from './messages.ts'

export interface SherpaModel extends Required<Closable> {
  ask<Result>(job: SherpaJob, signal: AbortSignal): Promise<Result>
}

// Models of sherpa-onnx in a process that starts with the first question and ends when idle for long. After a crash or an abort the
// next question starts another.
export function sherpaModel(name: string, opening: SherpaJob, host: Host): SherpaModel {
  const turn = new Semaphore(1)
  const sharedProcess = closeWhenIdle(() => start(name, opening, host))
  return {
    ask: (job, signal) => turn.run(signal, () => sharedProcess.use(program => program.ask(job, signal))),
    close: sharedProcess.close,
  }
}

interface SherpaProcess extends Required<Closable> {
  ask<Result>(job: SherpaJob, signal: AbortSignal): Promise<Result>
  ended(): boolean
}

// An aborted job ends the process, since native code hears no signal.
async function start(name: string, opening: SherpaJob, host: Host): Promise<SherpaProcess> {
  const environment = Object.entries(host.environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const program = startLasting({
    command: process.execPath,
    args: workerArguments(),
    environment: Object.fromEntries(environment),
    channel: true,
  })
  let waiting: { resolve(result: unknown): void; reject(error: unknown): void } | undefined
  let ended: BackendError | undefined
  let errorOutput = ''
  const end = (what: string) => {
    ended ??= new BackendError(`${name} ${what}.`, { hint: lastLine(errorOutput) })
    waiting?.reject(ended)
  }
  program.stderr.on('data', piece => {
    errorOutput = (errorOutput + piece).slice(-2000)
  })
  program.stdout.resume()
  program.stdin.on('error', () => {}) // its end is told below
  program.onEnd(() => end('crashed: its process has ended'))
  program.onMessage(message => {
    const reply = message as SherpaReply
    if ('error' in reply) waiting?.reject(new BackendError(`${name}: ${reply.error}`, { hint: lastLine(errorOutput) }))
    else waiting?.resolve(reply.result)
  })
  await program.started

  const open: SherpaProcess = {
    async ask<Result>(job: SherpaJob, signal: AbortSignal) {
      signal.throwIfAborted()
      if (ended) throw ended
      const reply = new Promise<unknown>((resolve, reject) => {
        waiting = { resolve, reject }
      })
      program.hold(true)
      try {
        program.send(job)
        return (await untilAborted(reply, signal)) as Result
      } catch (error) {
        if (signal.aborted) {
          end('was stopped')
          program.kill()
        }
        throw error
      } finally {
        waiting = undefined
        program.hold(false)
      }
    },
    ended: () => ended !== undefined,
    async close() {
      end('is closed')
      await program.stop()
    },
  }
  return open.ask(opening, host.signal).then(
    () => open,
    async error => {
      await open.close()
      throw error
    },
  )
}

// The first file of the process: of a build, or as TypeScript through tsx.
function workerArguments(): string[] {
  const { url } = import.meta
  const built = builtFile(url, 'sherpa-worker')
  if (built) return [fileURLToPath(built)]
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('sherpa-worker.ts', url))]
}

function lastLine(text: string): string | undefined {
  const line = text.trim().split('\n').at(-1)
  return line ? `It said: ${line.slice(0, 300)}` : undefined
}
