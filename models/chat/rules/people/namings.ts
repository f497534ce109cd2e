import type { Evidence } from '../../../../src/core/evidence.ts'
import { overlap, spanLength } from '../../../../src/core/time.ts'
import {
  areCompatible,
  capitalised,
  fullest,
  nameForm,
  splitPersonName,
} from '../../../../src/text/people/name-form.ts'
import { withCapitals } from '../../../../src/text/people/sentences.ts'
import { readShownName } from '../../../../src/text/people/shown-name.ts'
import { namesAsked } from '../action.ts'
import { clearlyBest, type Looks, likeness } from './looks.ts'
import { countPeople, isAlike, type PersonSighting } from './sightings.ts'

// A row that says the name of somebody who is seen meanwhile.
interface Naming {
  name: string
  row: Evidence
}

// Somebody with a name, and what was made out of hair and clothes where the name was told.
export interface NamedPerson {
  name: string
  looks: Looks[]
  naming: Evidence
  seen: Evidence
}

const longest = 15 // seconds of a row whose people are there while a name is told

export function namingsIn(rows: readonly Evidence[]): Naming[] {
  const writtenNames = rows.flatMap(row => {
    const name = row.track === 'text' ? readShownName(oneLined(row.text))?.name : appears.exec(personText(row))?.[1]
    return name ? [{ name, row }] : []
  })
  const spokenNames = rows.flatMap(row => {
    const name = row.track === 'speech' ? saidName(row.text, writtenNames) : undefined
    return name ? [{ name, row }] : []
  })
  return [...writtenNames, ...spokenNames]
}

const appears = /^(.+) appears$/

function personText({ track, text }: Evidence): string {
  return track === 'person' ? text : ''
}

// A line as a reader of small print breaks it: "Oliver Sullivan,\n, carpenter", "Rachel Miller,".
function oneLined(text: string): string {
  return text
    .replace(/\s*\n\s*,/g, ',')
    .replace(/,\s*,/g, ',')
    .replace(/[,\s]+$/, '')
}

const thisIs = new RegExp(String.raw`\b[Tt]his is (${capitalised})`, 'u')

// "This is Laura Harrison". Where nothing is capitalised, what follows the given name may be any word.
function saidName(text: string, shown: readonly Naming[]): string | undefined {
  const isFlat = !/\p{Lu}/u.test(text)
  const form = nameForm(thisIs.exec(withCapitals(text))?.[1] ?? '')
  if (form && form.given !== 'unknown') return isFlat ? form.name.split(' ')[0] : form.name
  const word = /\bthis is (\p{L}+)/iu.exec(text)?.[1]?.toLowerCase()
  return shown.find(({ name }) => splitPersonName(name)[0] === word)?.name
}

// Whom the rows name and describe. A name is bound only if just one person is described while it is told, and to nobody who looks
// other than the one beside whom it is written.
export function findNamedPeople(rows: readonly Evidence[], sightings: readonly PersonSighting[]): NamedPerson[] {
  const namings = namingsIn(rows)
  const beside = sightings.flatMap(sighting => {
    const [name, other] = writtenIn(sighting)
    return name && !other ? [{ name, naming: sighting.row, sighting }] : []
  })
  const isOther = (name: string, { looks }: PersonSighting) => {
    const sameName = beside.filter(one => areCompatible(one.name, name))
    return sameName.length > 0 && !sameName.some(one => isAlike(one.sighting.looks, looks))
  }
  const pairs = [
    ...beside,
    ...namings.flatMap(({ name, row }) =>
      meanwhile(row, sightings).flatMap(sighting => (isOther(name, sighting) ? [] : [{ name, naming: row, sighting }])),
    ),
  ]
  const names = pairs.map(({ name }) => name)
  const people = new Map<string, NamedPerson>()
  for (const { name, naming, sighting } of pairs) {
    const whole = wholeName(name, names)
    if (!whole) continue
    const person = people.get(whole) ?? { name: whole, looks: [], naming, seen: sighting.row }
    people.set(whole, { ...person, looks: [...person.looks, sighting.looks] })
  }
  return [...people.values()]
}

// Who somebody is by hair and clothes only: nobody if two people are as likely.
export function whoIs({ looks }: PersonSighting, people: readonly NamedPerson[]): NamedPerson | undefined {
  return clearlyBest(people, known => likeness(looks, known.looks))
}

// The person of that name.
export function personNamed(name: string, people: readonly NamedPerson[]): NamedPerson | undefined {
  const namesakes = people.filter(known => areCompatible(known.name, name))
  return namesakes.length === 1 ? namesakes[0] : undefined
}

// Whether somebody is described while the name is told.
export function isDescribed({ row }: Naming, sightings: readonly PersonSighting[]): boolean {
  return meanwhile(row, sightings).length > 0
}

// Of the rows that describe one person meanwhile those that are nearest to the moment: a longer look may have missed who is named, and
// describe who comes next.
export function meanwhile({ span }: Evidence, sightings: readonly PersonSighting[]): PersonSighting[] {
  const near = sightings.flatMap(sighting => {
    const { row } = sighting
    const shared = overlap(row.span, span)
    const isNear = shared > 0 && shared >= Math.min(spanLength(row.span), spanLength(span)) / 2
    return isNear && spanLength(row.span) <= longest && countPeople(row, sightings) === 1
      ? [{ sighting, apart: spanLength(row.span) + spanLength(span) - 2 * shared }]
      : []
  })
  const least = Math.min(...near.map(({ apart }) => apart))
  return near.filter(({ apart }) => apart <= least + 1).map(({ sighting }) => sighting)
}

// "Whose name Laura Harrison is written".
function writtenIn({ text, around }: PersonSighting): string[] {
  return /\b(?:name|caption|named|called)\b/i.test(around) ? namesAsked(`- ${text}`) : []
}

// The whole name if only the given one was heard; none if it may be of two.
function wholeName(name: string, names: readonly string[]): string | undefined {
  const same = names.filter(other => areCompatible(name, other))
  const all = fullest(same)
  return all && same.every(other => areCompatible(other, all)) ? all : undefined
}
