import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const temporary = /^\.tmp-|\.(new|part|incomplete)$/

// Temporary files and folders below `folder` that were there before `since` (milliseconds): what a killed run left and
// the run after it did not take away. In `whole`, a TMPDIR, every name is temporary. A question that nobody resumed
// keeps what lies in the folder of its run.
export async function leftBehind(folder: string, since: number, whole: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!temporary.test(entry.name) && entry.parentPath !== whole) continue
    if (await isOfUnfinishedRun(path)) continue
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < since) found.push(path)
  }
  return found
}

async function isOfUnfinishedRun(path: string): Promise<boolean> {
  const run = /^.*\/home\/runs\/\w[^/]*(?=\/)/.exec(path)?.[0]
  if (!run) return false
  return access(join(run, 'summary.json')).then(
    () => false,
    () => true,
  )
}
