import { areCompatible } from '../../../src/text/people/name-form.ts'
import type { PeopleView } from './people-view.ts'
import type { UnnumberedPerson } from './shown-people.ts'

// Faces of people whose pictures are known: with a voice of the same name that is heard while this face alone is seen, else by themselves.
export function addFaces(people: readonly UnnumberedPerson[], seen: PeopleView): UnnumberedPerson[] {
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
