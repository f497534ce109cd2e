import { shuffle } from '../../../data/deck.ts'
import type { SpokenAnswer } from '../spoken-facts.ts'
import { type CountedSound, countedSoundNames } from '../story.ts'
import { type Dealer, phraseAmong, type QuestionDraft } from './dealer.ts'

export function spokenFact(dealer: Dealer): QuestionDraft {
  const quietFact = dealer.alone.draw()
  return { ...spoken(quietFact.fact.first), clues: [quietFact.span] }
}

// The first turn asks for one half of a sentence, the second for the other.
export function followUp(dealer: Dealer): QuestionDraft {
  const quietFact = dealer.alone.draw()
  const { first, second } = quietFact.fact
  return { ...spoken(second), turns: [{ question: first.question, answer: first.answer }], clues: [quietFact.span] }
}

export function absent(dealer: Dealer): QuestionDraft {
  const { question, rivals } = dealer.story.makeFact.absent()
  return {
    question,
    answer: 'The video does not say that.',
    expect: { form: 'abstain', rivals: rivals.map(value => value.key) },
    wrong: rivals.map(value => value.phrase),
    clues: [],
    modalities: ['speech'],
  }
}

function spoken({
  question,
  answer,
  value: { key, phrase, number },
  rivals,
}: SpokenAnswer): Omit<QuestionDraft, 'clues'> {
  return {
    question,
    answer,
    expect:
      number === undefined
        ? { form: 'words', groups: [[key]], rivals: rivals.map(other => other.key) }
        : { form: 'number', value: number },
    right: phrase,
    wrong: rivals.map(other => other.phrase),
    modalities: ['speech'],
  }
}

export function saidWhileShown({ withSign, story, rivals }: Dealer): QuestionDraft {
  const factWithSign = withSign.draw()
  const { fact, during, span } = factWithSign
  const { place, name } = story.signs.find(sign => during && 'sign' in during && sign.place === during.sign)!
  const otherFacts = story.facts.filter(other => other !== factWithSign).map(other => other.fact)
  return {
    question: `What is said while the sign "${place} ${name}" is shown?`,
    answer: fact.first.answer,
    expect: {
      form: 'words',
      groups: [[fact.first.value.key], [fact.second.value.key]],
      rivals: otherFacts.map(other => other.clause),
    },
    right: fact.sentence,
    wrong: rivals(
      fact.sentence,
      otherFacts.map(other => other.sentence),
    ),
    clues: [span],
    modalities: ['visual', 'speech'],
  }
}

export function shownWhileSaid({ withSlide, story, rivals }: Dealer): QuestionDraft {
  const { during, fact, span } = withSlide.draw()
  const title = during && 'slide' in during ? during.slide : ''
  const titles = story.slides.map(slide => slide.title)
  return {
    question: `What is the title of the slide that is shown while somebody says that ${fact.clause}?`,
    answer: `The slide "${title}" is shown.`,
    ...phraseAmong(title, rivals(title, titles)),
    clues: [span],
    modalities: ['speech', 'visual'],
  }
}

const timesHeard: Partial<Record<CountedSound, string>> = {
  bell: 'does the bell ring',
  bark: 'is a dog heard barking',
  knock: 'is knocking heard',
  beep: 'does the beep sound',
}

// A stroke, a burst of barks or a knock with a pause before and after it counts once.
export function howManyTimes({ story: { sounds, phrase }, onceHeard, rivals }: Dealer, nth: number): QuestionDraft {
  const repeated = sounds.filter(heard => !onceHeard.includes(heard))
  const ofSound = nth % 2 === 0
  const clues = ofSound ? repeated.map(heard => heard.span) : phrase.spans
  const count = clues.length
  const near = [count - 1, count + 1, count + 2].map(n => (n === 1 ? 'once' : `${n} times`))
  return {
    question: ofSound
      ? `How many separate times ${timesHeard[repeated[0]!.sound]}?`
      : `How many times does somebody say "${phrase.words}"?`,
    answer: `${count} times.`,
    expect: { form: 'number', value: count },
    right: `${count} times`,
    wrong: rivals(`${count} times`, near),
    clues,
    modalities: [ofSound ? 'audio' : 'speech'],
  }
}

export function inWhichOrder({ onceHeard, random }: Dealer): QuestionDraft {
  const three = shuffle(onceHeard, random)
    .slice(0, 3)
    .sort((a, b) => a.span.start - b.span.start)
  const names = three.map(({ sound }) => countedSoundNames[sound])
  const list = (order: readonly number[]) => order.map(i => names[i]).join(', ')
  const turned = [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]
  return {
    question: `In which order are these first heard: ${list(shuffle([0, 1, 2], random))}?`,
    answer: `First the ${names[0]}, then the ${names[1]}, then the ${names[2]}.`,
    expect: { form: 'order', items: names.map(name => soundWords[name] ?? [name]) },
    right: list([0, 1, 2]),
    wrong: shuffle(turned, random).slice(0, 3).map(list),
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
