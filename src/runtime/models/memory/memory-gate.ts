import { readdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { type LinkedSignal, linkSignals, untilAborted } from '../../../core/basics/signals.ts'
import { absentAs, BackendError, UsageError } from '../../../core/errors.ts'
import {
  collectGarbage,
  type MemoryBound,
  megabytesIn,
  memoryBound,
  memoryRoom,
  setMemoryBound,
} from '../../../core/machine/memory.ts'

const minBound = 150 // MB: what asking about a finished index takes, with room to spare
const containerShare = 0.9 // of a container's memory; the system counts pages of files there too

// The bound that the setting states, or that the container of this process does; undefined if there is none.
export function chooseBound(
  setting: string,
  constrained = process.constrainedMemory(),
  machine = totalmem(),
): MemoryBound | undefined {
  if (setting !== 'auto') {
    const megabytes = megabytesIn(setting) as number // its schema has seen to that
    if (megabytes >= minBound) return { megabytes, from: 'setting' }
    throw new UsageError(`limits.memory is ${setting}, but longtake itself needs more.`, {
      hint: `Set it to at least ${minBound}MB; indexing reports what it needs.`,
    })
  }
  const isBound = constrained > 0 && constrained < machine
  return isBound
    ? { megabytes: Math.max(minBound, (constrained / 1e6) * containerShare), from: 'container' }
    : undefined
}

interface Holding {
  name: string
  megabytes: number // that it is thought to take
  mayStop: boolean // and be done again by itself, where it takes more than it was thought to
  signal: AbortSignal
}

interface Holder extends Holding {
  stop: LinkedSignal
}

const every = 200 // milliseconds between two looks at the memory
const collectFrom = 0.8 // of the bound
const settle = 2000 // milliseconds that memory takes to come back after something was stopped

// Lets stages begin as their estimates fit below the bound, and looks at what all of them really take.
class MemoryGate {
  readonly #bound: MemoryBound
  readonly #room: number
  readonly #exceeded: (error: Error) => void
  readonly #holders: Holder[] = []
  readonly #waiting: (() => void)[] = []
  readonly #timer: NodeJS.Timeout
  #collected = 0
  #stopped = Number.NEGATIVE_INFINITY
  #peak = 0

  constructor(bound: MemoryBound, room: number, exceeded: (error: Error) => void) {
    this.#bound = bound
    this.#room = room
    this.#exceeded = exceeded
    this.#timer = setInterval(() => void this.#look(), every)
    this.#timer.unref()
  }

  // Work that took too much memory next to others is retried alone.
  async hold<T>(holding: Holding, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let megabytes = Math.min(holding.megabytes, this.#room); ; megabytes = this.#room) {
      const alone = megabytes === this.#room
      const holder = await this.#begin({ ...holding, megabytes })
      try {
        return await work(holder.stop.signal)
      } catch (error) {
        if (!holder.stop.signal.aborted || holding.signal.aborted) throw error
        if (alone) throw tooMuch(`Stage "${holding.name}"`, this.#peak, this.#bound)
      } finally {
        this.#end(holder)
      }
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #begin(holding: Holding): Promise<Holder> {
    const fits = () => this.#holders.length === 0 || this.#held() + holding.megabytes <= this.#room
    while (!fits()) {
      const woken = new Promise<void>(resolve => this.#waiting.push(resolve))
      await untilAborted(woken, holding.signal)
    }
    holding.signal.throwIfAborted()
    const holder = { ...holding, stop: linkSignals(holding.signal) }
    this.#holders.push(holder)
    return holder
  }

  #end(holder: Holder): void {
    holder.stop.clear()
    this.#holders.splice(this.#holders.indexOf(holder), 1)
    collectGarbage()
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #held(): number {
    return this.#holders.reduce((sum, { megabytes }) => sum + megabytes, 0)
  }

  async #look(): Promise<void> {
    const usedMegabytes = await treeMegabytes()
    const now = performance.now()
    if (usedMegabytes > this.#bound.megabytes * collectFrom && now > this.#collected + 1000) {
      this.#collected = now
      collectGarbage()
    }
    if (usedMegabytes <= this.#bound.megabytes) return
    const remainingMegabytes = await treeMegabytes()
    if (remainingMegabytes <= this.#bound.megabytes || now < this.#stopped + settle) return
    this.#stopped = now
    this.#peak = remainingMegabytes
    const holder = this.#holders.findLast(({ mayStop }) => mayStop)
    if (holder) return holder.stop.abort(tooMuch(`Stage "${holder.name}"`, remainingMegabytes, this.#bound))
    this.#exceeded(tooMuch(this.#holders.at(-1)?.name ?? 'The command', remainingMegabytes, this.#bound))
  }
}

let gate: MemoryGate | undefined

// Sets the bound of the process and watches over it until it is closed. `exceeded`: it cannot be kept, and nothing can be left out.
export function openMemoryGate(bound: MemoryBound | undefined, exceeded: (error: Error) => void): { close(): void } {
  if (!bound) return { close: () => {} }
  setMemoryBound(bound)
  const opened = new MemoryGate(bound, memoryRoom() as number, exceeded)
  gate = opened
  return {
    close() {
      opened.close()
      if (gate !== opened) return
      gate = undefined
      setMemoryBound(undefined)
    },
  }
}

// Does the work once there is memory for it; at once where no bound is set.
export function withMemory<T>(holding: Holding, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return gate && memoryBound() ? gate.hold(holding, work) : work(holding.signal)
}

function tooMuch(who: string, taken: number, { megabytes, from }: MemoryBound): BackendError {
  const boundText =
    from === 'setting' ? `the bound is ${Math.round(megabytes)} MB` : `the container allows ${Math.round(megabytes)} MB`
  return new BackendError(`${who} exceeded its memory limit: ${Math.round(taken)} MB in all, and ${boundText}.`, {
    hint: from === 'setting' ? 'Raise --max-memory.' : 'Give the container more memory.',
  })
}

// Resident memory of this process and of all below it, MB: pages that processes share count in each of them, so that the sum is
// rather too much than too little. If there is no /proc, only this process is counted.
export async function treeMegabytes(): Promise<number> {
  let bytes = process.memoryUsage.rss()
  for (const child of await listChildProcesses('self')) bytes += await branchBytes(child)
  return bytes / 1e6
}

async function branchBytes(id: string): Promise<number> {
  const [, resident] = (await readFile(`/proc/${id}/statm`, 'latin1').catch(absentAs('0 0'))).split(' ')
  let bytes = Number(resident) * 4096
  for (const child of await listChildProcesses(id)) bytes += await branchBytes(child)
  return bytes
}

async function listChildProcesses(id: string): Promise<string[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(absentAs([]))
  const lists = await Promise.all(
    threads.map(thread => readFile(`/proc/${id}/task/${thread}/children`, 'latin1').catch(absentAs(''))),
  )
  return lists.join(' ').split(' ').filter(Boolean)
}
