import type { Evidence } from '../../../src/core/evidence.ts'
import type { Person } from '../../../src/core/people.ts'
import type { Span } from '../../../src/core/time.ts'
import { readShownName, type ShownName } from '../../../src/text/people/shown-name.ts'
import { isAlone, isOneOfSeveral } from './claims.ts'
import { clipsOfOne, crowdRange, knownFaces, type PeopleClip, type PeopleView, sexesIn } from './people-view.ts'
import { plainName, spansText } from './recurring.ts'

export type UnnumberedPerson = Omit<Person, 'id' | 'label'>

// Adds who is named on screen while exactly one face or described person is there: to the voice that these very rows bind the name to, or
// as somebody whose voice is not known.
export function addShown(people: readonly UnnumberedPerson[], seen: PeopleView): UnnumberedPerson[] {
  const captions = seen.text.flatMap(row => findCaption(row, seen) ?? [])
  const silent = new Map<string, UnnumberedPerson>()
  for (const caption of captions) {
    const { row, shown } = caption
    const voice = people.find(({ merges }) => merges.some(({ because }) => because.includes(row.id)))
    const key = personKey(caption, captions)
    const before = silent.get(key)
    const person = voice ?? before ?? namedBy(caption)
    if (!voice) silent.set(key, person)
    if (before && !voice) mergeCaption(before, caption)
    describe(person, row, shown.name, caption.clips, seen)
  }
  return [...people, ...silent.values()]
}

// A name on screen, and the one person who is seen meanwhile.
interface Caption {
  row: Evidence
  shown: ShownName
  words: string // those of two people are hardly the same
  clips: readonly PeopleClip[]
  span: Span // within these clips
  sex?: string
  face?: string
}

function findCaption(row: Evidence, seen: PeopleView): Caption | undefined {
  const shownName = readShownName(row.text)
  const isSeen = crowdRange(seen, row.span) !== undefined && isAlone(seen, row.span)
  if (!shownName || !isSeen || isOneOfSeveral(seen, row, shownName.name)) return undefined
  const clips = clipsOfOne(seen, row.span)
  const [face] = [row.span, ...clips.map(({ span }) => span)].flatMap(span => knownFaces(seen, span))
  const sex = sexesIn(clips)[0]
  const span = {
    start: Math.max(row.span.start, clips[0]?.span.start ?? 0),
    end: Math.min(row.span.end, clips.at(-1)?.span.end ?? row.span.end),
  }
  return { row, shown: shownName, words: captionWords(row, shownName, clips), clips, span, sex, face }
}

function namedBy({ row, shown: { name }, span }: Caption): UnnumberedPerson {
  const how = `shown while one person is seen: "${row.text.replace(/\s*\n\s*/g, ' / ')}"`
  return {
    names: [{ name, how, evidence: [row.id] }],
    speakers: [],
    faces: [],
    descriptions: [],
    merges: [],
    unsure: [],
    spans: [{ ...span, what: 'appears' }],
  }
}

// Two people of one full name hardly have the same words below it. If there are none, or where a given name stands alone, they are
// one who looks the same.
function captionWords({ id }: Evidence, shown: ShownName, clips: readonly PeopleClip[]): string {
  const looks = clips.flatMap(({ people }) => people.map(({ looks }) => plainName(looks))).filter(Boolean)
  const words = `${shown.name}\n${shown.role ?? ''}`.toLowerCase().replace(/ +/g, ' ')
  return isTelling(shown) ? words : `${words} / ${looks[0] ?? id}`
}

// Where a man and a woman, or two known faces, have the same caption, only those are one of whom it shows the same.
function personKey({ row, words, sex, face }: Caption, all: readonly Caption[]): string {
  const alike = all.filter(other => other.words === words)
  const differs = (what: 'sex' | 'face') => new Set(alike.flatMap(one => one[what] ?? [])).size > 1
  const distinctions = [...(differs('sex') ? [sex ?? row.id] : []), ...(differs('face') ? [face ?? row.id] : [])]
  return [words, ...distinctions].join('\n')
}

function isTelling({ name, role }: ShownName): boolean {
  return role !== undefined && /\s/.test(name)
}

function mergeCaption(person: UnnumberedPerson, { row, shown, span }: Caption): void {
  const [name] = person.names
  if (!name) return
  const because = [name.evidence[0] ?? '', row.id]
  person.merges.push({ of: [name.name, name.name], because, rule: isTelling(shown) ? ruleOfRole : ruleOfLooks })
  name.evidence.push(row.id)
  person.spans.push({ ...span, what: 'appears' })
}

const ruleOfRole = 'the same caption, word for word'
const ruleOfLooks = 'the same caption, word for word, and the same description'

function describe(
  person: UnnumberedPerson,
  row: Evidence,
  name: string,
  clips: readonly PeopleClip[],
  seen: PeopleView,
): void {
  for (const clip of clips) {
    const { id, span, people } = clip
    const [only] = people
    if (!only || only.looks.trim() === '' || person.descriptions.some(({ evidence }) => evidence.includes(id))) continue
    if (isAnother(person, clip, seen)) {
      const text = `${name} is shown while somebody else is seen: "${only.looks}"`
      person.unsure.push({ text, evidence: [row.id, id] })
      continue
    }
    person.descriptions.push({ text: only.looks, evidence: [id, row.id] })
    const rule = 'the only person described while the name is shown'
    person.merges.push({ of: [name, only.looks], because: [row.id, id], rule })
    person.spans.push({ ...span, what: 'appears' })
  }
}

// A voice may go on over a picture of somebody else who has the same name.
function isAnother({ descriptions }: UnnumberedPerson, clip: PeopleClip, seen: PeopleView): boolean {
  const described = new Set(descriptions.flatMap(({ evidence }) => evidence))
  const all = [...seen.clips.filter(({ id }) => described.has(id)), clip]
  const faces = all.flatMap(({ span }) => knownFaces(seen, span))
  return new Set(sexesIn(all)).size > 1 || new Set(faces).size > 1
}

// Others who are described alike are nobody's until more than clothes says so.
export function addAlike(
  person: UnnumberedPerson,
  all: readonly UnnumberedPerson[],
  clips: readonly PeopleClip[],
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
    const note = `somebody described alike ("${text}") is seen at ${where}; clothes do not say who it is`
    person.unsure.push({ text: note, evidence: alike.map(({ id }) => id) })
  }
}
