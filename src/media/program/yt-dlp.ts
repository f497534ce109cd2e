import { z } from 'zod'
import { publicAddress } from '../../core/basics/address.ts'
import { BackendError, InputError, InterruptedError, StorageError } from '../../core/errors.ts'
import { findProgram } from './find-program.ts'
import { explainExit, lastLine, runProgram } from './run-program.ts'

interface Downloading {
  address: string
  item: number // which video of the page or playlist, from 1
  name?: string // of the file, without its extension; otherwise the title
  height: number // the largest picture that is fetched, pixels
  given: readonly string[] // arguments of the user's own
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

// A page can hold several videos.
interface Listing {
  title: string
  playlist: boolean
  videos: { key: string; title: string }[] // key: the same for the same video, whichever way it was addressed
}

const Entry = z.object({
  id: z.string(),
  title: z.string().nullish(),
  extractor_key: z.string().nullish(),
  ie_key: z.string().nullish(),
  webpage_url: z.string().nullish(),
  url: z.string().nullish(),
})
const Described = Entry.extend({
  _type: z.string().nullish(),
  live_status: z.string().nullish(),
  entries: z.array(Entry.nullable()).nullish(),
})

// What is at an address, without fetching any of it.
export async function describeAddress(work: Omit<Downloading, 'item' | 'height'>): Promise<Listing> {
  const stdout = await run(['--dump-single-json', '--flat-playlist'], work)
  const listing = Described.safeParse(parseJson(stdout))
  if (!listing.success)
    throw new BackendError(`yt-dlp described ${publicAddress(work.address)} in an unknown form.`, {
      hint: update,
      cause: listing.error,
    })
  const { live_status: live, entries, ...whole } = listing.data
  if (live === 'is_live' || live === 'is_upcoming')
    throw new InputError(`${publicAddress(work.address)} is a live stream that has not ended.`, {
      hint: 'Fetch it when it is over.',
    })
  const videos = (entries ?? [whole]).filter(entry => entry !== null)
  const title = whole.title ?? whole.id
  if (videos.length === 0) throw new InputError(`There is no video at ${publicAddress(work.address)}.`)
  return {
    title,
    playlist: entries !== null && entries !== undefined && entries.length > 1,
    videos: videos.map(entry => ({ key: buildKey(entry), title: entry.title ?? entry.id })),
  }
}

// Sites give ids of their own. Elsewhere the page tells two videos of one name apart.
function buildKey({ id, extractor_key, ie_key, webpage_url, url }: z.infer<typeof Entry>): string {
  const site = (extractor_key ?? ie_key ?? 'Generic').toLowerCase()
  const isGeneric = site === 'generic' || site === 'html5mediaembed'
  return isGeneric ? `${webpage_url ?? url ?? ''} ${id}` : `${site} ${id}`
}

const Fetched = z.object({ title: z.string(), webpage_url: z.string(), filepath: z.string() })

// Fetches one video with its subtitles into a folder, or the rest of it.
export async function download(
  folder: string,
  work: Downloading,
  onProgress: (done: number, total: number | undefined) => void,
): Promise<{ title: string; address: string; path: string }> {
  const ffmpeg = await findProgram('ffmpeg', work.environment)
  let ended: unknown
  await run(
    [
      ...['--playlist-items', String(work.item), '--continue', '--no-overwrites', '--no-mtime'],
      ...['--format', 'bv*+ba/b', '--format-sort', `res:${work.height}`],
      ...['--write-subs', '--sub-langs', 'all,-live_chat'],
      ...[
        '--paths',
        folder,
        '--output',
        `${work.name?.replaceAll('%', '%%') ?? '%(title).80B'}.%(ext)s`,
        '--windows-filenames',
      ],
      ...(ffmpeg ? ['--ffmpeg-location', ffmpeg] : []),
      ...['--progress', '--newline', '--progress-template', `download:${mark} %(progress)j`],
      ...['--print', 'after_move:%(.{title,webpage_url,filepath})j'],
    ],
    work,
    line => {
      if (line.startsWith(mark)) {
        const {
          downloaded_bytes: done = 0,
          total_bytes,
          total_bytes_estimate,
        } = parseJson(line.slice(mark.length)) as Bytes
        onProgress(done ?? 0, total_bytes ?? total_bytes_estimate ?? undefined)
      } else if (line.startsWith('{')) ended = parseJson(line)
    },
  )
  const fetchedFile = Fetched.safeParse(ended)
  if (!fetchedFile.success)
    throw new BackendError(`yt-dlp fetched nothing from ${publicAddress(work.address)}.`, {
      hint: update,
      cause: fetchedFile.error,
    })
  return { title: fetchedFile.data.title, address: fetchedFile.data.webpage_url, path: fetchedFile.data.filepath }
}

interface Bytes {
  downloaded_bytes?: number | null
  total_bytes?: number | null
  total_bytes_estimate?: number | null
}

const mark = 'progress:'
const update = 'Sites change, and yt-dlp with them: update it, as "pipx upgrade yt-dlp" or "yt-dlp -U".'

// Its own settings files are not read: they may rename, convert or run things. What a user needs of them is in `given`.
async function run(
  args: readonly string[],
  { address, given, environment, signal }: Omit<Downloading, 'item' | 'height'>,
  onLine?: (line: string) => void, // instead of collecting what it prints
): Promise<string> {
  const usual = ['--ignore-config', '--no-update', '--no-playlist', '--socket-timeout', '30']
  const decoder = new TextDecoder()
  let rest = ''
  const take = (piece: Uint8Array) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine?.(line)
  }
  const { code, stdout, stderr } = await runProgram('yt-dlp', [...usual, ...given, ...args, '--', address], {
    signal,
    failure: 'return',
    stallSeconds: 600,
    environment: proxies(environment),
    ...(onLine && { onStdout: take }),
  }).catch(error => {
    if (!(error instanceof InterruptedError)) throw error
    throw new InterruptedError('Stopped; what was fetched so far is kept.', {
      hint: 'The same command resumes it.',
      cause: error,
    })
  })
  if (code !== 0) throw fault(address, code, stderr)
  return stdout.toString('utf8')
}

const hints: [RegExp, string][] = [
  [/HTTP Error 4(04|10)|no host given/, 'Check the address.'],
  [/urlopen error|failed to (connect|resolve)|timed out/i, 'Check the address, the network, or a proxy (HTTPS_PROXY).'],
]

function fault(address: string, code: number, stderr: string): Error {
  const errorLine = stderr.split('\n').findLast(line => line.startsWith('ERROR:'))
  const reason = errorLine
    ? errorLine.replace(/^ERROR:\s*(\[[^\]]*\]\s*\S+:\s*)?/, '').replace(/\s*\(caused by .*$/, '')
    : explainExit(code, lastLine(stderr))
  const shownAddress = publicAddress(address)
  const why = reason
    .replaceAll(address, shownAddress)
    .replace(/https?:\/\/[^\s'"<>]+/gi, publicAddress)
    .replace(/\.+$/, '')
  const sentence = `yt-dlp could not fetch ${shownAddress}: ${why}.`
  if (/no space left/i.test(stderr))
    return new StorageError(sentence, { hint: 'Free some space and run the same command again: it goes on.' })
  if (/unsupported url/i.test(reason)) return new InputError(sentence, { hint: 'Fetch the file by other means.' })
  const hint = hints.find(([pattern]) => pattern.test(reason))?.[1] ?? update
  return new BackendError(sentence, { hint, retryable: /timed out|connection|HTTP Error 5/i.test(reason) })
}

function proxies(environment: Downloading['environment']): Record<string, string> {
  const passedVariables = /^(https?_proxy|all_proxy|no_proxy|ssl_cert_file|ssl_cert_dir|requests_ca_bundle)$/i
  const entries = Object.entries(environment).filter(
    ([name, value]) => value !== undefined && passedVariables.test(name),
  )
  return Object.fromEntries(entries) as Record<string, string>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
