import { readlink, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Limits } from '../../../../models/http/limits.ts'
import { openOllama } from '../../../../models/http/ollama.ts'
import { hubCache, repositoryFolder } from '../../../../models/hub/cache.ts'
import { modelFolder } from '../../../../models/hub/model-folder.ts'
import type { Host } from '../../../core/backend.ts'
import { absentAs } from '../../../core/errors.ts'
import type { WantedFiles, WantedModel, WantedOllama } from './wanted.ts'

export interface ModelFile {
  path: string // as the hub names it
  file: string // on this disk
  bytes: number
  content?: string // the name of the content it links to, which is its checksum
}

export interface ModelState {
  model: WantedModel
  state: 'ready' | 'partial' | 'missing' | 'unknown' // unknown: the server that has it cannot be asked
  bytes: number // of the files that are here
  folder?: string
  missing: string[]
  note?: string
}

export async function stateOf(model: WantedModel, host: Host): Promise<ModelState> {
  if (model.kind !== 'hub') return ollamaState(model, host)
  const folder = await folderOf(model, host)
  const files = folder ? await filesOf(folder, model.files) : []
  const missing = model.files.filter(path => !files.some(file => file.path === path))
  const state = missing.length === 0 ? 'ready' : files.length > 0 ? 'partial' : 'missing'
  return { model, state, bytes: files.reduce((sum, file) => sum + file.bytes, 0), folder, missing }
}

export function folderOf(model: WantedFiles, host: Host): Promise<string | undefined> {
  return modelFolder({ repository: model.name, revision: model.revision }, host)
}

export function cacheOf(model: WantedFiles, host: Host): string {
  return repositoryFolder(hubCache(host.environment), model.name)
}

// The files that exist on this disk, including the data parts of large models.
export async function filesOf(folder: string, paths: readonly string[]): Promise<ModelFile[]> {
  const found: ModelFile[] = []
  for (const path of paths) {
    for (const name of [path, `${path}_data`, ...Array.from({ length: 20 }, (_, i) => `${path}_data_${i + 1}`)]) {
      const file = join(folder, name)
      const about = await stat(file).catch(absentAs(undefined))
      if (!about?.isFile()) {
        if (name === path || name.endsWith('_data')) continue
        break
      }
      const link = await readlink(file).catch(absentAs(undefined, 'EINVAL')) // not a link
      found.push({ path: name, file, bytes: about.size, ...(link && { content: basename(link) }) })
    }
  }
  return found
}

async function ollamaState(model: WantedOllama, host: Host): Promise<ModelState> {
  const limits = Limits.parse({ attempts: 1, attemptSeconds: 5, connectSeconds: 2 })
  const { server, ask } = openOllama('ollama', { model: model.name, url: model.url, limits }, host)
  try {
    const { models } = await ask(host.signal, client => client.list())
    const wanted = model.name.includes(':') ? model.name : `${model.name}:latest`
    const found = models.find(entry => entry.name === wanted)
    return { model, state: found ? 'ready' : 'missing', bytes: found?.size ?? 0, missing: [] }
  } catch {
    host.signal.throwIfAborted()
    return { model, state: 'unknown', bytes: 0, missing: [], note: `Ollama at ${server.shown} does not answer` }
  } finally {
    await server.close()
  }
}
