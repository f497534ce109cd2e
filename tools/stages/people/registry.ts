import type { Evidence } from '../../../src/core/evidence.ts'
import type { People, Person } from '../../../src/core/people.ts'
import { boundName, isNumbered } from '../../../src/core/speakers.ts'
import { mergeSpans } from '../../../src/core/time.ts'
import { areCompatible } from '../../../src/text/people/name-form.ts'
import { bindNames, type VoiceBinding } from './bind.ts'
import { collectClaims } from './claims.ts'
import { addFaces } from './known-faces.ts'
import type { PeopleView } from './people-view.ts'
import { plainName, recurring } from './recurring.ts'
import { addAlike, addShown, type UnnumberedPerson } from './shown-people.ts'

// Who is there, from rows alone. Two are one only where rows say so: each merge names them.
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
    ...{ ...voice, speakers: [speaker], faces: [], descriptions: [] },
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
