import { type Deck, deck, shuffled } from '../deck.ts'
import type { Heard, Said, Sign, Slide, Story, Ticker } from '../story.ts'

// What is left to be asked about: nothing is asked twice.
export interface Dealer {
  story: Story
  random: () => number
  alone: Deck<Said> // facts said with nothing beside them
  withSlide: Deck<Said>
  withSign: Deck<Said>
  slides: Deck<Slide>
  signs: Deck<Sign>
  thingSigns: Deck<Sign>
  tickers: Deck<Ticker>
  onceHeard: Heard[] // sounds that come once, in time order
}

export function dealer(story: Story, random: () => number): Dealer {
  const { facts, signs, sounds } = story
  const once = sounds.filter(({ sound }) => sounds.filter(other => other.sound === sound).length === 1)
  const told = facts.filter(said => said.during)
  return {
    story,
    random,
    alone: deck(
      facts.filter(said => !said.during),
      random,
    ),
    withSlide: deck(
      told.filter(({ during }) => during && 'slide' in during),
      random,
    ),
    withSign: deck(
      told.filter(({ during }) => during && 'sign' in during),
      random,
    ),
    slides: deck(story.slides, random),
    signs: deck(signs, random),
    thingSigns: deck(
      signs.filter(sign => sign.things),
      random,
    ),
    tickers: deck(story.tickers, random),
    onceHeard: once,
  }
}

// `count` texts other than the right one: first those of `near`, then those of `far`.
export function rivals(
  right: string,
  near: readonly string[],
  far: readonly string[],
  count: number,
  random: () => number,
): string[] {
  const ordered = [...shuffled(near, random), ...shuffled(far, random)]
  return [...new Set(ordered)].filter(text => text !== right).slice(0, count)
}
