import type { Evidence } from '../../../src/core/evidence.ts'
import type { Person } from '../../../src/core/people.ts'
import { areCompatible } from '../../../src/text/people/name-form.ts'
import { type ShownName, shownName } from '../../../src/text/people/shown-name.ts'
import { isAlone, isOneOfSeveral } from './claims.ts'
import { plainName, spansText } from './recurring.ts'
import { type Clip, clipsAt, crowdOf, type Seen } from './seen.ts'

export type Found = Omit<Person, 'id' | 'label'>

// Adds who is named on screen while exactly one face or described person is there: to the voice that these very rows bind the name to, or
// as somebody whose voice is not known.
export function addShown(people: readonly Found[], seen: Seen): Found[] {
  const silent = new Map<string, Found>()
  for (const row of seen.text) {
    const shown = shownName(row.text)
    const isSeen = crowdOf(seen, row.span) !== undefined && isAlone(seen, row.span)
    if (!shown || !isSeen || isOneOfSeveral(seen, row, shown.name)) continue
    const voice = people.find(({ merges }) => merges.some(({ because }) => because.includes(row.id)))
    const clips = clipsAt(seen, row.span)
    const caption = captionKey(row, shown, clips)
    const before = silent.get(caption)
    const person = voice ?? before ?? namedBy(row, shown.name)
    if (!voice) silent.set(caption, person)
    if (before && !voice) mergeCaption(before, row, shown)
    describe(person, row, shown.name, clips)
  }
  return [...people, ...silent.values()]
}

function namedBy(row: Evidence, name: string): Found {
  const how = `shown while one person is seen: "${row.text.replace(/\s*\n\s*/g, ' / ')}"`
  return {
    ...{
      names: [{ name, how, evidence: [row.id] }],
      speakers: [],
      faces: [],
      descriptions: [],
      merges: [],
      unsure: [],
    },
    spans: [{ ...row.span, what: 'appears' }],
  }
}

// Two people of one name hardly have the same words below it; where there are none, they are one who looks the same.
function captionKey({ id, text }: Evidence, { role }: ShownName, clips: readonly Clip[]): string {
  const looks = clips.flatMap(({ people }) => people.map(({ looks }) => plainName(looks))).filter(Boolean)
  const words = text.toLowerCase().replace(/\s+/g, ' ')
  return role === undefined ? `${words} / ${looks[0] ?? id}` : words
}

function mergeCaption(person: Found, row: Evidence, { role }: ShownName): void {
  const [name] = person.names
  if (!name) return
  const because = [name.evidence[0] ?? '', row.id]
  person.merges.push({ of: [name.name, name.name], because, rule: role ? ruleOfRole : ruleOfLooks })
  name.evidence.push(row.id)
  person.spans.push({ ...row.span, what: 'appears' })
}

const ruleOfRole = 'the same caption, word for word'
const ruleOfLooks = 'the same full name in the caption, and the same description'

function describe(person: Found, row: Evidence, name: string, clips: readonly Clip[]): void {
  for (const { id, span, people } of clips) {
    const [only] = people
    if (!only || only.looks.trim() === '' || person.descriptions.some(({ evidence }) => evidence.includes(id))) continue
    person.descriptions.push({ text: only.looks, evidence: [id, row.id] })
    const rule = 'the only person described while the name is shown'
    person.merges.push({ of: [name, only.looks], because: [row.id, id], rule })
    person.spans.push({ ...span, what: 'appears' })
  }
}

// Faces of people whose pictures are known: with a voice of the same name that is heard while this face alone is seen, else by themselves.
export function addFaces(people: readonly Found[], seen: Seen): Found[] {
  const looks = seen.faces ?? []
  const names = [...new Set(looks.flatMap(({ faces }) => faces.flatMap(({ person }) => person ?? [])))]
  const strangers = names.flatMap(name => {
    const spans = whereSeen(looks, name).map(span => ({ ...span, what: 'appears' as const }))
    const fitting = people.filter(person => person.names.some(one => areCompatible(one.name, name)))
    const [fit] = fitting
    const because = fitting.length === 1 && fit ? heardWith(fit, name, seen) : []
    const isOnlyFace = names.filter(other => areCompatible(other, name)).length === 1
    if (fit && isOnlyFace && because.length > 0) {
      fit.faces.push(name)
      fit.spans.push(...spans)
      const rule = 'the same name, and this face alone is seen while the voice speaks or the name is shown'
      fit.merges.push({ of: [fit.names[0]?.name ?? name, `the face of ${name}`], because, rule })
      return []
    }
    const how = 'the face resembles the pictures of this person'
    const unsure = fitting.map(({ names }) => ({
      text: `may be the ${names[0]?.name} who is named elsewhere: nothing shows them to be one`,
      evidence: names[0]?.evidence ?? [],
    }))
    const none = { speakers: [], descriptions: [], merges: [] }
    return [{ ...none, names: [{ name, how, evidence: [] }], faces: [name], spans, unsure }]
  })
  return [...people, ...strangers]
}

// Rows of a person during which this face is seen, and no other.
function heardWith(person: Found, name: string, { speech, text, faces = [] }: Seen): string[] {
  const alone = faces.filter(look => look.faces.length === 1 && look.faces[0]?.person === name)
  const named = new Set(person.names.flatMap(({ evidence }) => evidence))
  const rows = [...speech.filter(({ speaker }) => speaker && person.speakers.includes(speaker)), ...text].filter(row =>
    named.has(row.id),
  )
  return rows.filter(({ span }) => alone.some(({ time }) => time >= span.start && time <= span.end)).map(({ id }) => id)
}

// From the first to the last of looks one after the other that show this face.
function whereSeen(looks: Seen['faces'] = [], name: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let open = false
  for (const { time, faces } of looks) {
    const isSeen = faces.some(({ person }) => person === name)
    const last = spans.at(-1)
    if (isSeen && open && last) last.end = time
    else if (isSeen) spans.push({ start: time, end: time })
    open = isSeen
  }
  return spans
}

// Others who are described alike are nobody's until more than clothes says so.
export function addAlike(
  person: Found,
  all: readonly Found[],
  clips: readonly Clip[],
  plain: (text: string) => string,
): void {
  for (const { text, evidence } of person.descriptions) {
    const isShared = all.some(
      other => other !== person && other.descriptions.some(one => plain(one.text) === plain(text)),
    )
    const alike = clips.filter(
      clip => !evidence.includes(clip.id) && clip.people.some(({ looks }) => plain(looks) === plain(text)),
    )
    if (isShared || alike.length === 0 || person.unsure.some(one => one.text.includes(text))) continue
    const where = spansText(alike.map(({ span }) => span))
    const note = `somebody described alike ("${text}") is seen at ${where}; clothes alone do not say who it is`
    person.unsure.push({ text: note, evidence: alike.map(({ id }) => id) })
  }
}
