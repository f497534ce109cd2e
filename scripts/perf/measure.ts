import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { quoteWord } from '../../src/cli/completion/words.ts'

export interface CommandCost {
  cpu: number // seconds, user and system, of the command and all it started
  wall: number
  megabytes: number // most resident memory of all its processes together
}

// Runs a command of the shell and measures it with everything it starts.
export async function measureCommand(command: string): Promise<CommandCost> {
  const began = performance.now()
  const child = spawn('bash', ['-c', `TIMEFORMAT='%U %S'; time { ${command}; } >/dev/null 2>/dev/null`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', piece => {
    errors += piece
  })
  let megabytes = 0
  const timer = setInterval(async () => {
    const now = await residentMegabytes(child.pid as number)
    megabytes = Math.max(megabytes, now)
  }, 250)
  const code = await new Promise(resolve => child.once('close', resolve))
  clearInterval(timer)
  const [user = 0, system = 0] = errors.trim().split(/\s+/).slice(-2).map(Number)
  if (code !== 0) throw new Error(`This ended with code ${code}: ${command}`)
  return { cpu: user + system, wall: (performance.now() - began) / 1000, megabytes }
}

// Of a process and all below it.
async function residentMegabytes(root: number): Promise<number> {
  const processes = new Map<number, { parent: number; pages: number }>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (text) processes.set(Number(name), { parent: Number(fields[1]), pages: Number(fields[21]) })
  }
  const belongs = (id: number): boolean => id === root || (processes.has(id) && belongs(processes.get(id)?.parent ?? 0))
  let pages = 0
  for (const [id, process] of processes) if (id !== root && belongs(id)) pages += process.pages
  return (pages * 4096) / 1e6
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

const off = ['picture', 'text', 'speech', 'sound'].map(track => `--set index.tracks.${track}=false`).join(' ')

// A line for the shell that runs the media stage alone over a file, as the command does it, in a home of its own that is thrown away.
export function mediaStage(file: string, settings: Record<string, string | number> = {}): string {
  const set = Object.entries(settings).map(([name, value]) => `--set index.${name}=${value}`)
  const index = `LONGTAKE_HOME="$home" node bin/longtake.mjs index ${quoteWord(file)} --json --quiet ${off} ${set.join(' ')}`
  return `home=$(mktemp -d) && ${index}; code=$?; rm -rf "$home"; (exit $code)`
}
