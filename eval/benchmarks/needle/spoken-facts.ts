import { deck, endless } from '../../data/deck.ts'
import * as pool from './pools.ts'

// One thing that a question may ask for: the words that name it, and the short answer: "train", "by train".
interface Value {
  key: string
  phrase: string
  number?: number
}

export interface SpokenAnswer {
  question: string
  answer: string // a whole sentence
  value: Value
  rivals: Value[] // of the same sort, none of them right
}

// One sentence that is said once in a video and holds two things to ask for.
export interface SpokenFact {
  sentence: string
  clause: string // for "says that ..."
  first: SpokenAnswer
  second: SpokenAnswer // goes on from the first: "And where was that?"
}

export interface FactMaker {
  make(): SpokenFact
  absent(): Pick<SpokenAnswer, 'question' | 'rivals'> // the same sort of question, about somebody of whom nothing is said
}

// A sort of sentence: about whom or what it is, and the two things that it says.
interface Sort {
  subjects: string[]
  lead: string
  says(subject: string, first: string, second: string): string
  first: { question(subject: string): string; values: string[]; phrase: (word: string) => string }
  second: { question: string; values: string[]; phrase: (word: string) => string }
}

const prices = Object.keys(pool.prices)
const same = (word: string) => word
const a = (word: string) => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`

const sorts: Sort[] = [
  {
    subjects: pool.people,
    lead: 'Yesterday',
    says: (person, object, place) => `the ${person} found ${a(object)} in the ${place}`,
    first: { question: person => `What did the ${person} find?`, values: pool.objects, phrase: a },
    second: { question: 'And where was that?', values: pool.placePool, phrase: word => `in the ${word}` },
  },
  {
    subjects: pool.people,
    lead: 'Next week',
    says: (person, city, vehicle) => `the ${person} will travel to ${city} by ${vehicle}`,
    first: { question: person => `Which city will the ${person} travel to?`, values: pool.cities, phrase: same },
    second: { question: 'And how?', values: pool.vehicles, phrase: word => `by ${word}` },
  },
  {
    subjects: pool.people,
    lead: 'This morning',
    says: (person, food, event) => `the ${person} bought ${food} for the ${event}`,
    first: { question: person => `What did the ${person} buy?`, values: pool.foods, phrase: same },
    second: { question: 'And what was it for?', values: pool.eventPool, phrase: word => `for the ${word}` },
  },
  {
    subjects: pool.objects,
    lead: 'They say that',
    says: (object, price, place) => `the ${object} from the ${place} costs ${price} dollars`,
    first: {
      question: object => `How much does the ${object} cost?`,
      values: prices,
      phrase: word => `${word} dollars`,
    },
    second: { question: 'And where is it from?', values: pool.placePool, phrase: word => `from the ${word}` },
  },
]

// Deals facts about people, things and events; no two facts of one video are about the same.
export function factMaker(random: () => number): FactMaker {
  const { people, objects, placePool: places, cities, foods, eventPool: events, vehicles } = pool
  const once = [people, objects, places, cities, foods, events].map(list => [list, deck(list, random)] as const)
  const again = [vehicles, prices].map(list => [list, endless(list, random)] as const)
  const decks = new Map([...once, ...again])
  const draw = (list: string[]) => decks.get(list)!.draw()
  const rivals = ({ values, phrase }: Sort['second'] | Sort['first'], word: string, count: number) =>
    deck(values, random)
      .others(count, [word])
      .map(other => asValue(other, phrase))
  const next = endless(sorts, random)
  const nextAbsent = endless(sorts, random)
  return {
    make() {
      const { subjects, lead, says, first, second } = next.draw()
      const [subject, one, other] = [draw(subjects), draw(first.values), draw(second.values)]
      const clause = says(subject, one, other)
      const spokenAnswer = (question: string, half: Sort['second'] | Sort['first'], word: string): SpokenAnswer => ({
        question,
        answer: `T${clause.slice(1)}.`, // each clause begins with "the"
        value: asValue(word, half.phrase),
        rivals: rivals(half, word, 3),
      })
      return {
        sentence: `${lead} ${clause}.`,
        clause,
        first: spokenAnswer(first.question(subject), first, one),
        second: spokenAnswer(second.question, second, other),
      }
    },
    absent() {
      const { subjects, first } = nextAbsent.draw()
      return { question: first.question(draw(subjects)), rivals: rivals(first, '', 4) }
    },
  }
}

function asValue(word: string, phrase: (word: string) => string): Value {
  return { key: word, phrase: phrase(word), number: Object.hasOwn(pool.prices, word) ? pool.prices[word] : undefined }
}
