import type { Watch } from '../../core/agent.ts'
import { UsageError } from '../../core/errors.ts'
import { byTime, type Evidence } from '../../core/evidence.ts'
import type { IndexSettings, SeekSettings } from '../../core/settings.ts'
import { touches } from '../../core/time.ts'
import type { Coverage, SearchQuery, TrackCoverage, Video } from '../../core/video.ts'
import { coverage } from '../../text/word-similarity.ts'
import { isStopWord, tokens } from '../../text/words.ts'
import type { Models } from '../models/models.ts'
import type { IndexedVideo } from './find-index.ts'
import { type OpenedIndex, openIndex } from './open-index.ts'

interface BareWork {
  video: Video
  words: SeekSettings['words']
  settings: IndexSettings
  models: Models
  finished(): Promise<IndexedVideo | undefined> // its index, if there is one
  watch: Watch
  signal: AbortSignal
}

// A video of which no stage was made, for a graph that looks into the file itself: what is said, where somebody has written it down, is
// all that is known.
export async function openBareIndex(work: BareWork): Promise<OpenedIndex> {
  const { video } = work
  const { rows, speech } = await readWords(work)
  const all = [...rows].sort(byTime)
  const { duration } = video
  const off = (note: string): TrackCoverage => ({ state: 'off', spans: [], items: 0, note })
  const absent: TrackCoverage = { state: 'absent', spans: [], items: 0 }
  const coverage: Coverage = {
    duration,
    picture: video.picture ? off('frames are decoded when they are asked for') : absent,
    speech,
    sound: video.sound ? off('nothing was listened to') : absent,
    text: video.picture ? off('only what the planner reads in the frames') : absent,
    notes: ['The video was asked about without an index.'],
  }
  const where = ({ tracks, span }: Pick<SearchQuery, 'tracks' | 'span'>) =>
    all.filter(row => (!tracks || tracks.includes(row.track)) && (!span || touches(row.span, span)))
  const nothing = async (): Promise<never> => {
    throw new UsageError(`${video.name} was opened without an index.`, {
      hint: `Make it with: longtake index ${video.path}`,
    })
  }
  return {
    ...{ video, coverage, shots: [], stills: [], key: '', deepened: [] },
    overview: { duration, shots: 0, speakers: [], chapters: [], notIndexed: coverage.notes },
    evidence: (filter = {}) => where(filter),
    byId: id => all.find(row => row.id === id),
    search: async query => byWords(query, where(query)),
    ranked: nothing,
    still: nothing,
    audio: async () => undefined,
    close: async () => {},
  }
}

// By the share of the asked words that a line holds: what an earlier turn was about is found so.
function byWords({ query, k = 12 }: SearchQuery, rows: readonly Evidence[]) {
  const queryTokens = tokens(query).filter(token => !isStopWord(token.text))
  return rows
    .map(evidence => ({ evidence, score: coverage(queryTokens, evidence.text), lists: ['words'], terms: [] }))
    .filter(hit => hit.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
}

interface Words {
  rows: Evidence[]
  speech: TrackCoverage
}

async function readWords(work: BareWork): Promise<Words> {
  if (work.words === 'off') return unheard('seek.words is off')
  const finishedIndex = work.words === 'index' ? await work.finished() : undefined
  if (finishedIndex) return readTranscript(finishedIndex, work)
  if (work.words === 'index')
    work.watch({
      type: 'note',
      text: 'There is no finished index to take the transcript from; subtitles are looked for.',
    })
  return work.settings.subtitles === 'ignore' ? unheard('index.subtitles is "ignore"') : readSubtitleRows(work)
}

async function readTranscript(made: IndexedVideo, { models, settings, signal }: BareWork): Promise<Words> {
  const index = await openIndex(made, models, settings, signal)
  try {
    return { rows: index.evidence({ tracks: ['speech'] }), speech: index.coverage.speech }
  } finally {
    await index.close()
  }
}

// The first track with words, as indexing takes it.
async function readSubtitleRows({ video, signal }: BareWork): Promise<Words> {
  const { readSubtitles } = await import('../../media/subtitles/read-subtitles.ts')
  const tracks = await readSubtitles(video, signal)
  const track = tracks.find(one => one.cues.length > 0)
  if (!track) return unheard(tracks.find(one => one.problem)?.problem ?? 'it came without subtitles')
  const { cueRows } = await import('../../media/subtitles/cue-rows.ts')
  const rows = [...cueRows(track, video, signal)]
  const spans = [{ start: 0, end: video.duration }]
  return { rows, speech: { state: 'indexed', spans, items: rows.length, note: `from the subtitles ${track.name}` } }
}

function unheard(note: string): Words {
  return { rows: [], speech: { state: 'off', spans: [], items: 0, note } }
}
