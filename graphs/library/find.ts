import type { AskedLibrary } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import { type FoundVideo, toKnownVideo } from '../../src/core/library.ts'
import type { LibrarySearch } from '../../src/core/runtime.ts'
import { questionWords } from '../../src/text/question/library-question.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { tokens } from '../../src/text/words.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

const maxHits = 60
const rowsOfVideo = 4 // that are known before it is asked

// Looks for the words of the question in every video, which no model is needed for, and puts the videos in the order of what they hold.
export async function find(session: AgentSession, state: RunState): Promise<Done> {
  const { library } = session.parts
  if (!library) throw new Error('The graph over all videos has no library.')
  const input = { query: questionWords(state.question), k: maxHits }
  session.watch({ type: 'tool-start', round: 0, tool, input })
  const started = performance.now()
  const watch = session.watch.bind(session)
  const result = await untilAborted(library.search(input, watch, session.meter.signal), session.meter.signal).catch(
    error => {
      if (session.meter.stopped()) return undefined
      throw error
    },
  )
  if (!result) return { goto: 'compose', update: { stop: session.meter.stopped() } }
  const hitVideos = rankVideos(result, input.query)
  const shownRows = hitVideos.slice(0, Math.max(library.k, 1) + 2)
  const rows = shownRows.flatMap(({ rows }) => rows.slice(0, rowsOfVideo))
  session.ledger.learn(result.hits.flatMap(({ evidence }) => (rows.includes(evidence.id) ? [evidence] : [])))
  const text = [
    `${result.tables?.searched ?? result.searched.length} videos were searched, ${result.notSearched.length} could not be.`,
    ...shownRows.map(({ video, score }) => `${video.name}: ${Math.round(score * 100)} %`),
  ].join('\n')
  const step = {
    ...{ round: 0, tool, input, outcome: rows.length > 0 ? ('found' as const) : ('nothing' as const), evidence: rows },
    ...{ text, notes: [], seconds: (performance.now() - started) / 1000 },
  }
  session.watch({ type: 'tool-end', step, kind: 'search' })
  const searched = result.searched.map(({ video }) => toKnownVideo(video))
  return {
    goto: hitVideos.length > 0 && library.k > 0 ? 'ask' : 'compose',
    update: {
      steps: [step],
      round: 1,
      library: { searched, ...inTables(result), notSearched: result.notSearched, found: shownRows, asked: [] },
    },
  }
}

const tool = 'search_library'

function inTables({ tables }: LibrarySearch): Pick<AskedLibrary, 'inTables'> {
  return tables ? { inTables: tables.searched } : {}
}

// A video counts by its best rows, by how high the search places each and how many of the words it holds: the second counts half as
// much as the first, and so on, so that a long video does not win by its length. Its name counts too, which people ask for.
function rankVideos({ hits, searched }: Pick<LibrarySearch, 'hits' | 'searched'>, query: string): FoundVideo[] {
  const top = hits[0]?.score ?? 1
  const videos = new Map<string, FoundVideo & { next: number }>()
  const named = namedIn(query)
  for (const { video } of searched) {
    const score = forName * named(video.name)
    if (score > 0) videos.set(video.id, { video: toKnownVideo(video), score, rows: [], next: 0.5 })
  }
  for (const { video, evidence, score, coverage = 0 } of hits) {
    const entry = videos.get(video.id) ?? { video: toKnownVideo(video), score: 0, rows: [], next: 0.5 }
    entry.score += (score / top) * (forPlace + (1 - forPlace) * coverage) * entry.next
    entry.next /= 2
    entry.rows.push(evidence.id)
    videos.set(video.id, entry)
  }
  return [...videos.values()].sort((a, b) => b.score - a.score).map(({ next: _, ...found }) => found)
}

const forPlace = 0.3 // of what a row is worth that holds none of the words: it was found by its likeness
const forName = 0.5 // of a name that holds all words

function namedIn(query: string): (name: string) => number {
  const queryTerms = contentWords(query)
  return name => {
    const words = tokens(name.replace(/\.\w{1,5}$/, '').replace(/[-_.]+/g, ' ')).filter(word => word.text.length > 2)
    return queryTerms.length === 0 || words.length === 0 ? 0 : Math.max(0, coverage(queryTerms, words) - 0.1)
  }
}
