import { setTimeout as sleep } from 'node:timers/promises'
import { type HubClient, HubError, type HubFile, hubStall } from '../../../../models/hub/hub-client.ts'
import type { Host } from '../../../core/backend.ts'
import { BackendError } from '../../../core/errors.ts'
import type { Access } from '../../../store/durable.ts'
import { openPart, type PartialDownload } from '../../../store/models/model-files.ts'

export interface DownloadProgress {
  model: string // or data set
  path: string
  done: number
  total?: number
}

export interface FetchWork {
  host: Host
  onProgress(progress: DownloadProgress): void
  retrySeconds?: number // before the second try; doubles
  stallSeconds?: number // of silence, after which the hub is given up
  access?: Access // who may read the files
}

// Into the blobs of a folder, from where it stopped before; its checksum is that of the hub.
export async function fetchFile(
  client: HubClient,
  name: string,
  repository: string,
  commit: string,
  file: HubFile,
  options: FetchWork,
): Promise<{ blob: string; sha256: string }> {
  const { host, onProgress, access } = options
  const download = await openPart(repository, file.path, file, access)
  const report = () => onProgress({ model: name, path: file.path, done: download.bytes, total: file.bytes })
  try {
    report()
    await again(
      options,
      async () => {
        if (download.bytes < file.bytes) await continuePart(client, download, name, commit, file, host.signal, report)
        if (download.bytes < file.bytes)
          throw new HubError(`${name}/${file.path} ended after ${download.bytes} of ${file.bytes} bytes.`)
      },
      () => download.bytes,
    )
    return await download.finish()
  } finally {
    await download.close()
  }
}

async function continuePart(
  client: HubClient,
  part: PartialDownload,
  name: string,
  commit: string,
  file: HubFile,
  signal: AbortSignal,
  report: () => void,
): Promise<void> {
  const stream = await client.open(name, commit, file.path, part.bytes, signal)
  if (stream.from !== part.bytes) await part.restart()
  for await (const chunk of stream.body) {
    signal.throwIfAborted()
    if (part.bytes + chunk.length > file.bytes)
      throw new BackendError(`${name}/${file.path} is longer than the hub says.`)
    await part.write(chunk)
    report()
  }
}

const attempts = 6

// Retries transient faults with exponential backoff; progress resets the count of attempts. A hub that has been silent for its stall
// time is not waited for again.
export async function again<Result>(
  { host, retrySeconds = 1, stallSeconds = hubStall }: FetchWork,
  work: () => Promise<Result>,
  progress: () => number = () => 0,
): Promise<Result> {
  let last = progress()
  let since = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      host.signal.throwIfAborted()
      if (!(error instanceof HubError)) throw error
      if (progress() > last) {
        attempt = 1
        since = performance.now()
      }
      last = progress()
      const isSilent = performance.now() - since >= stallSeconds * 990
      if (attempt >= attempts || (isSilent && error.waitSeconds === undefined)) throw error
      const seconds = Math.max(retrySeconds * 2 ** (attempt - 1), Math.min(error.waitSeconds ?? 0, 300))
      host.say(`${error.message} Trying again in ${Math.ceil(seconds)} s.`)
      await sleep(seconds * 1000, undefined, { signal: host.signal })
    }
  }
}
