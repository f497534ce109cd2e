import { byTime, type Evidence, type Finding } from '../../../src/core/evidence.ts'
import type { People, Person } from '../../../src/core/people.ts'
import { mergeSpans, type Span } from '../../../src/core/time.ts'

const stretch = 60 // seconds of silence after which somebody speaks anew

// Who has a name, as rows that are searched and cited: what says so, and where the person speaks and appears.
export function personRows({ people }: People, rows: ReadonlyMap<string, Evidence>): Finding[] {
  return people
    .filter(({ names }) => names.length > 0)
    .flatMap(person => [...namingRows(person, rows), ...stretches(person)])
    .sort(byTime)
}

// The lines of speech with the names that are bound to their voices.
export function namedLines(lines: readonly Evidence[], { people }: People): Evidence[] {
  const labels = new Map(people.flatMap(({ label, speakers }) => speakers.map(speaker => [speaker, label] as const)))
  return lines.map(line => (line.speaker ? { ...line, speaker: labels.get(line.speaker) ?? line.speaker } : line))
}

// Of lines that no stage of voices wrote, as those of subtitles: only those that change.
export function renamed(lines: readonly Evidence[], registry: People): Evidence[] {
  return namedLines(lines, registry).filter((line, at) => line.speaker !== lines[at]?.speaker)
}

function namingRows({ label, names }: Person, rows: ReadonlyMap<string, Evidence>): Finding[] {
  return names.flatMap(({ how, evidence }) => {
    const first = rows.get(evidence[0] ?? '')
    return first ? [finding(first.span, `${label}: ${how} [${evidence.slice(0, 4).join(' ')}]`)] : []
  })
}

function stretches({ label, spans }: Person): Finding[] {
  return (['speaks', 'appears'] as const).flatMap(what =>
    mergeSpans(
      spans.flatMap(({ start, end, ...span }) => (span.what === what ? { start, end } : [])),
      stretch,
    ).map(span => finding(span, `${label} ${what}`)),
  )
}

function finding(span: Span, text: string): Finding {
  return { span, track: 'person', text }
}
