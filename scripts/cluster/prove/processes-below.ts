import { readdirSync, readFileSync } from 'node:fs'

// The processes that a process has started, and those that these have, the first first.
export function processesBelow(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(Number(name))
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)])
  }
  const found = parents.get(pid) ?? []
  for (const one of found) found.push(...(parents.get(one) ?? []))
  return found
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined // it has ended meanwhile
  }
}
