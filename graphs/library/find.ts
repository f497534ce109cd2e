import type { AskedLibrary } from '../../src/core/agent.ts'
import { knownVideo } from '../../src/core/library.ts'
import type { LibrarySearch } from '../../src/core/runtime.ts'
import { untilAborted } from '../../src/core/signals.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { wordsOf } from './library-question.ts'
import { rankVideos } from './rank-videos.ts'

const maxHits = 60
const rowsOfVideo = 4 // that are known before it is asked

// Looks for the words of the question in every video, which no model is needed for, and puts the videos in the order of what they hold.
export async function find(session: AgentSession, state: RunState): Promise<Done> {
  const { library } = session.parts
  if (!library) throw new Error('The graph over all videos has no library.')
  const input = { query: wordsOf(state.question), k: maxHits }
  session.watch({ type: 'tool-start', round: 0, tool, input })
  const started = performance.now()
  const watch = session.watch.bind(session)
  const result = await untilAborted(library.search(input, watch, session.signal), session.signal).catch(error => {
    if (session.stopped()) return undefined
    throw error
  })
  if (!result) return { goto: 'compose', update: { stop: session.stopped() } }
  const found = rankVideos(result, input.query)
  const shown = found.slice(0, Math.max(library.k, 1) + 2)
  const rows = shown.flatMap(({ rows }) => rows.slice(0, rowsOfVideo))
  session.learn(result.hits.flatMap(({ evidence }) => (rows.includes(evidence.id) ? [evidence] : [])))
  const text = [
    `${result.tables?.searched ?? result.searched.length} videos were searched, ${result.notSearched.length} could not be.`,
    ...shown.map(({ video, score }) => `${video.name}: ${Math.round(score * 100)} %`),
  ].join('\n')
  const step = {
    ...{ round: 0, tool, input, outcome: rows.length > 0 ? ('found' as const) : ('nothing' as const), evidence: rows },
    ...{ text, notes: [], seconds: (performance.now() - started) / 1000 },
  }
  session.watch({ type: 'tool-end', step, kind: 'search' })
  const searched = result.searched.map(({ video }) => knownVideo(video))
  return {
    goto: found.length > 0 && library.k > 0 ? 'ask' : 'compose',
    update: {
      steps: [step],
      round: 1,
      library: { searched, ...inTables(result), notSearched: result.notSearched, found: shown, asked: [] },
    },
  }
}

const tool = 'search_library'

function inTables({ tables }: LibrarySearch): Pick<AskedLibrary, 'inTables'> {
  return tables ? { inTables: tables.searched } : {}
}
