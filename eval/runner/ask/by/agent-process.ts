import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { untilAborted, whenAborted, withDeadline } from '../../../../src/core/basics/signals.ts'
import { BackendError, UsageError } from '../../../../src/core/errors.ts'
import { findProgram } from '../../../../src/media/program/find-program.ts'
import { type LastingProgram, startLasting } from '../../../../src/media/program/lasting-program.ts'

const maxOutput = 16e6 // bytes that an agent may write for one question
const keptErrors = 2000 // bytes of its last words

// The words of a command without a shell: quotes keep words together, and a backslash the next character.
export function splitCommand(command: string): string[] {
  const words = [...command.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/g, '$1'),
    ),
  )
  if (words.length > 0) return words
  throw new UsageError('--by names no command.', { hint: 'Write --by "acp:COMMAND" or --by "mcp-host:COMMAND".' })
}

export async function checkCommand(command: string, environment: Readonly<Record<string, string | undefined>>) {
  const [program = ''] = splitCommand(command)
  if (program.includes('/') || program.includes(delimiter)) return
  if ((await findProgram(program, environment)) === undefined)
    throw new UsageError(`--by starts "${program}", which is not a program on this machine.`, {
      hint: 'Install it, or write its path.',
    })
}

export interface AgentProcess {
  write(text: string): void
  closeInput(): void
  onOutput(then: (text: string) => void): void
  ended: Promise<void> // rejects if it failed
}

export interface ProcessOptions {
  words: readonly string[]
  folder: string
  environment: Readonly<Record<string, string | undefined>>
  seconds: number
  signal: AbortSignal
}

// Runs an agent for one question. When the work is over, too late or too loud, it and all that it has started are ended.
export async function withAgent<Result>(
  { words: [command = '', ...args], folder, environment, seconds, signal }: ProcessOptions,
  work: (agent: AgentProcess) => Promise<Result>,
): Promise<Result> {
  const late = () => new BackendError(`The agent gave no answer in ${seconds} s (budget.seconds).`)
  const deadline = withDeadline(seconds, signal, late)
  const variables = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const mark = `LONGTAKE_AGENT=${randomUUID()}`
  const marked = Object.fromEntries([...variables, mark.split('=')])
  const program = startLasting({ command, args, folder, environment: marked })
  const unlisten = whenAborted(deadline.signal, () => {
    program.kill()
    killMarked(mark)
  })
  try {
    const agent = listenTo(program, deadline.abort)
    return await untilAborted(work(agent), deadline.signal)
  } finally {
    unlisten()
    deadline.clear()
    await program.stop()
    killMarked(mark)
  }
}

// On Linux, what has left the process group of its agent is found by the mark in its environment: again, for what it had just started.
function killMarked(mark: string): void {
  if (process.platform !== 'linux') return
  const isKilled = (id: string) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(mark) && process.kill(Number(id), 'SIGKILL')
    } catch {
      return false // it is gone, or another user's
    }
  }
  const pids = () => readdirSync('/proc').filter(name => /^\d+$/.test(name))
  for (let round = 0; round < 10 && pids().filter(isKilled).length > 0; round++);
}

function listenTo(program: LastingProgram, abort: (reason: unknown) => void): AgentProcess {
  const decoder = new TextDecoder()
  let bytes = 0
  let errors = ''
  let listener: (text: string) => void = () => {}
  const count = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > maxOutput) abort(new BackendError(`The agent wrote more than ${maxOutput / 1e6} MB for one question.`))
  }
  program.stdout.on('data', (piece: Buffer) => {
    count(piece)
    listener(decoder.decode(piece, { stream: true }))
  })
  program.stderr.on('data', (piece: Buffer) => {
    count(piece)
    errors = (errors + piece.toString('utf8')).slice(-keptErrors)
  })
  program.stdin.on('error', () => {}) // its end says why
  const ended = new Promise<void>((resolve, reject) => {
    program.started.catch(error => reject(new BackendError(`The agent could not be started: ${error.message}.`)))
    program.onEnd((code, signal) => {
      if (code === 0) return resolve()
      const how = signal === null ? `with code ${code}` : `by ${signal}`
      const last = errors.trim().split('\n').at(-1)?.slice(0, 300)
      reject(new BackendError(`The agent ended ${how} before it had answered.${last ? ` It wrote "${last}".` : ''}`))
    })
  })
  ended.catch(() => {}) // whoever waits for it is told
  return {
    write: text => void program.stdin.write(text),
    closeInput: () => void program.stdin.end(),
    onOutput(then) {
      listener = then
    },
    ended,
  }
}
