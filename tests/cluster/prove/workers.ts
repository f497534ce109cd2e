import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Start, type Started, startLongtake } from './start.ts'

// all: a machine that loses power. supervisor: the child must end by itself. child: the supervisor must notice.
export type Kill = 'all' | 'supervisor' | 'child'

export interface ProofWorkers {
  kill(nth: number, what: Kill): boolean // false: there was nothing to be killed
  stop(): Promise<string[]> // drains them; says what went wrong
  started(): number
}

interface Options extends Omit<Start, 'home'> {
  folder: string // of their libraries
  count: number
  random: () => number
  problem(text: string): void
  signal: AbortSignal // none comes back any more
}

// Workers with a library of their own. One that was killed comes back after a moment, now and then as a new machine without a library.
export function startWorkers({ folder, count, random, problem, signal: ending, ...options }: Options): ProofWorkers {
  let isOver = false
  let started = 0
  const current: (Started | undefined)[] = []
  const keepAlive = async (nth: number): Promise<void> => {
    let life = 1
    while (!isOver && !ending.aborted) {
      const home = join(folder, `worker-${nth}-${life}`)
      mkdirSync(home, { recursive: true })
      const worker = startLongtake(['worker', '--slots', 'cpu=1'], { ...options, home })
      current[nth] = worker
      started++
      const { code, signal } = await worker.ended
      if (isOver || ending.aborted) return
      const isAway = code === 4 // the database is not back yet: whoever starts workers starts them again, as systemd does
      if (signal !== 'SIGKILL' && !isAway) problem(`A worker ended with ${signal ?? code}:\n${worker.said()}`)
      await sleep(300 + random() * 1500)
      if (random() < 0.25) life++
    }
  }
  for (let nth = 0; nth < count; nth++) void keepAlive(nth)

  return {
    started: () => started,
    kill(nth, what) {
      const pid = current[nth]?.child.exitCode === null ? current[nth]?.child.pid : undefined
      if (pid === undefined || current[nth]?.child.signalCode) return false
      const below = processesBelow(pid)
      if (what === 'child' && below.length === 0) return false
      const targets = what === 'supervisor' ? [pid] : what === 'child' ? below.slice(0, 1) : [pid, ...below]
      for (const target of targets) killNow(target)
      return true
    },
    async stop() {
      isOver = true
      const living = current.flatMap(one => (one && one.child.exitCode === null && !one.child.signalCode ? [one] : []))
      for (const { child } of living) child.kill('SIGTERM')
      const wrong: string[] = []
      for (const { ended, said } of living) {
        const end = await Promise.race([ended, sleep(30_000, undefined, { ref: false })])
        if (end?.code !== 0)
          wrong.push(`A worker that was to drain ended with ${end?.signal ?? end?.code ?? 'nothing'}:\n${said()}`)
      }
      return wrong
    },
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it has ended meanwhile
}

// The processes that a process has started, and those that these have, the first first.
function processesBelow(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(Number(name))
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)])
  }
  const descendants = parents.get(pid) ?? []
  for (const child of descendants) descendants.push(...(parents.get(child) ?? []))
  return descendants
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined // it has ended meanwhile
  }
}
