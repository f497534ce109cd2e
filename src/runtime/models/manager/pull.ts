import { pullOllama } from '../../../../models/http/ollama-pull.ts'
import { type HubClient, type HubFile, hubClient } from '../../../../models/hub/hub-client.ts'
import type { Host } from '../../../core/backend.ts'
import { BackendError, StorageError, UsageError } from '../../../core/errors.ts'
import { freeSpace } from '../../../store/free-space.ts'
import { findBlob, linkModelFile, removeModelFiles, writeRef } from '../../../store/models/model-files.ts'
import { fileChecksum, type ModelPin, pinName, readPins, writePin } from '../../../store/models/model-pins.ts'
import { again, type FetchWork, fetchFile } from './fetch-file.ts'
import { resolveCache } from './state.ts'
import type { ModelWish, WantedFiles, WantedOllama } from './wanted-models.ts'

// What is to be fetched of one model, with the sizes that the hub states.
export interface PullPlan {
  model: ModelWish
  commit?: string
  files: { file: HubFile; here: boolean }[]
  bytes: number // that are still to come; unknown of Ollama's models until it fetches them
}

export interface PullOptions extends FetchWork {
  home: string
  source?: HubClient // in place of the hub
  update: boolean // go to the newest commit instead of the one that was fetched first
}

export async function planPull(models: readonly ModelWish[], options: PullOptions): Promise<PullPlan[]> {
  const pins = await readPins(options.home)
  const plans: PullPlan[] = []
  for (const model of models) {
    if (model.kind === 'hub') plans.push(await planFiles(model, pins[pinName(model.name, model.revision)], options))
    else plans.push({ model, files: [], bytes: 0 })
  }
  return plans
}

async function planFiles(model: WantedFiles, pin: ModelPin | undefined, options: PullOptions): Promise<PullPlan> {
  const { host, update, stallSeconds, source } = options
  const client = source ?? hubClient(host, stallSeconds)
  const revision = pin && !update ? pin.commit : model.revision
  const { commit, files } = await again(options, () => client.repository(model.name, revision, host.signal))
  const has = (path: string) => files.some(file => file.path === path)
  const required = model.files.map(path => (has(path) ? path : (model.instead?.[path] ?? path)))
  const wantedFiles = [...new Set([...required, ...(model.optional ?? [])])].flatMap(path => {
    const matches = files.filter(
      file => file.path.startsWith(path) && /^(_data(_\d+)?|\.data)?$/.test(file.path.slice(path.length)),
    )
    if (!has(path) && required.includes(path)) throw lacking(model, path, files)
    return matches
  })
  const repository = resolveCache(model, host)
  const entries = await Promise.all(
    wantedFiles.map(async file => ({ file, here: (await findBlob(repository, file)) !== undefined })),
  )
  return {
    model,
    commit,
    files: entries,
    bytes: entries.reduce((sum, { file, here }) => sum + (here ? 0 : file.bytes), 0),
  }
}

function lacking(model: WantedFiles, path: string, files: readonly HubFile[]): UsageError {
  const there = files.map(file => file.path).filter(name => name.endsWith('.onnx'))
  return new UsageError(`${model.name} has no ${path} at ${model.revision}.`, {
    hint: there.length > 0 ? `It has ${there.join(', ')}: set precision to match.` : 'It has no ONNX files.',
  })
}

// Fetches what is missing. Idempotent: after an interruption the same call resumes where it stopped.
export async function pullModels(plans: readonly PullPlan[], options: PullOptions): Promise<void> {
  await refuseFullDisk(plans, options)
  for (const plan of plans) {
    if (plan.model.kind === 'hub') await pullFiles(plan.model, plan, options)
    else await pullFromOllama(plan.model, options)
  }
}

async function refuseFullDisk(plans: readonly PullPlan[], { host }: PullOptions): Promise<void> {
  const needed = plans.reduce((sum, plan) => sum + plan.bytes, 0)
  const first = plans.find(plan => plan.model.kind === 'hub')
  if (!first || needed === 0) return
  const { folder, bytes: free } = await freeSpace(resolveCache(first.model as WantedFiles, host))
  if (free < needed)
    throw new StorageError(`The models need ${gigabytes(needed)} and ${folder} has ${gigabytes(free)} free.`, {
      hint: 'Free some space, or set HF_HOME to a folder on another disk.',
    })
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`
}

async function pullFiles(model: WantedFiles, plan: PullPlan, options: PullOptions): Promise<void> {
  const { home, host, stallSeconds, source } = options
  const client = source ?? hubClient(host, stallSeconds)
  const repository = resolveCache(model, host)
  const commit = plan.commit as string
  const name = pinName(model.name, model.revision)
  const pinned = (await readPins(home))[name]
  const files: ModelPin['files'] = pinned?.commit === commit ? { ...pinned.files } : {}
  for (const { file } of plan.files) {
    const blob = await findBlob(repository, file)
    const fetched = blob
      ? {
          blob,
          sha256:
            file.checksum?.kind === 'sha256' ? file.checksum.value : (await fileChecksum(blob, host.signal)).sha256,
        }
      : await fetchFile(client, model.name, repository, commit, file, options)
    const pin = files[file.path]
    if (pin && pin.sha256 !== fetched.sha256)
      throw new BackendError(
        `${model.name}/${file.path} is not what was fetched first: its checksum is ${fetched.sha256} and was ${pin.sha256}.`,
        { hint: 'If you trust it, forget the old one with "longtake models rm" and fetch it again.' },
      )
    await linkModelFile(repository, commit, file.path, fetched.blob)
    files[file.path] = { bytes: file.bytes, sha256: fetched.sha256 }
    await writePin(home, name, { commit, files })
  }
  await writeRef(repository, model.revision, commit)
}

async function pullFromOllama(model: WantedOllama, { host, onProgress }: PullOptions): Promise<void> {
  await pullOllama(model.name, { url: model.url }, host, ({ status, done = 0, total }) =>
    onProgress({ model: model.name, path: status, done, total }),
  )
}

// Forgets a model: its files, contents that nothing else shows, and its pin. Returns the bytes that are free now.
export async function remove(model: WantedFiles, home: string, host: Host): Promise<number> {
  const name = pinName(model.name, model.revision)
  const pin = (await readPins(home))[name]
  if (!pin)
    throw new UsageError(`${model.name} was not fetched by longtake, so longtake does not remove it.`, {
      hint: `It is stored in ${resolveCache(model, host)}.`,
    })
  const freed = await removeModelFiles(resolveCache(model, host), pin.commit, Object.keys(pin.files))
  await writePin(home, name, undefined)
  return freed
}
