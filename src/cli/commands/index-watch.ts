import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { indexEntry } from '../../app/documents.ts'
import type { WatchNews } from '../../app/watch/watch-folders.ts'
import { BackendError, errorText, LongtakeError, StorageError, UsageError } from '../../core/errors.ts'
import type { IndexReport } from '../../core/runtime.ts'
import { fileName, safeJson } from '../../core/words/visible-text.ts'
import type { Call } from '../call.ts'
import { watching } from '../output.ts'
import { outcomeLines } from '../show/index-lines.ts'

// Indexes what is in the folders and what comes into them, one video after the other, until it is interrupted.
export async function watchAndIndex(call: Call): Promise<number> {
  const { settings } = await call.settings()
  const folders = await Promise.all(call.arguments.map(given => folderAt(call.world.cwd, given)))
  const runtime = await call.runtime()
  const { watchFolders } = await import('../../app/watch/watch-folders.ts')
  const home = await call.home()
  const { signal } = call
  const index = (path: string) => watching(call, watch => runtime.index(path, { watch, signal }))
  await watchFolders({
    ...{ folders, except: await realpath(home).catch(() => home), signal },
    ...{ every: settings.watch.every, still: settings.watch.still },
    trust: settings.index.trustMtime ? 'mtime' : 'all',
    tell: news => tell(call, news),
    take: path => take(call, path, index),
  })
  return 0
}

async function folderAt(cwd: string, given: string): Promise<string> {
  const path = await realpath(resolve(cwd, given)).catch(cause => {
    throw new UsageError(`There is no folder ${JSON.stringify(given)}.`, { hint: 'Check the path.', cause })
  })
  if ((await stat(path)).isDirectory()) return path
  throw new UsageError(`${JSON.stringify(given)} is not a folder.`, { hint: 'Leave --watch out, or name its folder.' })
}

async function take(
  call: Call,
  path: string,
  index: (path: string) => Promise<IndexReport>,
): Promise<'done' | 'later'> {
  try {
    const report = await index(path)
    say(call, { event: 'indexed', ...indexEntry(report) }, outcomeLines({ path, report }))
    return 'done'
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (call.signal.aborted) return 'later'
    const { hint, exitCode } = error instanceof LongtakeError ? error : { hint: undefined, exitCode: 1 }
    const message = errorText(error)
    const isOfOthers = error instanceof StorageError || (error instanceof BackendError && error.retryable)
    const about = isOfOthers ? 'waits' : 'failed'
    const lines = [`${fileName(path)}: ${about}: ${fileName(message)}`, ...(hint ? [`  ${fileName(hint)}`] : [])]
    say(call, { event: about, path, error: { message, hint, exitCode } }, lines)
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
  if (news.what === 'moved') return `${fileName(news.from)} is now ${fileName(news.path)}.`
  if (news.what === 'removed') return `${fileName(news.path)} was removed; what is known of it is kept.`
  if (news.what === 'back') return `${fileName(news.folder)} can be read again.`
  return `${fileName(news.folder)} cannot be read now: ${fileName(news.why)}`
}
