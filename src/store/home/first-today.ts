import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileModes, folderModes } from '../durable.ts'

// Whether a notice is due: the first time in a day. It is due each time in a home that is not there yet or cannot be written.
export async function isFirstToday(home: string, notice: string): Promise<boolean> {
  const folder = join(home, 'notices')
  const last = await stat(join(folder, notice)).catch(() => undefined)
  if (last?.mtime.toDateString() === new Date().toDateString()) return false
  await mkdir(folder, { mode: folderModes.private }).catch(() => {})
  await writeFile(join(folder, notice), '', { mode: fileModes.private }).catch(() => {})
  return true
}
