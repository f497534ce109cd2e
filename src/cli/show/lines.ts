import { pathToFileURL } from 'node:url'
import type { Answer, AskedLibrary, Cause, Votes } from '../../core/agent.ts'
import { momentLink } from '../../core/basics/address.ts'
import { emptySpans } from '../../core/basics/gaps.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { NotSearched } from '../../core/library.ts'
import type { AskReport } from '../../core/runtime.ts'
import { formatSpan, mergeSpans, parseTime, spanLength } from '../../core/time.ts'
import { type Coverage, isIndexed, type TrackCoverage, toldTracks, type Video } from '../../core/video.ts'
import { visibleFileName, visibleLine, visibleText } from '../../core/words/visible-text.ts'
import type { SessionTurn } from '../../store/sessions.ts'
import type { Terminal } from '../terminal.ts'

// An answer as a person reads it: the text, the rows it cites, what was looked at, how sure it is. What was looked at need not
// be said again with every answer of a conversation.
export function answerLines(report: AskReport, { bold, dim, link }: Terminal, again = false): string[] {
  const { answer, coverage, question, stop, library, votes } = report
  const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
  const rows = report.evidence.filter(
    row => cited.has(row.id) && (library !== undefined || !isQuotedIn(answer.text, row)),
  )
  const linked = (line: string) => (library ? line : linkTimes(line, report.video, link))
  const choice = answer.choice === undefined ? undefined : question.options?.[answer.choice]
  return [
    ...(choice === undefined ? [] : [bold(`${letter(answer.choice ?? 0)}. ${visibleLine(choice)}`)]),
    bold(linked(visibleText(answer.text))),
    '',
    ...(library ? rowsInVideos(rows, library, dim) : rowsOfVideo(rows, report.video, dim).map(linked)),
    ...(rows.length > 0 ? [''] : []),
    ...(again ? [] : (library ? libraryLines(library) : coverageLines(coverage, answer.cause)).map(dim)),
    dim(answer.abstained ? notAnswered(answer, library) : `Confidence: ${answer.confidence.toFixed(2)}`),
    ...(votes ? voteLines(votes).map(dim) : []),
    ...remarks(answer, stop),
  ]
}

// A row whose words and time the answer itself gives is not printed again.
function isQuotedIn(text: string, row: Evidence): boolean {
  const words = visibleLine(row.text).replace(/\s+/g, ' ').trim()
  return words !== '' && text.includes(formatSpan(row.span)) && text.replace(/\s+/g, ' ').includes(words)
}

// "[12:04-12:31]" leads to that moment: at the address that the video came from, or in its file.
function linkTimes(line: string, video: Pick<Video, 'path' | 'address'>, link: Terminal['link']): string {
  return line.replace(/\[((?:\d+:)?\d+:\d\d(?:\.\d)?)-[\d:.]+\]/g, (text, start: string) => {
    const seconds = parseTime(start)
    if (seconds === undefined) return text
    const { path, address } = video
    return link(text, address === undefined ? `${pathToFileURL(path)}#t=${seconds}` : momentLink(address, seconds))
  })
}

const outcomes = {
  agreed: 'all said the same',
  settled: 'they differed, one was taken',
  split: 'they differed, nothing decided',
}

// What each of the runs said that answered an unsure question.
function voteLines({ runs, outcome, taken }: Votes): string[] {
  if (!outcome) return []
  const each = runs.map(({ plan, text, confidence }, at) => {
    const mark = outcome === 'settled' && at === taken ? ' (taken)' : ''
    return `  ${at + 1}. ${plan}, ${confidence.toFixed(2)}${mark}: ${visibleLine(text)}`
  })
  return [`Votes: ${runs.length} runs, ${outcomes[outcome]}`, ...(outcome === 'agreed' ? [] : each)]
}

type Dim = Terminal['dim']

function rowsOfVideo(rows: readonly Evidence[], video: Pick<Video, 'address'>, dim: Dim): string[] {
  return rows.flatMap(row => [evidenceLine(row), ...linkLines(row, video).map(dim)])
}

function rowsInVideos(rows: readonly Evidence[], { searched, found }: AskedLibrary, dim: Dim): string[] {
  const videos = new Map([...searched, ...found.map(({ video }) => video)].map(video => [video.id, video]))
  return rows.flatMap(row => {
    const video = videos.get(row.video)
    return [
      `${visibleFileName(video?.name ?? row.video)} ${evidenceLine(row)}`,
      ...linkLines(row, video ?? {}).map(dim),
    ]
  })
}

const maxNotSearched = 12

function libraryLines({ searched, inTables, notSearched, asked }: AskedLibrary): string[] {
  const count = inTables ?? searched.length
  const names = asked.map(({ video }) => visibleFileName(video.name)).join(', ')
  return [
    `Searched: ${count} of ${count + notSearched.length} known videos${inTables === undefined ? '' : ' of the cluster'}`,
    ...(asked.length > 0 ? [`Asked in: ${names}`] : []),
    ...notSearchedLines(notSearched.slice(0, maxNotSearched)),
    ...(notSearched.length > maxNotSearched
      ? [`and ${notSearched.length - maxNotSearched} more (--json names all)`]
      : []),
  ]
}

// What could not be looked into, why, and what mends it.
export function notSearchedLines(notSearched: readonly NotSearched[]): string[] {
  return notSearched.map(
    ({ id, video, why, mend }) =>
      `Not searched: ${visibleFileName(video?.name ?? id)}: ${visibleFileName(why)}. ${visibleFileName(mend)}`,
  )
}

const reasons: Record<Cause, string> = {
  absent: 'no answer found in the video',
  'not-looked': 'nothing could look at what is asked',
  unreadable: 'what is asked cannot be read',
  'not-understood': 'the question was not understood',
  budget: 'the budget was spent',
}

function notAnswered({ cause = 'absent', mend }: Answer, library: AskedLibrary | undefined): string {
  const why = library && cause === 'absent' ? 'no answer found' : reasons[cause]
  return `Not answered (${cause}): ${why}.${mend ? ` ${mend}` : ''}`
}

function remarks(answer: Answer, stop: AskReport['stop']): string[] {
  const stopped = stop === 'answered' ? [] : [stopText(stop)]
  return [...answer.degraded, ...stopped].map(note => `Note: ${visibleLine(note)}`)
}

function stopText(stop: AskReport['stop']): string {
  if (stop === 'interrupted') return 'stopped before the end; this is the best answer so far.'
  if (stop === 'failed') return 'a model failed before the end; this is the best answer so far.'
  return `the limit of ${stop} was reached (--max-${stop}); this is the best answer so far.`
}

function letter(choice: number): string {
  return String.fromCharCode(65 + choice)
}

// An earlier turn: what was asked, what it was taken to mean, the answer and its rows.
export function turnLines(turn: SessionTurn, { bold, dim }: Pick<Terminal, 'bold' | 'dim'>): string[] {
  const { question, answer, reference, evidence = [] } = turn
  const askedQuestion = askedText(turn)
  return [
    bold(`${turn.turn}. ${visibleLine(askedQuestion)}`),
    ...(askedQuestion === question.text ? [] : [dim(`   meaning: ${visibleLine(question.text)}`)]),
    `   ${visibleText(answer?.text ?? reference ?? '')}`,
    ...evidence.map(row => dim(`   ${evidenceLine(row)}`)),
  ]
}

// A question as it was typed, before what it refers to was filled in.
export function askedText({ question }: Pick<SessionTurn, 'question'>): string {
  return question.refers?.asked ?? question.text
}

const tracks = ['picture', 'speech', 'text', 'sound'] as const

// "Searched: pictures, speech 92 %, text off, sounds absent", and why, if it is not all. Decoding a picture is not looking at it where a question asks what it shows.
export function coverageLines(coverage: Coverage, cause?: Cause): string[] {
  const namedTracks = toldTracks(coverage, tracks)
  const blind = cause === 'not-looked' && coverage.caption === undefined
  const parts = namedTracks.map(({ name, track }) =>
    blind && name === 'picture'
      ? 'pictures not by a model'
      : `${titles[name] ?? name}${share(track, coverage.duration)}`,
  )
  const reasons = namedTracks.flatMap(({ name, track }) =>
    track.note && (hasGaps(track) || name === 'caption') ? [`${name}: ${visibleLine(track.note)}`] : [],
  )
  const notes = coverage.notes.map(visibleLine).filter(note => !reasons.includes(note))
  return [
    `Searched: ${parts.join(', ')}`,
    ...reasons.map(reason => `Note: ${reason}`),
    ...notes.map(note => `Note: ${note}`),
  ]
}

function hasGaps(track: TrackCoverage): boolean {
  return track.state === 'partial' || track.state === 'failed' || emptySpans(track).length > 0
}

const titles: Record<string, string> = { picture: 'pictures', speech: 'speech', text: 'text', sound: 'sounds' }

// Behind the name of a track; nothing if all of it was searched.
function share(track: TrackCoverage, duration: number): string {
  if (!isIndexed(track) || duration <= 0) return ` ${track.state}`
  const seen = mergeSpans(track.spans).reduce((sum, span) => sum + spanLength(span), 0) / duration
  // Rounded down, so that 100 % is all of it.
  const percent = Math.min(100, Math.floor(seen * 100 + 0.05))
  return percent === 100 && track.state === 'indexed' ? '' : ` ${percent} %`
}

// `[12:04-12:31] speech: "words"`, the way every command shows a row.
export function evidenceLine(row: Evidence, max = 280): string {
  const who = row.speaker ? ` (${visibleLine(row.speaker)})` : ''
  const words = visibleLine(row.text).replace(/\s+/g, ' ').trim()
  const characters = [...words]
  const text = characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : words
  return `${formatSpan(row.span)} ${row.track}${who}${text === '' ? '' : `: ${quoted(row, text)}`}`
}

// Where a row can be watched at the address that the video was fetched from.
export function linkLines({ span }: Evidence, { address }: Pick<Video, 'address'>): string[] {
  return address === undefined ? [] : [`  ${visibleLine(momentLink(address, span.start))}`]
}

// What was said or shown is a quotation; what a tool says about it is not.
function quoted(row: Evidence, text: string): string {
  return row.track === 'speech' || row.track === 'text' ? `"${text}"` : text
}
