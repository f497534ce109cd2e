import { deck, endless } from './deck.ts'
import * as pool from './pools.ts'

// One thing that a question may ask for: the words that name it, and the short answer: "train", "by train".
export interface Value {
  key: string
  phrase: string
  number?: number
}

export interface Asked {
  question: string
  answer: string // a whole sentence
  value: Value
  rivals: Value[] // of the same sort, none of them right
}

// One sentence that is said once in a video and holds two things to ask for.
export interface SpokenFact {
  sentence: string
  clause: string // for "says that ..."
  first: Asked
  second: Asked // goes on from the first: "And where was that?"
}

export interface FactMaker {
  make(): SpokenFact
  absent(): Pick<Asked, 'question' | 'rivals'> // the same sort of question, about somebody of whom nothing is said
}

// Deals facts about people, things and events; no two facts of one video are about the same.
export function factMaker(random: () => number): FactMaker {
  const people = deck(pool.people, random)
  const objects = deck(pool.objects, random)
  const places = deck(pool.places, random)
  const cities = deck(pool.cities, random)
  const foods = deck(pool.foods, random)
  const events = deck(pool.events, random)
  const vehicles = endless(pool.vehicles, random)
  const prices = endless(Object.keys(pool.prices), random)
  const ask = (question: string, said: string, list: readonly string[], word: string, phrase = same): Asked => ({
    question,
    answer: `${said[0].toUpperCase()}${said.slice(1)}.`,
    value: asValue(word, phrase),
    rivals: rivalsOf(list, word, phrase),
  })
  const rivalsOf = (list: readonly string[], word: string, phrase: Phrase, count = 3) =>
    deck(list, random)
      .others(count, [word])
      .map(other => asValue(other, phrase))
  const unsaid = (list: readonly string[], phrase: Phrase) => rivalsOf(list, '', phrase, 4)

  const finding = {
    make(): SpokenFact {
      const [person, object, place] = [people.draw(), objects.draw(), places.draw()]
      const said = `the ${person} found ${a(object)} in the ${place}`
      return {
        sentence: `Yesterday ${said}.`,
        clause: said,
        first: ask(`What did the ${person} find?`, said, pool.objects, object, a),
        second: ask('And where was that?', said, pool.places, place, word => `in the ${word}`),
      }
    },
    absent: () => ({ question: `What did the ${people.draw()} find?`, rivals: unsaid(pool.objects, a) }),
  }
  const travelling = {
    make(): SpokenFact {
      const [person, city, vehicle] = [people.draw(), cities.draw(), vehicles.draw()]
      const said = `the ${person} will travel to ${city} by ${vehicle}`
      return {
        sentence: `Next week ${said}.`,
        clause: said,
        first: ask(`Which city will the ${person} travel to?`, said, pool.cities, city),
        second: ask('And how?', said, pool.vehicles, vehicle, word => `by ${word}`),
      }
    },
    absent: () => ({
      question: `Which city will the ${people.draw()} travel to?`,
      rivals: unsaid(pool.cities, same),
    }),
  }
  const buying = {
    make(): SpokenFact {
      const [person, food, event] = [people.draw(), foods.draw(), events.draw()]
      const said = `the ${person} bought ${food} for the ${event}`
      return {
        sentence: `This morning ${said}.`,
        clause: said,
        first: ask(`What did the ${person} buy?`, said, pool.foods, food),
        second: ask('And what was it for?', said, pool.events, event, word => `for the ${word}`),
      }
    },
    absent: () => ({ question: `What did the ${people.draw()} buy?`, rivals: unsaid(pool.foods, same) }),
  }
  const pricing = {
    make(): SpokenFact {
      const [object, place, price] = [objects.draw(), places.draw(), prices.draw()]
      const said = `the ${object} from the ${place} costs ${price} dollars`
      return {
        sentence: `They say that ${said}.`,
        clause: said,
        first: ask(`How much does the ${object} cost?`, said, Object.keys(pool.prices), price, dollars),
        second: ask('And where is it from?', said, pool.places, place, word => `from the ${word}`),
      }
    },
    absent: () => ({
      question: `How much does the ${objects.draw()} cost?`,
      rivals: unsaid(Object.keys(pool.prices), dollars),
    }),
  }

  const sorts = [finding, travelling, buying, pricing]
  const next = endless(sorts, random)
  const nextAbsent = endless(sorts, random)
  return { make: () => next.draw().make(), absent: () => nextAbsent.draw().absent() }
}

type Phrase = (word: string) => string

const same: Phrase = word => word
const a: Phrase = word => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
const dollars: Phrase = word => `${word} dollars`

function asValue(word: string, phrase: Phrase): Value {
  return { key: word, phrase: phrase(word), number: Object.hasOwn(pool.prices, word) ? pool.prices[word] : undefined }
}
