import type { Closable } from '../core/backend.ts'
import { UsageError } from '../core/errors.ts'
import type { Evidence, Track } from '../core/evidence.ts'
import type { People } from '../core/people.ts'
import { noSpeaker, speakerMeant } from '../core/speakers.ts'
import type {
  AudioSource,
  Coverage,
  Hit,
  Overview,
  SearchQuery,
  Shot,
  Still,
  Video,
  VideoIndex,
} from '../core/video.ts'
import { defaultHits } from '../core/words/default-hits.ts'
import { evidenceList } from './evidence-list.ts'
import { fuseLists } from './fuse.ts'
import { nearDuplicate, withoutRepeats } from './near-duplicates.ts'
import { nthMoment } from './nth-moment.ts'
import { weighQuotation } from './rank-text.ts'
import type { SearchHit, SearchLists } from './search-hit.ts'
import {
  foundByMeaning,
  foundByPicture,
  foundByWords,
  type HowMany,
  type MeaningSearch,
  type PictureSearch,
} from './search-lists.ts'
import { stillEvidence } from './still-evidence.ts'
import { openTextIndex, type TextIndex, type WeighedWord } from './text-index.ts'
import { withoutWeak } from './weak-hits.ts'

export interface VideoIndexParts {
  video: Video
  coverage: Coverage
  overview: Overview
  people?: People
  shots: Shot[]
  stills: Still[]
  evidence: Evidence[]
  textIndexFile: string
  still(index: number): Promise<Uint8Array>
  audio(): Promise<AudioSource | undefined>
  picture?: PictureSearch
  meaning?: MeaningSearch
}

// What a search over many videos takes of one: the lists before they are fused, and what makes their scores comparable.
export interface Ranking {
  ranked(query: SearchQuery, atMost: number): Promise<RankedVideo>
}

export interface RankedVideo {
  video: Video
  lists: SearchLists
  words: WeighedWord[]
  rows: number // of the text index
}

const listLength = 60 // rows that each list hands over

// Everything that is known of one video. The text index opens with the first search, vectors with the first that needs them.
export function openVideoIndex(parts: VideoIndexParts): VideoIndex & Required<Closable> & Ranking {
  const { video, coverage, overview, people, shots, stills, picture, meaning } = parts
  const rows = evidenceList(parts.evidence)
  const pictures = picture && stillEvidence(parts, picture.by)
  let textIndex: Promise<TextIndex> | undefined
  const openWords = () => {
    textIndex ??= openTextIndex(parts.textIndexFile)
    return textIndex
  }

  // By the name that rows have; undefined if nobody is meant.
  const withSpeaker = (query: SearchQuery): SearchQuery | undefined => {
    if (query.speaker === undefined) return query
    const speaker = speakerMeant(query.speaker, overview.speakers)
    return speaker === undefined ? undefined : { ...query, speaker, tracks: ['speech'] }
  }

  const lists = async (query: SearchQuery, howMany: HowMany): Promise<SearchLists> => {
    const pictureList = async () =>
      picture && pictures && wants(query, 'picture') ? foundByPicture(query, howMany, parts, pictures, picture) : []
    if (query.frame !== undefined) return { words: [], meaning: [], picture: await pictureList() }
    const [byWords, byMeaning, byPicture] = await Promise.all([
      openWords().then(index => foundByWords(query, howMany, rows, index)),
      meaning && foundByMeaning(query, howMany, rows, meaning),
      pictureList(),
    ])
    if (!byMeaning) return { words: byWords, meaning: [], picture: byPicture }
    const quotation = weighQuotation(query.query, (await openWords()).words(query.query))
    const words = byWords.map(row => ({
      ...row,
      likeness: byMeaning.likenessOf(row.evidence.id),
      quotation: quotation(row),
    }))
    return { words, meaning: byMeaning.items, picture: byPicture, likeness: byMeaning.sums }
  }

  return {
    video,
    coverage,
    overview,
    ...(people && { people }),
    shots,
    stills,
    evidence: filter => rows.where(filter),
    byId: id => rows.byId(id) ?? pictures?.byId(id),
    async search(asked) {
      refuseBlindSearch(asked, parts)
      const query = withSpeaker(asked)
      if (!query) throw unknownSpeaker(asked.speaker ?? '', overview.speakers)
      const max = query.k ?? defaultHits
      if (query.nth !== undefined) {
        const moment = nthMoment(await lists(query, 'all'), query, query.nth)
        return (moment?.rows ?? []).slice(0, max).map(row => asHit(row, row.score))
      }
      const searchLists = await lists(query, Math.max(listLength, 2 * max))
      const ranked = fuseLists(searchLists, hit => hit.evidence.id)
      const fused = query.onlyFitting ? withoutWeak(ranked, searchLists.likeness) : ranked
      const same = (a: { item: SearchHit }, b: { item: SearchHit }) => nearDuplicate(a.item.evidence, b.item.evidence)
      return withoutRepeats(fused, same, max).map(({ item, score }) => asHit(item, score))
    },
    async ranked(asked, atMost) {
      refuseBlindSearch(asked, parts)
      const query = withSpeaker(asked)
      const searchLists: SearchLists = query ? await lists(query, atMost) : { words: [], meaning: [], picture: [] }
      const first = (rows: SearchHit[]) => rows.slice(0, atMost)
      const { size, words } = await openWords()
      return {
        video,
        lists: {
          ...searchLists,
          words: first(searchLists.words),
          meaning: first(searchLists.meaning),
          picture: first(searchLists.picture),
        },
        words: words(asked.query),
        rows: size,
      }
    },
    async still(index) {
      if (!stills[index])
        throw new UsageError(`There is no still ${index}.`, {
          hint: `The index of ${video.name} has ${stills.length}.`,
        })
      return parts.still(index)
    },
    audio: parts.audio,
    async close() {
      const open = textIndex
      textIndex = undefined
      await open?.then(
        index => index.close(),
        () => {}, // it never opened: the search has said why
      )
    },
  }
}

export function asHit({ evidence, lists, terms, coverage, likeness }: SearchHit, score: number): Hit {
  const isNear = likeness !== undefined && (lists.includes('meaning') || lists.includes('picture'))
  return {
    evidence,
    score,
    lists,
    terms,
    ...(lists.includes('words') && { coverage: rounded(coverage) }),
    ...(isNear && { likeness: rounded(likeness) }),
  }
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}

function wants(query: SearchQuery, track: Track): boolean {
  return !query.tracks || query.tracks.includes(track)
}

function unknownSpeaker(speaker: string, speakers: readonly string[]): UsageError {
  const hint = 'A backend of the role "speakers" tells who speaks; "longtake doctor" shows what it needs.'
  return new UsageError(noSpeaker(speaker, speakers), speakers.length > 0 ? {} : { hint })
}

// An empty result must mean that nothing was found, so a search that cannot look is refused.
function refuseBlindSearch(query: SearchQuery, { picture, video }: VideoIndexParts): void {
  if (query.frame !== undefined && !picture)
    throw new UsageError(`The pictures of ${video.name} are not indexed, so they cannot be searched by a frame.`, {
      hint: 'Choose an embed-image backend in the configuration and index again.',
    })
  if (query.frame === undefined && query.query.trim() === '')
    throw new UsageError('A search needs words, or the second of a frame.')
}
