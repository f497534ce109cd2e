import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { absentAs, errorText, StorageError, UsageError } from '../core/errors.ts'
import { visibleFileName } from '../core/words/visible-text.ts'
import { writeDurably } from '../store/durable.ts'
import type { Call } from './call.ts'

// Writes a file that a person named: as a whole, never over a folder or a device, nor over the video it came from. Returns its place.
export async function saveFile(
  flag: string,
  path: string,
  content: string | Uint8Array,
  video?: string,
): Promise<string> {
  const file = await realpath(path).catch(absentAs(path))
  if (video !== undefined && file === (await realpath(video).catch(absentAs(video))))
    throw new UsageError(`${flag} ${path} is the video itself.`, { hint: 'Name another file.' })
  const there = await stat(file).catch(absentAs(undefined))
  if (there && !there.isFile()) {
    const hint = video === undefined ? 'Name a file.' : `Name a file, or leave ${flag} away to write to stdout.`
    throw new UsageError(`${flag} ${path} is not a regular file.`, { hint })
  }
  const folder = await stat(dirname(file)).catch(absentAs(undefined))
  if (!folder?.isDirectory())
    throw new UsageError(`The folder of ${flag} ${path} does not exist.`, {
      hint: `Make it first: mkdir -p ${dirname(path)}`,
    })
  await writeDurably(file, content, 'umask').catch(error => {
    throw new StorageError(`Could not write ${file}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Make room or choose another place.',
    })
  })
  return file
}

// A report in each of the forms that the flags of the same names ask for; returns where each was written.
export async function saveReports<Form extends string>(
  call: Call,
  forms: readonly Form[],
  written: (form: Form) => Promise<string>,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const form of forms) {
    const path = call.path(`--${form}`)
    if (path === undefined) continue
    await saveFile(`--${form}`, path, await written(form))
    files[form] = path
    call.remark(`Wrote ${visibleFileName(path)}.`)
  }
  return files
}
