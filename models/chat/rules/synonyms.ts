import { stem } from '../../../src/text/words.ts'

// Groups of words that people use interchangeably in questions.
const groups = `cost price charge dollar euro pound cent pay fee expensive
begin start open commence
end finish conclude
child kid
buy purchase sell
big large huge
small little tiny
arrive come reach
depart leave
city town
job work occupation profession
doctor physician
car vehicle automobile
picture photo image photograph
movie film
street road avenue
weather forecast
email mail
phone telephone call
author write
found establish create
inventor invent
late delay minute
event happening
robbery steal theft stolen thief
injure hurt wound
ill sick disease
song sing music
marry wedding wife husband
die death dead
food eat meal dish
drink beverage
old age year
tall height high
long length
wide width
deep depth
heavy weight
far distance
fast speed
hot cold temperature warm
meter metre
born birth
live reside residence home
employee staff worker
guest visitor visit
viewer watch spectator
audience listener listen
thank gratitude thanks
hour o'clock time
meeting appointment session
reason because
name call
dangerous danger hazard warn caution
forbid prohibit ban
autumn fall
chapter section
gift present`

const groupOf = new Map<string, Set<number>>()
const lines = groups.split('\n')
for (const [i, line] of lines.entries())
  for (const word of line.split(' ')) {
    const key = stem(word.replace("'", ''))
    groupOf.set(key, (groupOf.get(key) ?? new Set()).add(i))
  }

export function areSynonyms(stemA: string, stemB: string): boolean {
  const a = groupOf.get(stemA)
  const b = groupOf.get(stemB)
  return a !== undefined && b !== undefined && [...a].some(group => b.has(group))
}

// Synonyms of a stem, for searches.
export function findSynonyms(stemmed: string): string[] {
  const synonymGroup = groupOf.get(stemmed)
  return synonymGroup
    ? lines.flatMap((line, i) => (synonymGroup.has(i) ? line.split(' ') : [])).filter(word => stem(word) !== stemmed)
    : []
}
