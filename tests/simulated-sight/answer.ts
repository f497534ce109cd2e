import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { readQuestion, type SightQuestion } from './question.ts'
import { a, capital, describeLooks, doingWords, inPlace, joinWords, personSentence, sceneSentence } from './say.ts'
import type { SeenPerson, SeenScene, SeenThings } from './seen.ts'

const maxSentences = 3

// One to three plain sentences about the frames, as a look asks for them.
export function answerLook(question: string, scenes: readonly SeenScene[], names: readonly string[]): string {
  const parsed = readQuestion(question, names)
  const matches = findInScenes(parsed, scenes)
  const reply = replies[parsed.wants](parsed, matches, question) ?? readTexts(parsed, matches, question)
  const { name } = parsed.person
  const unnamed = name && !matches.isNamed ? [`No frame says who ${name} is.`] : []
  const descriptions = scenes.map(sceneSentence).filter(Boolean)
  const sentences = reply === undefined ? ['The frames do not show it.', ...descriptions] : [reply]
  if (descriptions.length === 0) return 'Nothing can be made out in the frames.'
  return [...unnamed, ...sentences].slice(0, maxSentences).join(' ')
}

// What is asked may stand there in words: "how many people are on the staff", "by how many minutes is the flight late".
function readTexts({ wants, quoted }: SightQuestion, { scenes }: SceneMatches, question: string): string | undefined {
  if (!['count', 'whether', 'text'].includes(wants)) return undefined
  const lines = scenes.flatMap(({ texts }) => texts.map(({ text }) => text))
  const isAbout = quoted.length > 0 || coverage(contentWords(question), lines.join('\n')) >= 0.5
  return isAbout && lines.length > 0 ? readsText(lines) : undefined
}

function readsText(lines: readonly string[]): string {
  return `The text reads ${joinWords(distinct(lines).map(text => `"${text}"`))}.`
}

// Whether a question says which place, words or person it means.
function isPointed({ place, quoted, person }: SightQuestion): boolean {
  return place !== undefined || quoted.length > 0 || Object.keys(person).length > 0
}

type Reply = (asked: SightQuestion, found: SceneMatches, question: string) => string | undefined

// Undefined where the frames do not show it.
const replies: Record<SightQuestion['wants'], Reply> = {
  colour(asked, found) {
    const { people, things } = found
    const { part, word, shape } = asked
    if (shape) {
      const colours = distinct(things.map(({ colour }) => colour))
      return colours.length > 0 ? `The ${plural(shape, things)} ${be(things)} ${joinWords(colours)}.` : undefined
    }
    if (!part) return undefined
    const featureColours = distinct(people.flatMap(({ person }) => person[part] ?? []))
    return featureColours.length > 0
      ? `The ${word} of ${meant(asked, found)} is ${joinWords(featureColours)}.`
      : undefined
  },
  holds(asked, found) {
    const { people } = found
    const objects = distinct(people.flatMap(({ person }) => person.holds.map(({ what }) => what)))
    return objects.length > 0 ? `${capital(meant(asked, found))} holds ${joinWords(objects.map(a))}.` : undefined
  },
  does(asked, found, question) {
    if (!isPointed(asked)) return replies.all(asked, found, question)
    const { people } = found
    const actions = distinct(people.flatMap(({ person }) => person.does.map(({ what }) => what)))
    const heldThings = distinct(people.flatMap(({ person }) => person.holds.map(({ what }) => what)))
    if (actions.length === 0) return undefined
    const acts = [
      ...actions.map(one => doingWords[one].does),
      ...(heldThings.length > 0 ? [`holds ${joinWords(heldThings.map(a))}`] : []),
    ]
    return `${capital(meant(asked, found))} ${joinWords(acts)}.`
  },
  place(asked, { people, scenes }) {
    const where = isPointed(asked) ? people.map(({ scene }) => scene) : scenes
    const places = distinct(where.flatMap(({ place }) => place ?? []))
    return places.length > 0 ? `It is ${joinWords(places.map(place => inPlace(place)))}.` : undefined
  },
  count(asked, { people, things, scenes }, question) {
    if (asked.shape) {
      const most = things.reduce((sum, { count }) => sum + count, 0)
      return most > 0 ? `${most} ${plural(asked.shape, things)} ${be(things)} seen.` : undefined
    }
    if (!/\b(?:people|persons?|men|women)\b/i.test(question) || scenes.length === 0) return undefined
    return people.length > 0 ? `${people.length} ${people.length === 1 ? 'person is' : 'people are'} seen.` : undefined
  },
  text(_, { scenes }, question) {
    const lines = scenes.flatMap(({ texts }) => texts.map(({ text }) => text))
    const questionWords = contentWords(question)
    const near = lines.filter(line => coverage(contentWords(line), question) > 0 || coverage(questionWords, line) > 0)
    const quotes = near.length > 0 ? near : lines
    return quotes.length > 0 ? readsText(quotes) : undefined
  },
  who(_, { people }) {
    const looks = people.map(({ person }) =>
      person.name ? `${person.name}, whose name is written there, ${describeLooks(person)}` : describeLooks(person),
    )
    if (looks.length === 0) return undefined
    const nameless = people.some(({ person }) => !person.name) ? '; no name is written there' : ''
    return `It is ${joinWords(distinct(looks))}${nameless}.`
  },
  looks(_, { people }) {
    const lookList = distinct(people.map(({ person }) => describeLooks(person)))
    return lookList.length > 0 ? `It is ${joinWords(lookList)}.` : undefined
  },
  whether(asked, { people, things, scenes }) {
    const isThere = asked.shape ? things.length > 0 : people.length > 0
    if (scenes.length === 0 || !(asked.shape || Object.keys(asked.person).length > 0)) return undefined
    const [first] = people
    if (!isThere) return undefined
    return first && !asked.shape
      ? `Yes: ${personSentence(first.person)}.`
      : `Yes, ${a(asked.shape ?? 'person')} is seen.`
  },
  all: (_, { scenes }) => scenes.map(sceneSentence).filter(Boolean).slice(0, maxSentences).join(' ') || undefined,
}

// The person as the question describes or, where a frame does so too, names him or her.
function meant({ person, place }: SightQuestion, { isNamed }: SceneMatches): string {
  const { name, top, trousers, hair, hat, holds, does } = person
  if (name && isNamed) return name
  const worn = [
    top && `a ${top} top`,
    trousers && `${trousers} trousers`,
    hat && (hat === 'any' ? 'a hat' : hat === 'none' ? 'no hat' : `a ${hat} hat`),
  ].filter(Boolean)
  const parts = [
    hair && `with ${hair} hair`,
    worn.length > 0 && `in ${worn.join(' and ')}`,
    holds && `holding ${a(holds)}`,
    does && `who ${doingWords[does].does}`,
    place && inPlace(place, 'the'),
  ].filter(Boolean)
  return ['the person', ...parts].join(' ')
}

function plural(noun: string, things: SceneMatches['things']): string {
  return things.reduce((sum, { count }) => sum + count, 0) === 1 ? noun : `${noun}${noun.endsWith('s') ? 'es' : 's'}`
}

function be(things: SceneMatches['things']): string {
  return things.reduce((sum, { count }) => sum + count, 0) === 1 ? 'is' : 'are'
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

// What of the frames a question means.
interface SceneMatches {
  scenes: SeenScene[] // where it can be: of the place and with the words that the question names
  people: { person: SeenPerson; scene: SeenScene }[]
  things: SeenThings[]
  isNamed: boolean // a name that the question gives is written in the frames
}

function findInScenes(asked: SightQuestion, all: readonly SeenScene[]): SceneMatches {
  const scenes = all.filter(scene => isPlace(asked, scene) && asked.quoted.every(quote => reads(scene, quote)))
  const { name, ...looks } = asked.person
  const everybody = scenes.flatMap(scene => scene.people.map(person => ({ person, scene })))
  const named = everybody.filter(({ person }) => name !== undefined && person.name === name)
  const people = (named.length > 0 ? named : everybody).filter(({ person }) => fits(looks, person))
  const things = asked.shape
    ? scenes.flatMap(scene => scene.things.filter(({ shape }) => shape === asked.shape))
    : scenes.flatMap(scene => scene.things)
  return { scenes, people, things, isNamed: named.length > 0 }
}

function isPlace({ place }: SightQuestion, scene: SeenScene): boolean {
  return place === undefined || scene.place === place
}

function reads({ texts }: SeenScene, quote: string): boolean {
  return coverage(contentWords(quote), texts.map(({ text }) => text).join('\n')) >= 0.7
}

// What was not made out of a person fits nothing.
function fits(
  { top, trousers, hair, hat, holds, does }: Omit<SightQuestion['person'], 'name'>,
  person: SeenPerson,
): boolean {
  if (top && person.top !== top) return false
  if (trousers && person.trousers !== trousers) return false
  if (hair && person.hair !== hair) return false
  if (hat === 'none' ? person.hat : hat && (hat === 'any' ? !person.hat : person.hat !== hat)) return false
  if (holds && !person.holds.some(({ what }) => what === holds)) return false
  return !does || person.does.some(({ what }) => what === does)
}
