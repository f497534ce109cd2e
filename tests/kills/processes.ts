import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// The processes whose environment holds this text; programs that longtake starts inherit TMPDIR, also in groups of
// their own. Zombies are not counted: they do nothing and are the parent's to collect.
async function processesWith(mark: string): Promise<number[]> {
  const processes: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
    if (environment.includes(mark)) processes.push(Number(name))
  }
  return processes
}

export async function killAllWith(mark: string): Promise<void> {
  for (const pid of await processesWith(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it has ended in the meantime
  }
}

// Waits until none is left; what is there after so many seconds is an orphan.
export async function orphansWith(mark: string, seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const processes = await processesWith(mark)
    if (processes.length === 0 || performance.now() > end) return processes
    await sleep(50)
  }
}
