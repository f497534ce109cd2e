import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { type Address, api, type ReplyTo } from '../api.ts'

export interface NewFile {
  folder: number
  path: string // below it
  name: string
  bytes: number
}

export interface Folders {
  folders: ReplyTo<'GET /folders'>['folders']
  files: NewFile[] // that the library does not know
  whole: boolean // every folder below was looked into
}

const maxLooks = 200 // folders below the named ones

// The folders of the start, and the files in and below them that are not in the library yet.
export async function readFolders(signal: AbortSignal): Promise<Folders> {
  const { folders } = await api('GET /folders', { signal })
  const files: NewFile[] = []
  const open = folders.map(({ folder }) => ({ folder, path: '' }))
  let looks = 0
  for (let next = open.shift(); next && looks < maxLooks; next = open.shift(), looks++) {
    const { folder, path } = next
    const entries = await listed(folder, path, signal)
    for (const { name, kind, bytes = 0, video } of entries) {
      const below = path === '' ? name : `${path}/${name}`
      if (kind === 'folder') open.push({ folder, path: below })
      else if (video === undefined) files.push({ folder, path: below, name, bytes })
    }
  }
  return { folders, files, whole: open.length === 0 }
}

const folderRoute = 'GET /folders/:folder' satisfies Address

// One that may not be read does not hide the others.
async function listed(
  folder: number,
  path: string,
  signal: AbortSignal,
): Promise<ReplyTo<typeof folderRoute>['entries']> {
  const query = path === '' ? {} : { path }
  return api(folderRoute, { params: { folder: String(folder) }, query, signal }).then(
    ({ entries }) => entries,
    error => {
      if (signal.aborted) throw error
      return []
    },
  )
}

export interface FolderEntry {
  id: string // as it stands in the address: "0", "0/more", "else"
  title: string
  depth: number
  count: number
}

// The places in which there are videos, each with how many lie in it or below it.
export function listPlaces(folders: Folders['folders'], paths: readonly string[]): FolderEntry[] {
  const counts = new Map<string, number>()
  for (const path of paths) for (const id of upwards(path)) counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const { folder } of folders) if (!counts.has(String(folder))) counts.set(String(folder), 0)
  return [...counts]
    .filter(([id]) => id !== 'else')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, count]) => {
      const parts = id.split('/')
      const title =
        parts.length > 1 ? (parts.at(-1) ?? '') : (folders.find(one => String(one.folder) === id)?.name ?? '')
      return { id, title, count, depth: parts.length - 1 }
    })
    .concat(counts.has('else') ? { id: 'else', title: 'elsewhere', count: counts.get('else') ?? 0, depth: 0 } : [])
}

// "0/more" of a file in it.
export function placeOfVideo(folders: Folders['folders'], { path }: Pick<VideoEntry, 'path'>): string {
  const within = folders.filter(folder => path.startsWith(`${folder.path}/`))
  const nearest = within.sort((a, b) => b.path.length - a.path.length)[0]
  if (!nearest) return 'else'
  return [
    nearest.folder,
    ...path
      .slice(nearest.path.length + 1)
      .split('/')
      .slice(0, -1),
  ].join('/')
}

export function placeOfFile({ folder, path }: NewFile): string {
  return [folder, ...path.split('/').slice(0, -1)].join('/')
}

export function isInFolder(place: string, chosen: string): boolean {
  return place === chosen || place.startsWith(`${chosen}/`)
}

function upwards(place: string): string[] {
  const parts = place.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
