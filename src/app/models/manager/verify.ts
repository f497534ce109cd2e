import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Host } from '../../../core/backend.ts'
import { removeModelFiles } from '../../../store/model-files.ts'
import { fileChecksum, type Pin, pinName, readPins } from '../../../store/model-pins.ts'
import { cacheOf, filesOf, folderOf, type ModelFile } from './state.ts'
import type { WantedFiles } from './wanted.ts'

export interface VerifiedFile {
  model: string
  path: string
  state: 'whole' | 'damaged' | 'missing' | 'unknown' // unknown: nothing says what it should be
}

// Reads every file again and compares it with what was fetched first, or with the checksum that its content is named
// after. Damaged files are removed, so that the next pull fetches them again.
export async function verify(
  models: readonly WantedFiles[],
  home: string,
  host: Host,
  onBytes: (bytes: number) => void,
): Promise<VerifiedFile[]> {
  const pins = await readPins(home)
  const verified: VerifiedFile[] = []
  for (const model of models) {
    const folder = await folderOf(model, host)
    const files = folder ? await filesOf(folder, model.files) : []
    const pin = pins[pinName(model.name, model.revision)]
    for (const path of model.files)
      if (!files.some(file => file.path === path)) verified.push({ model: model.name, path, state: 'missing' })
    for (const file of files) {
      const state = await stateOf(file, pin, host.signal)
      verified.push({ model: model.name, path: file.path, state })
      if (state === 'damaged') await takeAway(model, folder as string, file, host)
      onBytes(file.bytes)
    }
  }
  return verified
}

async function stateOf(file: ModelFile, pin: Pin | undefined, signal: AbortSignal): Promise<VerifiedFile['state']> {
  const pinned = pin?.files[file.path]
  if (pinned) return (await fileChecksum(file.file, signal)).sha256 === pinned.sha256 ? 'whole' : 'damaged'
  if (/^[0-9a-f]{64}$/.test(file.content ?? ''))
    return (await fileChecksum(file.file, signal)).sha256 === file.content ? 'whole' : 'damaged'
  if (/^[0-9a-f]{40}$/.test(file.content ?? ''))
    return (await gitChecksum(file, signal)) === file.content ? 'whole' : 'damaged'
  return 'unknown'
}

async function gitChecksum({ file, bytes }: ModelFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha1').update(`blob ${bytes}\0`)
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk)
  return hash.digest('hex')
}

async function takeAway(model: WantedFiles, folder: string, file: ModelFile, host: Host): Promise<void> {
  const commit = folder.split(/[\\/]/).at(-1) as string
  await removeModelFiles(cacheOf(model, host), commit, [file.path])
}
