import type { Span } from '../../../../src/core/time.ts'
import { type Deck, deck, shuffle } from '../../../data/deck.ts'
import type { Expectation, NeedleModality } from '../record.ts'
import type { Heard, NeedleStory, Sign, Slide, SpokenLine, Ticker } from '../story.ts'
import { type PeopleDealer, peopleDealer } from './people/people-dealer.ts'

// A question before it gets its options and its rubric.
export interface QuestionDraft {
  turns?: { question: string; answer: string }[]
  question: string
  answer: string // a whole sentence
  expect: Expectation
  right?: string // the right option; absent where the video does not say
  wrong: string[] // three of the same sort, or four where none is right
  clues: Span[]
  modalities: NeedleModality[]
}

// What is left to ask about: nothing is asked twice.
export interface Dealer {
  story: NeedleStory
  random: () => number
  alone: Deck<SpokenLine> // facts said with nothing beside them
  withSlide: Deck<SpokenLine>
  withSign: Deck<SpokenLine>
  slides: Deck<Slide>
  signs: Deck<Sign>
  thingSigns: Deck<Sign>
  tickers: Deck<Ticker>
  onceHeard: Heard[] // sounds that come once, in time order
  people?: PeopleDealer // where people are drawn
  rivals(right: string, near: readonly string[], far?: readonly string[]): string[]
}

export function dealer(story: NeedleStory, random: () => number): Dealer {
  const { facts, signs, slides, tickers, sounds } = story
  const dealt = <Item>(items: readonly Item[], wanted: (item: Item) => boolean = () => true) =>
    deck(items.filter(wanted), random)
  // Three texts other than the right one: first those of `near`, then those of `far`.
  const rivals: Dealer['rivals'] = (right, near, far = []) =>
    [...new Set([...shuffle(near, random), ...shuffle(far, random)])].filter(text => text !== right).slice(0, 3)
  return {
    story,
    random,
    alone: dealt(facts, said => !said.during),
    withSlide: dealt(facts, ({ during }) => during !== undefined && 'slide' in during),
    withSign: dealt(facts, ({ during }) => during !== undefined && 'sign' in during),
    slides: dealt(slides),
    signs: dealt(signs),
    thingSigns: dealt(signs, sign => sign.things !== undefined),
    tickers: dealt(tickers),
    onceHeard: sounds.filter(({ sound }) => sounds.filter(other => other.sound === sound).length === 1),
    rivals,
    ...(story.people && { people: peopleDealer(story.people, random, rivals) }),
  }
}

// The answer is a phrase, and none of the wrong ones may be given with it.
export function phraseAmong(right: string, wrong: string[]): Pick<QuestionDraft, 'expect' | 'right' | 'wrong'> {
  return { expect: { form: 'words', groups: [[right]], rivals: wrong }, right, wrong }
}

export function seenAt(...items: { span: Span }[]): Pick<QuestionDraft, 'clues' | 'modalities'> {
  return { clues: items.map(({ span }) => span), modalities: ['visual'] }
}
