import type { Evidence } from '../../../src/core/evidence.ts'
import type { BoundName, Merge, People, Person, Unsure } from '../../../src/core/people.ts'
import { boundName, isNumbered } from '../../../src/core/speakers.ts'
import { mergeSpans } from '../../../src/core/time.ts'
import { areCompatible, fullest, splitPersonName } from '../../../src/text/people/name-form.ts'
import { namesDenied, namesInFirstPerson, namesOfOthers, namesPlayed } from '../../../src/text/people/self-naming.ts'
import { collectClaims, type NameClaim } from './claims.ts'
import type { PeopleView } from './people-view.ts'
import { plainName, recurring } from './recurring.ts'
import { addAlike, addShown, type UnnumberedPerson } from './shown-people.ts'

// Who is there, only from rows. Two are one only where rows say so: each merge names them.
export function buildRegistry(seen: PeopleView): People {
  const voices = bindNames(seen.speech, collectClaims(seen)).map(voice => asFound(voice, seen.speech))
  const unnumbered = addFaces(addShown(voices, seen), seen)
  for (const person of unnumbered) {
    addAlike(person, unnumbered, seen.clips, plainName)
    addNamesakes(person, unnumbered)
  }
  const people = unnumbered
    .map(person => ({ ...person, spans: [...person.spans].sort((a, b) => a.start - b.start || a.end - b.end) }))
    .sort((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0))
    .map((person, at): Person => ({ id: `p${at + 1}`, label: chooseLabel(person), ...person }))
  return {
    people,
    looks: recurring(seen.clips, clip => clip.people.map(({ looks }) => looks)),
    things: recurring(seen.clips, clip => clip.objects),
  }
}

function asFound({ speaker, ...voice }: VoiceBinding, speech: readonly Evidence[]): UnnumberedPerson {
  const spans = mergeSpans(
    speech.filter(row => row.speaker === speaker).map(({ span }) => span),
    2,
  )
  return {
    ...voice,
    speakers: [speaker],
    faces: [],
    descriptions: [],
    spans: spans.map(span => ({ ...span, what: 'speaks' as const })),
  }
}

// What rows call a voice that subtitles name stays as it is.
function chooseLabel({ names, speakers: [speaker] }: UnnumberedPerson): string {
  const name = names[0]?.name
  if (speaker === undefined) return name ?? 'somebody'
  return name !== undefined && isNumbered(speaker) ? boundName(name, speaker) : speaker
}

function addNamesakes(person: UnnumberedPerson, all: readonly UnnumberedPerson[]): void {
  const [name] = person.names
  if (!name) return
  const namesakes = all.filter(
    other => other !== person && other.names.some(one => areCompatible(one.name, name.name)) && other.names[0],
  )
  for (const other of namesakes) {
    const whose = other.speakers[0] ?? 'somebody whose voice is not known'
    const text = `${whose} is also called ${other.names[0]?.name}: nothing shows them to be one`
    person.unsure.push({ text, evidence: other.names.flatMap(({ evidence }) => evidence) })
  }
}

// Faces of people whose pictures are known: with a voice of the same name that is heard while only this face is seen, else by themselves.
function addFaces(people: readonly UnnumberedPerson[], seen: PeopleView): UnnumberedPerson[] {
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
function heardWith(person: UnnumberedPerson, name: string, { speech, text, faces = [] }: PeopleView): string[] {
  const alone = faces.filter(look => look.faces.length === 1 && look.faces[0]?.person === name)
  const named = new Set(person.names.flatMap(({ evidence }) => evidence))
  const rows = [...speech.filter(({ speaker }) => speaker && person.speakers.includes(speaker)), ...text].filter(row =>
    named.has(row.id),
  )
  return rows.filter(({ span }) => alone.some(({ time }) => time >= span.start && time <= span.end)).map(({ id }) => id)
}

// From the first to the last of looks one after the other that show this face.
function whereSeen(looks: PeopleView['faces'] = [], name: string): { start: number; end: number }[] {
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

// A voice with the names that its rows bear out.
interface VoiceBinding {
  speaker: string
  names: BoundName[] // the fullest first
  merges: Merge[]
  unsure: Unsure[]
}

const nobody =
  /^(?:speakers?|voices?|man|men|woman|women|boys?|girls?|child|children|kids?|male|female|narrator|announcer|host|hostess|reporter|interviewer|interviewee|presenter|moderator|audience|crowd|all|both|everyone|everybody|other|unknown|person|guest|teacher|student|singer|chorus|caller|operator|commentator|translator|interpreter|v\.?o\.?|off)\b/i

// Names are bound where all that is said of a voice agrees, and nothing of another voice says otherwise. What disagrees is kept apart.
function bindNames(speech: readonly Evidence[], claims: readonly NameClaim[]): VoiceBinding[] {
  const speakers = [...new Set(speech.flatMap(({ speaker }) => speaker ?? []))]
  const doubts = doubtsIn(speech)
  const doubted = claims.filter(claim => isDoubted(claim, claims, doubts))
  return speakers.map(speaker => {
    const ownClaims = claims.filter(claim => claim.speaker === speaker)
    const sure = ownClaims.filter(claim => !doubted.includes(claim))
    const givenNames = findGivenName(speaker, speech)
    const disagree = sure.filter(({ name }) => [...sure, ...givenNames].some(other => !areCompatible(name, other.name)))
    const bound =
      givenNames.length > 0 ? sure.filter(claim => !disagree.includes(claim)) : disagree.length > 0 ? [] : sure
    const unsure = ownClaims.filter(claim => !bound.includes(claim)).map(asUnsure)
    return { speaker, names: [...asNames(bound), ...givenNames], merges: bound.map(asMerge), unsure }
  })
}

// A name that subtitles give a voice needs no other rows.
function findGivenName(speaker: string, speech: readonly Evidence[]): BoundName[] {
  if (isNumbered(speaker) || nobody.test(speaker)) return []
  const rows = speech.filter(row => row.speaker === speaker).slice(0, 3)
  return [{ name: speaker, how: 'the subtitles name the speaker', evidence: rows.map(({ id }) => id) }]
}

// What voices say of names that are not theirs, read once for all claims.
interface Doubts {
  denied: readonly { speaker?: string; names: readonly string[] }[] // of themselves, or in the words of others
  firstPerson: readonly { speaker?: string; names: readonly string[] }[]
  played: readonly string[]
}

function doubtsIn(speech: readonly Evidence[]): Doubts {
  const each = (namesIn: (line: string) => string[]) =>
    speech.map(({ speaker, text }) => ({ speaker, names: namesIn(text) })).filter(({ names }) => names.length > 0)
  return {
    denied: each(line => [...namesDenied(line), ...namesOfOthers(line)]),
    firstPerson: each(namesInFirstPerson),
    played: speech.flatMap(({ text }) => namesPlayed(text)),
  }
}

function isDoubted({ speaker, name, rule }: NameClaim, claims: readonly NameClaim[], doubts: Doubts): boolean {
  const same = (other: string) => areCompatible(other, name)
  if (doubts.denied.some(one => one.speaker === speaker && one.names.some(same)) || doubts.played.some(same))
    return true
  // Two may be called alike; three who all say so repeat a sentence, as a class does.
  const sayers = doubts.firstPerson.filter(({ names }) => names.some(same)).map(one => one.speaker)
  if (new Set(sayers).size > 2) return true
  // One name over two voices was shown at the wrong moment at least once; one who says a name of himself knows better than a caption.
  return (
    rule !== 'says so' &&
    claims.some(other => other.speaker !== speaker && splitPersonName(other.name).length > 0 && same(other.name))
  )
}

function asNames(claims: readonly NameClaim[]): BoundName[] {
  const names = [...new Set(claims.map(({ name }) => name))]
  const best = fullest(names)
  return names
    .sort((a, b) => Number(b === best) - Number(a === best))
    .map(name => {
      const ownClaims = claims.filter(claim => claim.name === name)
      const evidence = [...new Set(ownClaims.flatMap(({ because }) => because))]
      return { name, how: ownClaims[0]?.how ?? '', evidence }
    })
}

function asMerge({ speaker, name, rule, because }: NameClaim): Merge {
  return { of: [speaker, name], because, rule: rules[rule] }
}

const rules = {
  'says so': 'the voice says that it is its name',
  announced: 'a host announces the name, and the next new voice answers as the guest',
  shown: 'the name is shown while this voice speaks alone and nobody else is seen',
}

function asUnsure({ speaker, name, how, because }: NameClaim): Unsure {
  return { text: `${speaker} may be ${name} (${how}), and other rows say otherwise`, evidence: because }
}
