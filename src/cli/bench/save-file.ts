import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorText, StorageError, UsageError } from '../../core/errors.ts'
import { writeDurably } from '../../store/durable.ts'

// Writes a file that a person named: as a whole, never over a folder or a device.
export async function saveFile(flag: string, path: string, content: string): Promise<void> {
  const there = await stat(path).catch(() => undefined)
  if (there && !there.isFile()) throw new UsageError(`${flag} ${path} is not a regular file.`, { hint: 'Name a file.' })
  const folder = await stat(dirname(path)).catch(() => undefined)
  if (!folder?.isDirectory())
    throw new UsageError(`The folder of ${flag} ${path} does not exist.`, {
      hint: `Make it first: mkdir -p ${dirname(path)}`,
    })
  await writeDurably(path, content, 'umask').catch(error => {
    throw new StorageError(`Could not write ${path}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Make room or choose another place.',
    })
  })
}
