import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BackendError, errorText, LongtakeError, StorageError, UsageError } from '../../core/errors.ts'
import { safeJson, visibleFileName } from '../../core/words/visible-text.ts'
import { indexEntry } from '../../runtime/documents.ts'
import type { WatchNews } from '../../runtime/watch/watch-folders.ts'
import type { Call } from '../call.ts'
import { watching } from '../output.ts'
import { fromPackage } from '../packages.ts'
import { outcomeLines } from '../show/index-lines.ts'

// Indexes what is in the folders and what comes into them, one video after the other, until it is interrupted; or queues it.
export async function watchAndIndex(call: Call): Promise<number> {
  const { settings } = await call.settings()
  const folders = await Promise.all(call.arguments.map(given => folderAt(call.world.cwd, given)))
  const { watchFolders } = await import('../../runtime/watch/watch-folders.ts')
  const home = await call.home()
  const taker = call.has('--queue') ? await queueWatched(call, folders) : await indexing(call)
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

export interface VideoSink {
  take(path: string): Promise<{ document: object; lines: string[] }>
  close(): Promise<void>
}

async function queueWatched(call: Call, folders: readonly string[]): Promise<VideoSink> {
  const { watchOnQueue } = await fromPackage('longtake-cluster', '--queue', () => import('longtake-cluster'))
  return watchOnQueue(call, folders)
}

async function indexing(call: Call): Promise<VideoSink> {
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

async function takeVideo(call: Call, path: string, { take }: VideoSink): Promise<'done' | 'later'> {
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
