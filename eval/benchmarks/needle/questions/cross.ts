import type { Said } from '../story.ts'
import { type Dealer, rivals } from './dealer.ts'
import type { Draft } from './draft.ts'

export function saidWhileShown(dealer: Dealer): Draft {
  const said = dealer.withSign.draw()
  const sign = signOf(dealer, said)
  const others = dealer.story.facts.filter(other => other !== said)
  const { fact } = said
  return {
    question: `What is said while the sign "${sign.place} ${sign.name}" is shown?`,
    answer: fact.first.answer,
    expect: {
      form: 'words',
      groups: [[fact.first.value.key], [fact.second.value.key]],
      rivals: others.map(other => other.fact.clause),
    },
    right: fact.sentence,
    wrong: rivals(
      fact.sentence,
      others.map(other => other.fact.sentence),
      [],
      3,
      dealer.random,
    ),
    clues: [said.span],
    modalities: ['visual', 'speech'],
  }
}

export function shownWhileSaid(dealer: Dealer): Draft {
  const said = dealer.withSlide.draw()
  const { during } = said
  const title = during && 'slide' in during ? during.slide : ''
  const wrong = rivals(
    title,
    dealer.story.slides.map(slide => slide.title),
    [],
    3,
    dealer.random,
  )
  return {
    question: `What is the title of the slide that is shown while somebody says that ${said.fact.clause}?`,
    answer: `The slide "${title}" is shown.`,
    expect: { form: 'words', groups: [[title]], rivals: wrong },
    right: title,
    wrong,
    clues: [said.span],
    modalities: ['speech', 'visual'],
  }
}

function signOf({ story }: Dealer, { during }: Said) {
  return story.signs.find(sign => during && 'sign' in during && sign.place === during.sign)!
}
