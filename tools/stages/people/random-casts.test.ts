import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { type Evidence, type Finding, stamp } from '../../../src/core/evidence.ts'
import { formatTime } from '../../../src/core/time.ts'
import type { FaceLook, PeopleClip, PeopleView } from './people-view.ts'
import { buildRegistry } from './registry.ts'

// Who somebody really is. First names and coats are few, so that several have the same; some are called alike and do the same, and are told
// apart by their sex or their faces alone.
interface Member {
  voice: string
  first: string
  last: string
  looks: string
  role: string
  face?: string // where pictures of everybody are known
}

// What was said, shown and seen, with who it is truly of.
interface Cast {
  members: Member[]
  seen: PeopleView
  truth: Map<string, Member[]> // by the id of a row or clip: whom it is said by, shown of, or shows
  where: { start: number; end: number; who: Member[] }[] // who is seen when
}

const firsts = ['Diane', 'Robert', 'Maria']
const lasts = ['Miller', 'Jones', 'Baker', 'Fischer', 'Novak', 'Rossi', 'Silva']
const coats = ['a woman in a red coat', 'a man in a blue coat']
const roles = ['baker', 'mayor', 'teacher']
const seconds = 12 // of a scene

function castOf(seed: number): Cast {
  const random = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const count = 2 + Math.floor(random() * 4)
  const looksAtFaces = random() < 0.5
  const knowsFaces = looksAtFaces && random() < 0.5
  const members: Member[] = []
  while (members.length < count) {
    const voice = `Speaker ${members.length + 1}`
    const last = lasts[members.length] ?? ''
    const namesake = random() < 0.3 ? members[0] : undefined
    const named = namesake ?? { last, first: pick(firsts), role: pick(roles) }
    const face = knowsFaces ? { face: `Face ${members.length + 1}` } : {}
    const one: Member = { ...named, voice, looks: pick(coats), ...face }
    // Two of one given name, one coat and one trade could not be told apart by anybody, but by their faces.
    const isLike = (other: Member) => other.first === one.first && other.looks === one.looks && other.role === one.role
    if ((namesake && knowsFaces) || !members.some(isLike)) members.push(one)
  }
  const truth: Cast['truth'] = new Map()
  const where: Cast['where'] = []
  const speech: Evidence[] = []
  const text: Evidence[] = []
  const clips: PeopleClip[] = []
  const faces: FaceLook[] = []
  const cuts: number[] = []
  const row = (finding: Finding, who: Member[]) => {
    const made = stamp(finding, 'v', 'made/random')
    truth.set(made.id, who)
    return made
  }
  for (let scene = 0; scene < 12; scene++) {
    const start = scene * seconds
    const [one, other] = [pick(members), pick(members)]
    const isPair = other !== one && random() < 0.3
    const there = isPair ? [one, other] : [one]
    const line = (at: number, who: Member, said: string) =>
      speech.push(
        row({ span: { start: start + at, end: start + at + 3 }, track: 'speech', text: said, speaker: who.voice }, [
          who,
        ]),
      )
    line(
      0,
      one,
      pick([
        `I'm ${one.first}.`,
        `My name is ${one.first} ${one.last}.`,
        `We begin early at ${formatTime(scene)}.`,
        `It is work for ${scene} people.`,
      ]),
    )
    if (isPair)
      line(4, other, pick([`I'm ${other.first}.`, 'I see it another way.', `And I'm ${other.first} ${other.last}.`]))
    if (random() < 0.5) {
      const name = pick([one.first, `${one.first} ${one.last}`])
      const words = pick([name, `${name}\n${one.role}`, `${name}, ${one.role}`])
      // It may stay over the cut to the next scene, or be there before the cut to this one.
      const [from, to] = pick([[8, 11], [8, 15], ...(isPair || scene === 0 ? [] : [[-2, 3]])] as const)
      text.push(row({ span: { start: start + from, end: start + to }, track: 'text', text: words }, [one]))
      line(8, one, `That is what we do at number ${scene}.`)
    }
    // A clip of the second half shows the one who is named there alone; one of the first half whoever is there.
    for (const [begin, who] of [
      [0, there],
      [7, [one]],
    ] as const) {
      const span = { start: start + begin, end: start + (begin === 0 ? 7 : seconds) }
      cuts.push(span.start)
      where.push({ ...span, who: [...who] })
      const id = `c${span.start}`
      truth.set(id, [...who])
      clips.push({ id, span, people: who.map(({ looks }) => ({ looks })), objects: [] })
      if (looksAtFaces)
        faces.push({ time: span.start + 2, faces: who.map(({ face: person }) => (person ? { person } : {})) })
    }
  }
  return {
    members,
    seen: { speech, text, clips, ...(random() < 0.5 && { cuts }), ...(looksAtFaces && { faces }) },
    truth,
    where,
  }
}

const namesOf = ({ first, last }: Member) => [first, `${first} ${last}`]

test('no two people become one, whoever shares a name or a coat', () => {
  let bound = 0
  let merged = 0
  for (let seed = 1; seed <= 200; seed++) {
    const { members, seen, truth, where } = castOf(seed)
    for (const person of buildRegistry(seen).people) {
      const evidence = [
        ...person.names.flatMap(({ evidence }) => evidence),
        ...person.descriptions.flatMap(({ evidence }) => evidence),
        ...person.merges.flatMap(({ because }) => because),
      ]
      // Who it can be by everything that it is made of.
      const can = members.filter(
        member =>
          person.speakers.every(speaker => speaker === member.voice) &&
          person.names.every(({ name }) => [...namesOf(member), member.face].includes(name)) &&
          person.faces.every(face => face === member.face) &&
          evidence.every(id => truth.get(id)?.includes(member)) &&
          person.spans
            .filter(({ what }) => what === 'appears')
            .every(span =>
              where.every(({ start, end, who }) => start >= span.end || end <= span.start || who.includes(member)),
            ),
      )
      expect(can, `cast ${seed}: ${JSON.stringify(person, null, 1)}`).not.toEqual([])
      bound += Number(person.names.length > 0 && person.speakers.length > 0)
      merged += person.merges.length
    }
  }
  expect(bound).toBeGreaterThan(100)
  expect(merged).toBeGreaterThan(200)
})
