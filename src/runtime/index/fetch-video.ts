import { isAddress, publicAddress } from '../../core/basics/address.ts'
import { InputError, UsageError } from '../../core/errors.ts'
import type { Fetched, FetchOptions } from '../../core/runtime.ts'
import { findProgram } from '../../media/program/find-program.ts'
import { describeAddress, download } from '../../media/program/yt-dlp.ts'
import { fetchedAs, fetchedBy, fetchedFolder, saveFetched } from '../../store/fetched.ts'
import { withLock } from '../../store/lock.ts'

interface FetchWork extends Required<FetchOptions> {
  home: string
  settings: { height: number; arguments: string[] }
  environment: Readonly<Record<string, string | undefined>>
}

// The videos at an address as files of the library, which are fetched once. Only a command of the user's comes here: nothing that
// is found in a video, a page or a model's reply is fetched.
export async function fetchToLibrary(address: string, work: FetchWork): Promise<Fetched[]> {
  const { home } = work
  const fetchedVideo = isAddress(address) ? await fetchedBy(home, address) : undefined
  if (fetchedVideo) return [fetchedVideo]
  const { title, videos, playlist } = await list(address, work)
  if (playlist && !work.playlist)
    throw new UsageError(
      `${publicAddress(address)} is a playlist or page of ${videos.length} videos: ${JSON.stringify(title)}.`,
      {
        hint: 'longtake index --playlist fetches and indexes all of them; otherwise name the address of one.',
      },
    )
  const fetched: Fetched[] = []
  for (const [at, { key, title }] of videos.entries()) {
    const folder = fetchedFolder(home, key)
    // The address of a playlist stands for what the site lists there today, so a video of it is not found by that.
    const addresses = playlist ? [] : [address]
    const fetch = async () =>
      (await fetchedAs(home, key, addresses[0])) ??
      saveFetched(folder, await fetchFile(folder, { address, title, item: at + 1 }, work), addresses)
    const onWait = () => work.watch({ type: 'note', text: `Another process is fetching ${title}; this one waits.` })
    fetched.push(await withLock(folder, fetch, { signal: work.signal, onWait }))
  }
  return fetched
}

// The one video at an address, into a folder of the user's and under this name.
export async function fetchInto(
  folder: string,
  name: string,
  address: string,
  work: Omit<FetchWork, 'home' | 'playlist'>,
): Promise<Fetched> {
  const { videos, playlist } = await list(address, work)
  if (playlist) throw new InputError(`${publicAddress(address)} is a playlist or page of ${videos.length} videos.`)
  return fetchFile(folder, { address, title: name, item: 1, name }, work)
}

async function list(address: string, { settings, environment, signal }: Omit<FetchWork, 'home' | 'playlist'>) {
  if (!isAddress(address)) throw new InputError(`${JSON.stringify(address)} is not an http or https address.`)
  if (!(await findProgram('yt-dlp', environment)))
    throw new UsageError(`To fetch ${publicAddress(address)}, yt-dlp must be installed.`, {
      hint: 'For example: pipx install yt-dlp. Or fetch the file by other means and name it.',
    })
  return describeAddress({ address, given: settings.arguments, environment, signal })
}

async function fetchFile(
  folder: string,
  asked: { address: string; title: string; item: number; name?: string },
  { settings, environment, watch, signal }: Omit<FetchWork, 'home' | 'playlist'>,
): Promise<Fetched> {
  const { address, title, item, name } = asked
  const report = (state: 'running' | 'done', done: number, total?: number) =>
    watch({ type: 'fetch', address: publicAddress(address), title, state, done, ...(total !== undefined && { total }) })
  let bytes = 0
  report('running', 0)
  const downloadWork = { address, item, name, height: settings.height, given: settings.arguments, environment, signal }
  const fetched = await download(folder, downloadWork, (done, total) => {
    bytes = done
    report('running', done, total)
  })
  report('done', bytes)
  return fetched
}
