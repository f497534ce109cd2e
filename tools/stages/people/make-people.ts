import { z } from 'zod'
import { Caption } from '../../../src/core/brief.ts'
import { byTime, type Evidence, type Finding, stamp } from '../../../src/core/evidence.ts'
import type { People, Person } from '../../../src/core/people.ts'
import { isNumbered } from '../../../src/core/speakers.ts'
import type { StageContext, StageReader } from '../../../src/core/stage.ts'
import { mergeSpans, type Span } from '../../../src/core/time.ts'
import { readStageRows, shotList } from '../results.ts'
import type { PeopleClip, PeopleView } from './people-view.ts'
import { buildRegistry } from './registry.ts'

export async function makePeople(
  { video, out, results: { result, rows }, signal }: StageContext,
  by: string,
): Promise<void> {
  const all = await rows()
  const decode = result('decode')
  const seen: PeopleView = {
    speech: all.filter(({ track }) => track === 'speech'),
    text: all.filter(({ track }) => track === 'text'),
    clips: await readCaptionClips(result('captions')),
    ...(decode && { cuts: (await shotList(decode)).slice(1).map(({ start }) => start) }),
    ...(result('faces') && { faces: await result('faces')?.json('faces.json', Faces) }),
  }
  signal.throwIfAborted()
  const registry = buildRegistry(seen)
  const rowsById = new Map(all.map(row => [row.id, row]))
  const diarised = result('speakers')
  const lines = diarised ? namedLines(await readStageRows(diarised), registry) : renamed(seen.speech, registry)
  const people = personRows(registry, rowsById).map(finding => stamp(finding, video.id, by))
  await out.json('people.json', registry)
  await out.lines('evidence.jsonl', [...lines, ...people])
  const nameless = registry.people.filter(({ names, speakers }) => names.length === 0 && speakers.some(isNumbered))
  if (nameless.length > 0) out.note(`no row gives a name to ${nameless.map(({ label }) => label).join(', ')}`)
}

const Faces = z.array(z.object({ time: z.number(), faces: z.array(z.object({ person: z.string().optional() })) }))
const ClipRecord = z.object({ caption: Caption.pick({ people: true, objects: true }).strip().optional() })

// Each clip that has a caption has a row, in the same order.
async function readCaptionClips(captions: StageReader | undefined): Promise<PeopleClip[]> {
  if (!captions) return []
  const rows = await readStageRows(captions)
  const captioned = (await captions.lines('clips.jsonl', ClipRecord)).flatMap(({ caption }) => caption ?? [])
  return rows.flatMap(({ id, span }, at) => {
    const caption = captioned[at]
    return caption ? [{ id, span, people: caption.people, objects: caption.objects }] : []
  })
}

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
function renamed(lines: readonly Evidence[], registry: People): Evidence[] {
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
