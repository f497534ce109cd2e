import type { VideoEntry } from '../../../../src/core/api/video.ts'
import {
  type FolderEntry,
  type Folders,
  isInFolder,
  listPlaces,
  type NewFile,
  placeOfFile,
  placeOfVideo,
} from './folders.ts'
import type { IndexWish } from './queue.ts'

export type LibraryCard = { video: VideoEntry } | { file: NewFile }

export interface LibraryListing {
  cards: LibraryCard[]
  places: FolderEntry[]
  chosen: string | undefined
  all: number
  notIndexed: number
  wishes: IndexWish[] // what there is to index of the cards
  seconds: number // of the videos that are shown
}

export const sorts = {
  name: 'Name',
  added: 'Date added',
  longest: 'Longest',
  shortest: 'Shortest',
  largest: 'Largest',
} as const
export type Sort = keyof typeof sorts

export function readSort(query: URLSearchParams): Sort {
  const sort = query.get('sort') ?? ''
  return sort in sorts ? (sort as Sort) : 'name'
}

// What the address asks for: ?in=FOLDER&state=&sort=&name=
export function listLibrary(
  videos: readonly VideoEntry[],
  { folders, files }: Folders,
  query: URLSearchParams,
): LibraryListing {
  const knownPaths = new Set(videos.map(({ path }) => path))
  const isNew = ({ folder, path }: NewFile) => !knownPaths.has(`${folders[folder]?.path}/${path}`)
  const placed = [
    ...videos.map(video => ({ card: { video }, place: placeOfVideo(folders, video) })),
    ...files.filter(isNew).map(file => ({ card: { file }, place: placeOfFile(file) })),
  ]
  const chosen = query.get('in') ?? undefined
  const state = query.get('state') ?? ''
  const name = (query.get('name') ?? '').toLowerCase()
  const cards = placed
    .filter(({ place }) => chosen === undefined || isInFolder(place, chosen))
    .map(({ card }): LibraryCard => card)
    .filter(card => fits(card, state) && cardName(card).toLowerCase().includes(name))
    .sort(orders[readSort(query)])
  const wishes = cards.filter(isWaiting)
  return {
    cards,
    chosen,
    wishes,
    all: placed.length,
    notIndexed: wishes.length,
    places: listPlaces(
      folders,
      placed.map(({ place }) => place),
    ),
    seconds: cards.reduce((sum, card) => sum + cardLength(card), 0),
  }
}

export function cardKey(card: LibraryCard): string {
  return 'video' in card ? card.video.id : `${card.file.folder}/${card.file.path}`
}

function fits(card: LibraryCard, state: string): boolean {
  if (state === '') return true
  return 'video' in card ? card.video.state === state : state === 'waiting'
}

function isWaiting(card: LibraryCard): boolean {
  return 'file' in card || card.video.state === 'waiting' || card.video.state === 'changed'
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const cardName = (card: LibraryCard) => ('video' in card ? card.video.name : card.file.name)
const cardLength = (card: LibraryCard) => ('video' in card ? card.video.duration : 0)
const cardBytes = (card: LibraryCard) => ('video' in card ? card.video.bytes : card.file.bytes)
const cardAdded = (card: LibraryCard) => ('video' in card ? (card.video.added ?? '') : '')
const byName = (a: LibraryCard, b: LibraryCard) => names.compare(cardName(a), cardName(b))

const orders: Record<Sort, (a: LibraryCard, b: LibraryCard) => number> = {
  name: byName,
  added: (a, b) => (cardAdded(a) === cardAdded(b) ? byName(a, b) : cardAdded(a) < cardAdded(b) ? 1 : -1),
  longest: (a, b) => cardLength(b) - cardLength(a) || byName(a, b),
  shortest: (a, b) => cardLength(a) - cardLength(b) || byName(a, b),
  largest: (a, b) => cardBytes(b) - cardBytes(a) || byName(a, b),
}
