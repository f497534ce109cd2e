import { mkdtempSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'
import type { Provider } from './device.ts'

// How many of a model's operations ran on which provider, from ONNX Runtime's own profile.
export type Nodes = Partial<Record<Provider | 'other', number>>

const names: Record<string, Provider> = {
  CPUExecutionProvider: 'cpu',
  CUDAExecutionProvider: 'cuda',
  WebGpuExecutionProvider: 'webgpu',
  DmlExecutionProvider: 'dml',
  CoreMLExecutionProvider: 'coreml',
}

// The options under which a session records what runs where, in a temporary folder that only this user may enter: a name
// that others can guess, in a folder that others may write, could be their link.
export function profileOptions(): { enableProfiling: true; profileFilePrefix: string } {
  return { enableProfiling: true, profileFilePrefix: join(mkdtempSync(join(tmpdir(), 'longtake-ran-')), 'ran') }
}

const profiledRuns = 2 // the first, and one as all later ones are: a decoder starts by another branch than it goes on by

interface OpsProfile {
  afterRun(): void
  nodes(): Promise<Nodes> // so far, where it was not recorded to its end
}

// Ends the recording of a session early: a whole window of speech would fill hundreds of megabytes.
export function profileFirstRuns(session: InferenceSession, prefix: string): OpsProfile {
  let runsLeft = profiledRuns
  return {
    afterRun() {
      if (--runsLeft === 0) session.endProfiling()
    },
    async nodes() {
      if (runsLeft > 0) session.endProfiling()
      runsLeft = 0
      return countOps(prefix)
    },
  }
}

// Counts each operation once, however often it ran. The folder is removed.
async function countOps(prefix: string): Promise<Nodes> {
  const folder = dirname(prefix)
  const seen = new Set<string>()
  const nodes: Nodes = {}
  for (const file of (await readdir(folder)).filter(name => name.startsWith(basename(prefix)))) {
    const events = JSON.parse(await readFile(join(folder, file), 'utf8')) as ProfileEvent[]
    for (const { name, cat, args } of events) {
      if (cat !== 'Node' || !name || !args?.provider || seen.has(`${args.provider} ${name}`)) continue
      seen.add(`${args.provider} ${name}`)
      const provider = names[args.provider] ?? 'other'
      nodes[provider] = (nodes[provider] ?? 0) + 1
    }
  }
  await rm(folder, { recursive: true, force: true })
  return nodes
}

interface ProfileEvent {
  name?: string
  cat?: string
  args?: { provider?: string }
}

// The operations of several models together; undefined if none was counted.
export function sumNodes(all: readonly (Nodes | undefined)[]): Nodes | undefined {
  const profiles = all.filter(nodes => nodes !== undefined)
  if (profiles.length === 0) return undefined
  const sum: Nodes = {}
  for (const nodes of profiles)
    for (const [place, count] of Object.entries(nodes) as [keyof Nodes, number][])
      sum[place] = (sum[place] ?? 0) + count
  return sum
}

// Removes the folder of a session that was never opened, or whose operations nobody counted.
export async function discardProfile(prefix: string): Promise<void> {
  await rm(dirname(prefix), { recursive: true, force: true })
}

// "cuda", "cuda, and 12 of 300 operations on cpu".
export function nodesText(nodes: Nodes): string {
  const [most, ...others] = Object.entries(nodes).sort(([, a], [, b]) => b - a)
  if (!most) return 'nothing ran'
  const total = others.reduce((sum, [, ran]) => sum + ran, most[1])
  return [most[0], ...others.map(([provider, ran]) => `${ran} of ${total} operations on ${provider}`)].join(', ')
}
