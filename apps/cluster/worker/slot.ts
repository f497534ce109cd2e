import { fileURLToPath } from 'node:url'
import { whenAborted } from '../../../src/core/basics/signals.ts'
import { BackendError, errorText } from '../../../src/core/errors.ts'
import { builtFile } from '../../../src/core/machine/built-folder.ts'
import { type LastingProgram, startLasting } from '../../../src/media/program/lasting-program.ts'
import type { Counted } from '../observe/counters.ts'
import type { FromSlot, SlotOpening, SlotTask, TaskEnding, ToSlot } from '../task/messages.ts'

type Progress = Extract<FromSlot, { type: 'progress' }>

interface SlotOptions extends SlotOpening {
  environment: Readonly<Record<string, string | undefined>>
  maxJobs?: number // after which the process is replaced, whatever has gathered in it
  maxMegabytes: number
  quietSeconds?: number // without any progress: it hangs
  say(line: string): void
  count?(counted: Counted): void
}

export interface Slot {
  run(task: SlotTask, progress: (far: Progress) => void, signal: AbortSignal): Promise<TaskEnding>
  fresh(): Promise<void> // the next job gets a new process
  close(): Promise<void>
}

const usual = { maxJobs: 200, quietSeconds: 1800 }
const patience = 5000 // milliseconds that a stopped job has to end by itself

// One job at a time in a process that stays warm. It is replaced where it has ended, holds too much or hangs; the job that it had then
// is told to have crashed.
export function openSlot(options: SlotOptions): Slot {
  const { maxJobs, quietSeconds } = { ...usual, ...options }
  let child: Child | undefined
  let jobs = 0

  const replace = async () => {
    const old = child
    child = undefined
    jobs = 0
    await old?.program.stop()
  }
  return {
    async run(task, progress, signal) {
      if (child?.ended) await replace()
      child ??= await startChild(options)
      jobs++
      const { ending, megabytes } = await atWork(child, task, progress, signal, quietSeconds)
      if (ending.kind === 'crashed' || jobs >= maxJobs || megabytes > options.maxMegabytes) await replace()
      return ending
    },
    fresh: replace,
    close: replace,
  }
}

interface Child {
  program: LastingProgram
  ended?: string
  heard?(message: FromSlot): void
}

async function startChild({ home, settings, environment, say, count }: SlotOptions): Promise<Child> {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const program = startLasting({
    command: process.execPath,
    args: firstFile(),
    environment: Object.fromEntries(set),
    channel: true,
  })
  await program.started.catch(cause => {
    throw new BackendError(`The process of a slot cannot be started: ${errorText(cause)}.`, { cause, retryable: true })
  })
  const child: Child = { program }
  let errorOutput = ''
  program.stderr.on('data', piece => {
    errorOutput = (errorOutput + piece).slice(-2000)
  })
  program.stdout.resume()
  program.stdin.on('error', () => {}) // its end is told below
  const end = (how: string) => {
    const line = errorOutput.trim().split('\n').at(-1)
    child.ended = `${how}${line ? `; it said: ${line.slice(0, 300)}` : ''}`
    child.heard?.({ type: 'ended', ending: { kind: 'crashed', how: child.ended }, megabytes: 0 })
  }
  program.onEnd((code, signal) => end(signal ? `ended by ${signal}` : `ended with code ${code}`))
  program.onMessage(message => {
    const fromSlot = message as FromSlot
    if (fromSlot.type === 'said') say(fromSlot.line)
    else if (fromSlot.type === 'counted') count?.(fromSlot.counted)
    else child.heard?.(fromSlot)
  })
  send(child, { type: 'open', opening: { home, settings } })
  return child
}

function atWork(
  child: Child,
  task: SlotTask,
  progress: (far: Progress) => void,
  signal: AbortSignal,
  quietSeconds: number,
): Promise<{ ending: TaskEnding; megabytes: number }> {
  return new Promise(resolve => {
    let hanging: NodeJS.Timeout | undefined
    let stopping: NodeJS.Timeout | undefined
    let far = ''
    const watch = () => {
      clearTimeout(hanging)
      hanging = setTimeout(() => child.program.kill(), quietSeconds * 1000)
    }
    const unlisten = whenAborted(signal, () => {
      send(child, { type: 'stop' })
      stopping = setTimeout(() => child.program.kill(), patience)
    })
    child.heard = told => {
      if (told.type === 'progress') {
        const now = `${told.text} ${told.done}`
        if (now !== far) watch()
        far = now
        progress(told)
      }
      if (told.type !== 'ended') return
      clearTimeout(hanging)
      clearTimeout(stopping)
      unlisten()
      child.heard = undefined
      const { ending, megabytes } = told
      const isBroken = ending.kind === 'crashed' || ending.kind === 'failed' // by what has stopped it
      resolve({ ending: signal.aborted && isBroken ? { kind: 'stopped' } : ending, megabytes })
    }
    watch()
    if (child.ended) child.heard({ type: 'ended', ending: { kind: 'crashed', how: child.ended }, megabytes: 0 })
    else send(child, { type: 'run', task })
  })
}

function send({ program }: Child, message: ToSlot): void {
  program.send(message)
}

// Of a build, or as TypeScript through tsx.
function firstFile(): string[] {
  const { url } = import.meta
  const built = builtFile(url, 'slot-worker')
  if (built) return [fileURLToPath(built)]
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('slot-worker.ts', url))]
}
