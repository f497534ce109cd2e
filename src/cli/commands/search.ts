import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import { Track } from '../../core/evidence.ts'
import type { LibrarySearch } from '../../core/runtime.ts'
import { formatTime } from '../../core/time.ts'
import { type Hit, isPartial, isVideoId, type SearchQuery, type Video } from '../../core/video.ts'
import { foundBy } from '../../core/words/found-by.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { libraryDocument, searchDocument } from '../../runtime/documents.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { fileLike } from '../file-first.ts'
import { namedVideo } from '../named-videos.ts'
import { result, watching } from '../output.ts'
import { coverageLines, evidenceLine, linkLines, notSearchedLines } from '../show/lines.ts'

// In one video, or in all.
export const search: CommandRun = async call => {
  const { video: given, words } = readArguments(call)
  const query = readQuery(call, words)
  if (given === undefined) return searchAll(call, query)
  if (call.text('--in') !== undefined)
    throw new UsageError('--in narrows a search over all videos, and this one is in one.', {
      hint: 'Leave out the video.',
    })
  const runtime = await call.runtime()
  const video = await namedVideo(call, given)
  const hits = await watching(call, watch => runtime.videos.search(video, query, { watch, signal: call.signal }))
  refuseBeyondEnd(call, query, hits.video)
  const looked = coverageLines(hits.coverage).map(call.terminal.dim)
  result(call, searchDocument(hits, runtime.profile.name), [...hitLines(hits, query, call), '', ...looked])
  return isPartial(hits.coverage) ? exitCodes.partial : exitCodes.ok
}

// One argument is a video where it is one, or where a frame of it is looked for; else it is words for all videos.
function readArguments(call: Call): { video?: string; words?: string } {
  const [first, second] = call.arguments
  if (call.has('--all') && second !== undefined)
    throw new UsageError('--all searches every video, so no video can be named with it.', {
      hint: 'Leave out the video, or --all.',
    })
  if (call.has('--all')) return { words: first }
  if (second !== undefined || call.text('--frame') !== undefined) return { video: first, words: second }
  if (first === undefined) return {}
  return isVideo(call, first) ? { video: first } : { words: first }
}

// Also where the file is not there: a slip in its name must not become a search for it.
function isVideo(call: Call, given: string): boolean {
  return isVideoId(given) || fileLike.test(given) || existsSync(resolve(call.world.cwd, given))
}

function readQuery(call: Call, words: string | undefined): SearchQuery {
  const query = words?.trim() ?? ''
  const frame = call.time('--frame')
  if (query === '' && frame === undefined)
    throw new UsageError('There is nothing to look for.', { hint: 'Give words, or a moment with --frame 12:04.' })
  const tracks = call.list('--track').map(name => Track.parse(name))
  return {
    query,
    frame,
    tracks: tracks.length > 0 ? tracks : undefined,
    k: call.integer('--k'),
    nth: call.integer('--nth'),
    after: call.time('--after'),
    before: call.time('--before'),
    speaker: call.text('--speaker'),
    onlyFitting: true,
  }
}

function hitLines({ video, hits }: { video: Video; hits: Hit[] }, query: SearchQuery, call: Call): string[] {
  if (hits.length === 0)
    return [
      query.query === ''
        ? 'Nothing like that frame was found.'
        : `Nothing was found for "${visibleLine(query.query)}".`,
    ]
  const { dim } = call.terminal
  return hits.flatMap(hit => [
    `${evidenceLine(hit.evidence)} ${dim(`by ${foundBy(hit)}`)}`,
    ...linkLines(hit.evidence, video).map(dim),
  ])
}

// A moment that the video does not have finds nothing, and that is not what was asked.
function refuseBeyondEnd(call: Call, { after, frame }: SearchQuery, { duration }: Video): void {
  for (const [flag, seconds] of [['--after', after] as const, ['--frame', frame] as const])
    if (seconds !== undefined && seconds >= duration)
      throw new UsageError(
        `${flag} ${call.text(flag)} is after the end of the video, which is ${formatTime(duration)} long.`,
        {
          hint: 'Give a time within the video.',
        },
      )
}

// One ranking over every video that has an index; what could not be searched is named.
async function searchAll(call: Call, query: SearchQuery): Promise<number> {
  const runtime = await call.runtime()
  const hits = await watching(call, watch =>
    runtime.allVideos.search(query, {
      within: call.path('--in'),
      fast: call.has('--fast'),
      watch,
      signal: call.signal,
    }),
  )
  const looked = lookedAt(hits).map(call.terminal.dim)
  result(call, libraryDocument(hits, runtime.profile.name), [...libraryHitLines(hits, query, call), '', ...looked])
  const whole = hits.notSearched.length === 0 && !hits.searched.some(({ coverage }) => isPartial(coverage))
  return whole ? exitCodes.ok : exitCodes.partial
}

function libraryHitLines({ hits, searched, tables }: LibrarySearch, query: SearchQuery, call: Call): string[] {
  if (searched.length === 0 && !tables) return ['There is no video to search: none has an index.']
  if (hits.length === 0) return [`Nothing was found for "${visibleLine(query.query)}".`]
  const { dim } = call.terminal
  return hits.flatMap(({ video, ...hit }) => [
    `${visibleFileName(video.name)} ${evidenceLine(hit.evidence)} ${dim(`by ${foundBy(hit)}`)}`,
    ...linkLines(hit.evidence, video).map(dim),
  ])
}

function lookedAt({ searched, notSearched, tables }: LibrarySearch): string[] {
  const count = tables?.searched ?? searched.length
  const partly = searched.filter(({ coverage }) => isPartial(coverage))
  return [
    `Searched: ${count} of ${count + notSearched.length} known videos${tables ? ' of the cluster' : ''}`,
    ...(tables && tables.vectors !== 'on' ? ['Note: by words only: the database has no pgvector.'] : []),
    ...partly.map(
      ({ video }) => `Note: ${visibleFileName(video.name)}: a part of it could not be looked at (longtake show).`,
    ),
    ...notSearchedLines(notSearched),
  ]
}
