import { availableParallelism, totalmem } from 'node:os'
import { keysSet, keyVariable } from '../../../models/http/presets.ts'
import { hubAddress, hubCache } from '../../../models/hub/cache.ts'
import { hubFault } from '../../../models/hub/hub-client.ts'
import { type TierName, tierNames, tiers } from '../../config/tiers.ts'
import type { Host } from '../../core/backend.ts'
import { runProgram } from '../../media/program/run-program.ts'
import { freeSpace } from '../../store/free-space.ts'
import { findServers } from '../models/choose/find-servers.ts'
import type { FoundServer } from '../models/choose/found-server.ts'

// What setup finds here. Nothing is asked of anybody with a key.
export interface Machine {
  cores: number
  memory: number // GiB, of the container where one bounds it
  cards: { name: string; memory: number }[] // GiB
  disk: { folder: string; free: number } // where models of the hub are kept; bytes
  servers: FoundServer[]
  keys: { provider: string; title: string; variable: string }[]
  hub: { address: string; fault?: string } // fault: it cannot be asked now
}

export async function lookAround(host: Host): Promise<Machine> {
  const { environment } = host
  const folder = hubCache(environment)
  const [cards, { bytes }, servers, fault] = await Promise.all([
    findCards(),
    freeSpace(folder),
    findServers(host),
    hubFault(host),
  ])
  const keys = keysSet(environment).map(preset => ({
    provider: preset.name,
    title: preset.title,
    variable: keyVariable(preset, environment) ?? '',
  }))
  return {
    cores: availableParallelism(),
    memory: gibibytes(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)),
    cards,
    disk: { folder, free: bytes },
    servers,
    keys,
    hub: { address: hubAddress(environment), ...(fault !== undefined && { fault }) },
  }
}

// The largest tier that the card has room for, or the processor without one; undefined if there is too little for the smallest.
export function suggestTier({ cards, memory }: Pick<Machine, 'cards' | 'memory'>): TierName | undefined {
  const card = Math.max(0, ...cards.map(one => one.memory))
  return tierNames.findLast(name => {
    const { card: least, memory: alone = Number.POSITIVE_INFINITY } = tiers[name] as (typeof tiers)['8GB']
    return card >= least || memory >= alone
  })
}

async function findCards(): Promise<Machine['cards']> {
  if (process.platform === 'darwin' && process.arch === 'arm64')
    return [{ name: 'Apple GPU, two thirds of the shared memory', memory: gibibytes((totalmem() * 2) / 3) }]
  const query = ['--query-gpu=name,memory.total', '--format=csv,noheader,nounits']
  // No driver, no card that we could use: nothing to report, as `longtake doctor gpu` says what is missing.
  const output = await runProgram('nvidia-smi', query, { timeoutSeconds: 20 }).catch(() => undefined)
  return [...(output?.stdout.toString() ?? '').matchAll(/^(.+), *(\d+)$/gm)].map(([, name = '', mebibytes]) => ({
    name,
    memory: Math.round(Number(mebibytes) / 102.4) / 10,
  }))
}

function gibibytes(bytes: number): number {
  return Math.round((bytes / 2 ** 30) * 10) / 10
}
