import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { publicAddress } from '../core/basics/address.ts'
import { sha256 } from '../core/json.ts'
import type { Fetched } from '../core/runtime.ts'
import { writeDurably } from './durable.ts'
import { exists, listNames, parseStoredJson, readTextFile } from './read-file.ts'

// A video that was fetched from an address lies in a folder of its own in <home>/fetched, with its subtitles and this record.
const FetchRecord = z.object({
  schemaVersion: z.literal(2),
  asked: z.array(z.string()), // the hashes of the addresses by which it was named
  address: z.string(), // the site's own address of it, as it may be shown
  title: z.string(),
  file: z.string(), // name in the folder
})
type FetchRecord = z.infer<typeof FetchRecord>

// The folder of a video by its key, which is the same whichever way the video was addressed.
export function fetchedFolder(home: string, key: string): string {
  return join(home, 'fetched', sha256(key).slice(0, 20))
}

// The video that was fetched by this address before, if it is still there.
export async function fetchedBy(home: string, address: string): Promise<Fetched | undefined> {
  for (const name of await listNames(join(home, 'fetched'))) {
    const folder = join(home, 'fetched', name)
    const record = await read(folder)
    if (record?.asked.includes(sha256(address))) return whole(folder, record)
  }
  return undefined
}

// The video of a key, if it is there whole. It is found by this address too from now on.
export async function fetchedAs(home: string, key: string, address?: string): Promise<Fetched | undefined> {
  const folder = fetchedFolder(home, key)
  const record = await read(folder)
  if (record && address && !record.asked.includes(sha256(address)))
    await save(folder, { ...record, asked: [...record.asked, sha256(address)] })
  return record && whole(folder, record)
}

// `asked`: the addresses by which it was named, besides the site's own.
export async function saveFetched(folder: string, video: Fetched, asked: readonly string[]): Promise<Fetched> {
  const { path, title } = video
  const names = new Set([...asked, video.address].map(sha256))
  const address = publicAddress(video.address)
  await save(folder, { schemaVersion: 2, asked: [...names], address, title, file: basename(path) })
  return { ...video, address }
}

// The address that a file was fetched from.
export async function readFetchedAddress(home: string, path: string): Promise<string | undefined> {
  const folder = dirname(path)
  return dirname(folder) === join(home, 'fetched') ? (await read(folder))?.address : undefined
}

async function whole(folder: string, { file, address, title }: FetchRecord): Promise<Fetched | undefined> {
  const path = join(folder, file)
  return (await exists(path)) ? { path, address, title } : undefined
}

// A damaged record counts as none: the video is fetched again, or found to be whole.
async function read(folder: string): Promise<FetchRecord | undefined> {
  return FetchRecord.safeParse(parseStoredJson(await readTextFile(join(folder, 'address.json')))).data
}

async function save(folder: string, record: FetchRecord): Promise<void> {
  await writeDurably(join(folder, 'address.json'), `${JSON.stringify(record, null, 2)}\n`)
}
