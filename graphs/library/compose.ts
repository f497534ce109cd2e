import type { AskedLibrary, Sentence, StopReason } from '../../src/core/agent.ts'
import type { KnownVideo } from '../../src/core/library.ts'
import type { Coverage, TrackCoverage } from '../../src/core/video.ts'
import { visibleFileName } from '../../src/core/words/visible-text.ts'
import { questionWords, wantsSeveral } from '../../src/text/question/library-question.ts'
import { buildAnswer, computeConfidence, reportAnswer, sentenceText } from '../answer/build-answer.ts'
import { findCause } from '../answer/cause.ts'
import { degradedBy } from '../answer/degraded.ts'
import { nearestRows, quote } from '../answer/quotes.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { chooseFindings, findChoice, listFindings, type VideoFinding } from './findings.ts'
import { type Written, writeAcross } from './write-across.ts'

// One answer from what the videos had to say: written by a language model and checked against the rows, or the best of them as it is.
export async function compose(session: AgentSession, state: RunState): Promise<Done> {
  const { question } = session.parts
  const library = state.library ?? { searched: [], notSearched: [], found: [], asked: [] }
  const findings = listFindings(question, library, id => session.ledger.get(id)?.text ?? '')
  const usable = chooseFindings(findings, wantsSeveral(question))
  const written = (await writeAcross(session, state, findings)) ?? writtenBest(usable, findChoice(question, findings))
  const fell = usable.length === 0 ? library.asked.find(one => one.stop !== 'answered') : undefined
  const stop = state.stop ?? fell?.stop ?? 'answered'
  const { sentences: held, choice } = written
  const abstained = choice === undefined && held.length === 0
  const sentences = abstained ? nothingFound(session, library) : held
  const unknown = abstained ? [] : (written.unknown ?? [])
  const videos = [...library.searched, ...library.found.map(({ video }) => video)]
  const answer = buildAnswer(session, state, {
    sentences,
    text: shownInVideos(sentences, videos, session),
    choice,
    confidence: abstained ? 0 : written.confidence,
    abstained,
    ...(abstained && { why: causeInLibrary(session, library, stop) }),
    unknown,
    ...(unknown.length > 0 && { missing: `Not found: ${unknown.join(' ')}` }),
    degraded: degradedIn(session, library, held, stop),
    stop,
  })
  return reportAnswer(session, answer, stop)
}

// What was checked inside of the videos stands as it is.
function writtenBest(told: readonly VideoFinding[], choice: number | undefined): Written {
  const [best] = told
  const sentences = told.flatMap(({ held }) => held)
  return {
    sentences,
    ...(choice === undefined ? {} : { choice }),
    confidence: best ? computeConfidence(sentences, best.answer.confidence, false, 'answered') : 0,
    unknown: best?.answer.unknown,
  }
}

// Why no video answers: a limit, else what all of those that were asked say, else that it is in none of them.
function causeInLibrary(
  session: AgentSession,
  { asked, searched, inTables = searched.length }: AskedLibrary,
  stop: StopReason,
) {
  const ownCause = findCause(session.parts, stop)
  if (ownCause.cause === 'budget') return ownCause
  if (inTables === 0) return { cause: 'not-looked' as const, mend: 'Index the videos: longtake index VIDEO.' }
  const [first, ...others] = asked.map(({ answer }) => answer)
  const isSame = first?.cause !== undefined && others.every(({ cause }) => cause === first.cause)
  return isSame && first.cause
    ? { cause: first.cause, mend: first.mend ?? '' }
    : { cause: 'absent' as const, mend: 'Ask in other words.' }
}

function nothingFound(session: AgentSession, library: AskedLibrary): Sentence[] {
  const { question } = session.parts
  const { asked } = library
  const count = library.inTables ?? library.searched.length
  const near = nearestRows(questionWords(question), session.ledger.all(), 2)
  const inside = asked.length > 0 ? `, of which ${asked.length} ${asked.length === 1 ? 'was' : 'were'} asked` : ''
  const text =
    count === 0
      ? 'No video could be searched.'
      : count === 1
        ? 'The only video that was searched does not seem to answer this, as far as it is indexed.'
        : `None of the ${count} videos that were searched${inside} seems to answer this, as far as they are indexed.`
  return [
    { text, cites: [], verdict: 'unseen' },
    ...near.map((row): Sentence => ({ text: `The nearest is: ${quote(row)}`, cites: [row.id], verdict: 'supported' })),
  ]
}

// What the answer could not rest on: in the videos that it cites, and those that nobody could look into.
function degradedIn(
  session: AgentSession,
  { searched, inTables, notSearched, asked }: AskedLibrary,
  held: readonly Sentence[],
  stop: StopReason,
): string[] {
  const cited = new Set(session.ledger.rows(held.flatMap(one => one.cites)).map(row => row.video))
  const inside = asked
    .filter(({ video }) => cited.has(video.id))
    .flatMap(({ video, coverage }) =>
      degradedBy(withoutAbsent(coverage), 'answered', []).map(note => `${visibleFileName(video.name)}: ${note}`),
    )
  const knownCount = (inTables ?? searched.length) + notSearched.length
  const blind =
    notSearched.length > 0 ? [`${notSearched.length} of ${knownCount} known videos could not be searched.`] : []
  return [...inside, ...blind, ...degradedBy(session.parts.index.coverage, stop, session.failures)]
}

// That a recording has no picture takes nothing from an answer out of many.
function withoutAbsent(coverage: Coverage): Coverage {
  const present = (track: TrackCoverage) => (track.state === 'absent' ? { ...track, state: 'indexed' as const } : track)
  const { picture, speech, sound, text } = coverage
  return { ...coverage, picture: present(picture), speech: present(speech), sound: present(sound), text: present(text) }
}

// Sentences with the videos and the times of their rows: "In talk.mp4: The room is 204 [0:12-0:15]." As times do, the names come from
// the rows and not from a model.
function shownInVideos(sentences: readonly Sentence[], videos: readonly KnownVideo[], session: AgentSession): string {
  const names = new Map(videos.map(({ id, name }) => [id, visibleFileName(name)]))
  let before = ''
  return sentences
    .map(sentence => {
      const groups = new Map<string, string[]>()
      for (const { id, video } of session.ledger.rows(sentence.cites)) {
        const name = names.get(video) ?? video
        groups.set(name, [...(groups.get(name) ?? []), id])
      }
      const [name = ''] = groups.keys()
      if (groups.size <= 1) {
        const lead = name === '' || name === before ? '' : `In ${name}: `
        before = name || before
        return `${lead}${sentenceText(sentence, session)}`
      }
      before = ''
      const parts = [...groups].map(([name, cites]) =>
        sentenceText({ ...sentence, text: `In ${name}`, cites }, session),
      )
      return `${sentence.text.trim()} ${parts.join(' ')}`
    })
    .join(' ')
}
