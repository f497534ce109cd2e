import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readlink, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RequestLimits } from '../../../../models/http/limits.ts'
import { openOllama } from '../../../../models/http/ollama.ts'
import { hubCache, repositoryFolder } from '../../../../models/hub/cache.ts'
import { modelFolder } from '../../../../models/hub/model-folder.ts'
import type { Host } from '../../../core/backend.ts'
import { absentAs } from '../../../core/errors.ts'
import { removeModelFiles } from '../../../store/models/model-files.ts'
import { fileChecksum, type ModelPin, pinName, readPins } from '../../../store/models/model-pins.ts'
import type { ModelWish, WantedFiles, WantedOllama } from './wanted-models.ts'

interface ModelFile {
  path: string // as the hub names it
  file: string // on this disk
  bytes: number
  content?: string // the name of the content it links to, which is its checksum
}

export interface ModelState {
  model: ModelWish
  state: 'ready' | 'partial' | 'missing' | 'unknown' // unknown: the server that has it cannot be asked
  bytes: number // of the files that are here
  folder?: string
  missing: string[]
  note?: string
}

export async function inspectModel(model: ModelWish, host: Host): Promise<ModelState> {
  if (model.kind !== 'hub') return ollamaState(model, host)
  const { folder, files } = await foundFiles(model, host)
  const missing = model.files.filter(path => !files.some(file => file.path === path))
  const state = missing.length === 0 ? 'ready' : files.length > 0 ? 'partial' : 'missing'
  return { model, state, bytes: files.reduce((sum, file) => sum + file.bytes, 0), folder, missing }
}

async function foundFiles({ name, revision, files, optional = [] }: WantedFiles, host: Host) {
  const folder = await modelFolder({ repository: name, revision }, host)
  return { folder, files: folder ? await listModelFiles(folder, [...new Set([...files, ...optional])]) : [] }
}

export function resolveCache(model: WantedFiles, host: Host): string {
  return repositoryFolder(hubCache(host.environment), model.name)
}

// The files that exist on this disk, including the data parts of large models.
async function listModelFiles(folder: string, paths: readonly string[]): Promise<ModelFile[]> {
  const modelFiles: ModelFile[] = []
  for (const path of paths) {
    for (const name of [
      path,
      `${path}.data`,
      `${path}_data`,
      ...Array.from({ length: 20 }, (_, i) => `${path}_data_${i + 1}`),
    ]) {
      const file = join(folder, name)
      const about = await stat(file).catch(absentAs(undefined))
      if (!about?.isFile()) {
        if (name === path || /[._]data$/.test(name)) continue
        break
      }
      const link = await readlink(file).catch(absentAs(undefined, 'EINVAL')) // not a link
      modelFiles.push({ path: name, file, bytes: about.size, ...(link && { content: basename(link) }) })
    }
  }
  return modelFiles
}

async function ollamaState(model: WantedOllama, host: Host): Promise<ModelState> {
  const { found, note } = await servedModel(model, host)
  const state = note === undefined ? (found ? 'ready' : 'missing') : 'unknown'
  return { model, state, bytes: found?.size ?? 0, missing: [], ...(note !== undefined && { note }) }
}

// The model as its Ollama lists it, or why it cannot be asked.
export async function servedModel(
  { name, url }: WantedOllama,
  host: Host,
): Promise<{ found?: { size: number; digest: string }; note?: string }> {
  const limits = RequestLimits.parse({ attempts: 1, attemptSeconds: 5, connectSeconds: 2 })
  const { server, ask } = openOllama('ollama', { model: name, url, limits }, host)
  try {
    const { models } = await ask(host.signal, client => client.list())
    return { found: models.find(entry => entry.name === (name.includes(':') ? name : `${name}:latest`)) }
  } catch {
    host.signal.throwIfAborted()
    return { note: `Ollama at ${server.shown} does not answer` }
  } finally {
    await server.close()
  }
}

export interface VerifiedFile {
  model: string
  path: string
  state: 'whole' | 'damaged' | 'missing' | 'unknown' // unknown: nothing says what it should be
}

// Reads every file again and compares it with what was fetched first, or with the checksum that its content is named
// after. Damaged files are removed, so that the next pull fetches them again.
export async function verifyModel(
  models: readonly WantedFiles[],
  home: string,
  host: Host,
  onBytes: (bytes: number) => void,
): Promise<VerifiedFile[]> {
  const pins = await readPins(home)
  const verified: VerifiedFile[] = []
  for (const model of models) {
    const { folder = '', files } = await foundFiles(model, host)
    const pin = pins[pinName(model.name, model.revision)]
    for (const path of model.files)
      if (!files.some(file => file.path === path)) verified.push({ model: model.name, path, state: 'missing' })
    for (const file of files) {
      const state = await fileState(file, pin, host.signal)
      verified.push({ model: model.name, path: file.path, state })
      if (state === 'damaged') await removeModelFiles(resolveCache(model, host), basename(folder), [file.path])
      onBytes(file.bytes)
    }
  }
  return verified
}

async function fileState(
  file: ModelFile,
  pin: ModelPin | undefined,
  signal: AbortSignal,
): Promise<VerifiedFile['state']> {
  const { content = '' } = file
  const pinned = pin?.files[file.path]?.sha256
  const expected = pinned ?? (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(content) ? content : undefined)
  if (expected === undefined) return 'unknown'
  const actual =
    expected.length === 40 ? await gitChecksum(file, signal) : (await fileChecksum(file.file, signal)).sha256
  return actual === expected ? 'whole' : 'damaged'
}

async function gitChecksum({ file, bytes }: ModelFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha1').update(`blob ${bytes}\0`)
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk)
  return hash.digest('hex')
}
