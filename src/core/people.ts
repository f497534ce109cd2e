import { z } from 'zod'
import { formatTime, Span, spanLength } from './time.ts'

// Who is in a video, as far as its rows bear it out: people.json of the people stage. Nothing is joined without rows that say so.

export const BoundName = z.object({
  name: z.string(),
  how: z.string(), // "says so: I'm ..."
  evidence: z.array(z.string()), // ids of rows
})
export type BoundName = z.infer<typeof BoundName>

// Two things that were taken for the same person, by which rule and because of which rows.
export const Merge = z.object({ of: z.array(z.string()).min(2), because: z.array(z.string()).min(1), rule: z.string() })
export type Merge = z.infer<typeof Merge>

export const Unsure = z.object({ text: z.string(), evidence: z.array(z.string()) })
export type Unsure = z.infer<typeof Unsure>

export const Person = z.object({
  id: z.string(),
  label: z.string(), // "Diane Miller (speaker 2)", as rows and answers call them
  names: z.array(BoundName), // the fullest first; empty where nothing gives a name
  speakers: z.array(z.string()), // as the rows of the speakers stage call them
  faces: z.array(z.string()), // as the pictures of known people are called
  descriptions: z.array(z.object({ text: z.string(), evidence: z.array(z.string()) })),
  spans: z.array(Span.extend({ what: z.enum(['speaks', 'appears']) })),
  merges: z.array(Merge),
  unsure: z.array(Unsure), // what points to something that the rows do not bear out
})
export type Person = z.infer<typeof Person>

// The same description in several places: one person or several, since clothes tell nobody apart.
export const Recurring = z.object({ text: z.string(), spans: z.array(Span), evidence: z.array(z.string()) })
export type Recurring = z.infer<typeof Recurring>

export const People = z.object({
  people: z.array(Person), // in the order in which they first speak or appear
  looks: z.array(Recurring),
  things: z.array(Recurring),
})
export type People = z.infer<typeof People>

// Whom somebody means by a name, "speaker 2" or the id of a person. More than one if they share the name.
export function peopleMeant(text: string, { people }: People): Person[] {
  const wantedName = text.trim().toLowerCase()
  const called = ({ id, label, names, speakers, faces }: Person) =>
    [id, label, ...names.map(({ name }) => name), ...speakers, ...faces].map(name => name.toLowerCase())
  const whole = people.filter(person => called(person).includes(wantedName))
  if (whole.length > 0) return whole
  return people.filter(({ names }) => names.some(({ name }) => name.toLowerCase().split(/\s+/).includes(wantedName)))
}

// "Diane (speaker 2), speaks 1:20 in all", each on a line, for prompts and overviews.
export function personLine({ label, names, spans, unsure }: Person): string {
  const times = (['speaks', 'appears'] as const).flatMap(what => {
    const spansOfKind = spans.filter(span => span.what === what)
    const seconds = spansOfKind.reduce((sum, span) => sum + spanLength(span), 0)
    return spansOfKind.length > 0
      ? [`${what} ${formatTime(seconds)} in all, first at ${formatTime(spansOfKind[0]?.start ?? 0)}`]
      : []
  })
  const why = names.map(({ name, how }) => `"${name}": ${how}`)
  return [
    `${label}: ${[...times, ...why].join('; ')}`,
    ...unsure.slice(0, 2).map(({ text }) => `not sure: ${text}`),
  ].join('; ')
}
