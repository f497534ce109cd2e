import type { Expectation } from '../record.ts'
import type { Asked, Value } from '../spoken-facts.ts'
import type { Dealer } from './dealer.ts'
import type { Draft } from './draft.ts'

export function spokenFact(dealer: Dealer): Draft {
  const said = dealer.alone.draw()
  return { ...spoken(said.fact.first), clues: [said.span] }
}

// The first turn asks for one half of a sentence, the second for the other.
export function followUp(dealer: Dealer): Draft {
  const said = dealer.alone.draw()
  const { first, second } = said.fact
  return { ...spoken(second), turns: [{ question: first.question, answer: first.answer }], clues: [said.span] }
}

export function absent(dealer: Dealer): Draft {
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

function spoken({ question, answer, value, rivals: others }: Asked): Omit<Draft, 'clues'> {
  return {
    question,
    answer,
    expect: expectValue(value, others),
    right: value.phrase,
    wrong: others.map(other => other.phrase),
    modalities: ['speech'],
  }
}

function expectValue(value: Value, others: readonly Value[]): Expectation {
  if (value.number !== undefined) return { form: 'number', value: value.number }
  return { form: 'words', groups: [[value.key]], rivals: others.map(other => other.key) }
}
