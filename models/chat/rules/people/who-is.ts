import { areCompatible } from '../../../../src/text/people/name-form.ts'
import { likeness } from './looks.ts'
import type { NamedPerson } from './namings.ts'
import type { PersonSighting } from './sightings.ts'

const enough = 1.5
const ahead = 1 // of everybody else

// Who somebody is by hair and clothes only: nobody if two people are as likely.
export function whoIs({ looks }: PersonSighting, people: readonly NamedPerson[]): NamedPerson | undefined {
  const alike = people.map(known => ({ known, score: likeness(looks, known.looks) })).sort((a, b) => b.score - a.score)
  const [best, next] = alike
  return best && best.score >= enough && best.score - (next?.score ?? 0) >= ahead ? best.known : undefined
}

// The person of that name.
export function personNamed(name: string, people: readonly NamedPerson[]): NamedPerson | undefined {
  const namesakes = people.filter(known => areCompatible(known.name, name))
  return namesakes.length === 1 ? namesakes[0] : undefined
}
