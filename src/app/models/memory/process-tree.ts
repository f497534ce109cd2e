import { readdir, readFile } from 'node:fs/promises'
import { absentAs } from '../../../core/errors.ts'

// Resident memory of this process and of all below it, MB: pages that processes share count in each of them, so that the sum is
// rather too much than too little. Where there is no /proc, this process alone is counted.
export async function treeMegabytes(): Promise<number> {
  let bytes = process.memoryUsage.rss()
  for (const child of await childrenOf('self')) bytes += await branchBytes(child)
  return bytes / 1e6
}

async function branchBytes(id: string): Promise<number> {
  const [, resident] = (await readFile(`/proc/${id}/statm`, 'latin1').catch(absentAs('0 0'))).split(' ')
  let bytes = Number(resident) * 4096
  for (const child of await childrenOf(id)) bytes += await branchBytes(child)
  return bytes
}

async function childrenOf(id: string): Promise<string[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(absentAs([]))
  const lists = await Promise.all(
    threads.map(thread => readFile(`/proc/${id}/task/${thread}/children`, 'latin1').catch(absentAs(''))),
  )
  return lists.join(' ').split(' ').filter(Boolean)
}
