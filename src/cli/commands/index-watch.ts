import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { indexEntry } from '../../app/documents.ts'
import type { WatchNews } from '../../app/watch/watch-folders.ts'
import { BackendError, errorText, InputError, LongtakeError, StorageError, UsageError } from '../../core/errors.ts'
import { safeJson, visibleFileName } from '../../core/words/visible-text.ts'
import type { Call } from '../call.ts'
import { watching } from '../output.ts'
import { outcomeLines } from '../show/index-lines.ts'

// Indexes what is in the folders and what comes into them, one video after the other, until it is interrupted; or queues it.
export async function watchAndIndex(call: Call): Promise<number> {
  const { settings } = await call.settings()
  const folders = await Promise.all(call.arguments.map(given => folderAt(call.world.cwd, given)))
  const { watchFolders } = await import('../../app/watch/watch-folders.ts')
  const home = await call.home()
  const taker = call.has('--queue') ? await queueing(call, folders) : await indexing(call)
  try {
    await watchFolders({
      ...{ folders, except: await realpath(home).catch(() => home), signal: call.signal },
      ...{ every: settings.watch.every, still: settings.watch.still },
      trust: settings.index.trustMtime ? 'mtime' : 'all',
      tell: news => tell(call, news),
      take: path => takeVideo(call, path, taker),
    })
  } finally {
    await taker.close()
  }
  return 0
}

async function folderAt(cwd: string, given: string): Promise<string> {
  const path = await realpath(resolve(cwd, given)).catch(cause => {
    throw new UsageError(`There is no folder ${JSON.stringify(given)}.`, { hint: 'Check the path.', cause })
  })
  if ((await stat(path)).isDirectory()) return path
  throw new UsageError(`${JSON.stringify(given)} is not a folder.`, { hint: 'Leave --watch out, or name its folder.' })
}

interface Taker {
  take(path: string): Promise<{ document: object; lines: string[] }>
  close(): Promise<void>
}

async function indexing(call: Call): Promise<Taker> {
  const runtime = await call.runtime()
  const { signal } = call
  return {
    async take(path) {
      const report = await watching(call, watch => runtime.videos.index(path, { watch, signal }))
      return { document: { event: 'indexed', ...indexEntry(report) }, lines: outcomeLines({ path, report }) }
    },
    close: async () => {},
  }
}

async function queueing(call: Call, folders: readonly string[]): Promise<Taker> {
  const { openCluster } = await import('../../../apps/cluster/open-cluster.ts')
  const { queuedVideo, queueVideos } = await import('../../../apps/cluster/jobs/queue-videos.ts')
  const { rootedPath } = await import('../../../apps/cluster/jobs/roots.ts')
  const { openLibrary } = await import('../../store/library/library.ts')
  const { chosenSettings, readPriority: priorityOf } = await import('../../../apps/cluster/commands/index-queue.ts')
  const { settings, host, home } = await chosenSettings(call)
  const { roots } = settings.cluster
  const shared = await Promise.all(Object.values(roots).map(root => realpath(root).catch(() => root)))
  const upload = call.has('--upload')
  for (const folder of upload ? [] : folders) if (!shared.includes(folder)) await rootedPath(folder, roots) // refused before anything waits
  const { signal } = call
  const cluster = await openCluster(settings.cluster, call.world.environment, { signal })
  const queueWork = { cluster, settings, host, library: openLibrary(home), signal, upload }
  return {
    async take(path) {
      if (!upload) await rootedPath(path, roots).catch(asInputError) // a link that leads out of the root is this file's fault alone
      return watching(call, async watch => {
        const video = await queuedVideo(path, { ...queueWork, watch })
        const request = await queueVideos([video], priorityOf(call), { ...queueWork, watch })
        const lines = [`${visibleFileName(video.name)}: queued, id ${video.id}, request ${request}`]
        return { document: { event: 'queued', path, id: video.id, request }, lines }
      })
    },
    close: () => cluster.close(),
  }
}

function asInputError(error: unknown): never {
  throw error instanceof UsageError ? new InputError(error.message, { hint: error.hint, cause: error }) : error
}

async function takeVideo(call: Call, path: string, { take }: Taker): Promise<'done' | 'later'> {
  try {
    const { document, lines } = await take(path)
    say(call, document, lines)
    return 'done'
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (call.signal.aborted) return 'later'
    const { hint, exitCode } = error instanceof LongtakeError ? error : { hint: undefined, exitCode: 1 }
    const message = errorText(error)
    const isOfOthers = error instanceof StorageError || (error instanceof BackendError && error.retryable)
    const event = isOfOthers ? 'waits' : 'failed'
    const lines = [
      `${visibleFileName(path)}: ${event}: ${visibleFileName(message)}`,
      ...(hint ? [`  ${visibleFileName(hint)}`] : []),
    ]
    say(call, { event, path, error: { message, hint, exitCode } }, lines)
    return isOfOthers ? 'later' : 'done'
  }
}

function say(call: Call, document: object, lines: string[]): void {
  const asJson = call.json || call.has('--ndjson')
  const line = { type: 'watch', schemaVersion: 1, ...document }
  call.terminal.out(asJson ? `${safeJson(line)}\n` : `${lines.join('\n')}\n`)
}

function tell(call: Call, { what, ...news }: WatchNews): void {
  if (call.json || call.has('--ndjson')) say(call, { event: what, ...news }, [])
  else call.remark(sentence({ what, ...news } as WatchNews))
}

function sentence(news: WatchNews): string {
  if (news.what === 'watching') return `Watching; ${news.files} files are there. Ctrl-C ends it.`
  if (news.what === 'moved') return `${visibleFileName(news.from)} is now ${visibleFileName(news.path)}.`
  if (news.what === 'removed') return `${visibleFileName(news.path)} was removed; what is known of it is kept.`
  if (news.what === 'back') return `${visibleFileName(news.folder)} can be read again.`
  return `${visibleFileName(news.folder)} cannot be read now: ${visibleFileName(news.why)}`
}
