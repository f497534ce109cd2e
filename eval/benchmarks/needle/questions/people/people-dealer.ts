import { shuffle } from '../../../../data/deck.ts'
import type { PeopleStory } from '../../people/people-story.ts'

// What is left to ask about the people: nothing is asked twice in one form.
export interface PeopleDealer {
  story: PeopleStory
  random: () => number
  rivals(right: string, near: readonly string[], far?: readonly string[]): string[]
  draw<Item extends object>(form: string, items: readonly Item[]): Item
}

export function peopleDealer(story: PeopleStory, random: () => number, rivals: PeopleDealer['rivals']): PeopleDealer {
  const drawn = new Map<string, Set<object>>()
  return {
    story,
    random,
    rivals,
    draw(form, items) {
      const before = drawn.get(form) ?? new Set()
      const item = shuffle(items, random).find(item => !before.has(item))
      if (!item) throw new RangeError(`Nothing is left to ask for: ${form} among ${items.length}.`)
      drawn.set(form, before.add(item))
      return item
    },
  }
}
