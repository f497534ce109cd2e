import { shuffled } from '../deck.ts'
import { soundNames } from '../story.ts'
import { type Dealer, rivals } from './dealer.ts'
import type { Draft } from './draft.ts'

const timesHeard: Record<string, string> = {
  bell: 'does the bell ring',
  bark: 'is a dog heard barking',
  knock: 'is knocking heard',
  beep: 'does the beep sound',
}

// A stroke, a burst of barks or a knock with a pause before and after it counts once.
export function howManyTimes({ story, random }: Dealer, nth: number): Draft {
  const counted = story.sounds.filter(({ sound }) => story.sounds.filter(other => other.sound === sound).length > 1)
  const asked =
    nth % 2 === 0
      ? {
          question: `How many separate times ${timesHeard[counted[0].sound]}?`,
          spans: counted.map(heard => heard.span),
          modality: 'audio' as const,
        }
      : {
          question: `How many times does somebody say "${story.phrase.words}"?`,
          spans: story.phrase.spans,
          modality: 'speech' as const,
        }
  const count = asked.spans.length
  return {
    question: asked.question,
    answer: `${count} times.`,
    expect: { form: 'number', value: count },
    right: `${count} times`,
    wrong: rivals(
      `${count} times`,
      [count - 1, count + 1, count + 2].map(n => (n === 1 ? 'once' : `${n} times`)),
      [],
      3,
      random,
    ),
    clues: asked.spans,
    modalities: [asked.modality],
  }
}

export function inWhichOrder({ onceHeard, random }: Dealer): Draft {
  const three = shuffled(onceHeard, random)
    .slice(0, 3)
    .sort((a, b) => a.span.start - b.span.start)
  const names = three.map(({ sound }) => soundNames[sound])
  const list = (order: readonly number[]) => order.map(i => names[i]).join(', ')
  const turned = [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]
  return {
    question: `In which order are these first heard: ${list(shuffled([0, 1, 2], random))}?`,
    answer: `First the ${names[0]}, then the ${names[1]}, then the ${names[2]}.`,
    expect: { form: 'order', items: names.map(name => soundWords[name] ?? [name]) },
    right: list([0, 1, 2]),
    wrong: shuffled(turned, random).slice(0, 3).map(list),
    clues: three.map(heard => heard.span),
    modalities: ['audio'],
  }
}

const soundWords: Record<string, string[]> = {
  'barking dog': ['barking', 'bark', 'dog'],
  knocking: ['knocking', 'knock'],
  applause: ['applause', 'clapping'],
  siren: ['siren', 'alarm'],
}
