import { rubrics } from './criteria.ts'
import { scored } from './scores.ts'
import { classes, shortAnswers } from './short-answers.ts'

export const calibrationSets = { 'short answers': shortItems, scores: scoreItems, criteria: criterionItems }
export type CalibrationSet = keyof typeof calibrationSets

export interface CalibrationQuestion {
  id: string
  question: string
  target: string
  criterion?: { description: string; penalty: boolean }
}

export interface CalibrationItem extends CalibrationQuestion {
  class: string
  answer: string
  truth: number // a verdict: grades A, B, C as 0, 1, 2; a score of 0 to 10; 1 where a criterion is met
  slack: number // how far off a verdict still counts as right: the width of its band
}

function shortItems(): CalibrationItem[] {
  const items: CalibrationItem[] = []
  let name: keyof typeof classes = 'exact'
  for (const line of shortAnswers.trim().split('\n')) {
    if (line.startsWith('# ')) {
      name = line.slice(2) as keyof typeof classes
      continue
    }
    const [question = '', target = '', answer = ''] = line.split(' | ')
    const id = `${name.replaceAll(' ', '-')}-${items.filter(item => item.class === name).length + 1}`
    items.push({ id, class: name, question, target, answer, truth: 'ABC'.indexOf(classes[name]), slack: 0 })
  }
  return items
}

// Which facts an answer holds differs from one reference to the next, so that it is not always the first.
function scoreItems(): CalibrationItem[] {
  return scored.flatMap(({ question, facts, said, wrong }, place) =>
    [0, 1, 2, 3, 4].map(k => ({
      id: `score-${place + 1}-${k}`,
      class: `${k} of 4 facts`,
      question,
      target: facts.join(' '),
      answer: k === 0 ? wrong : said.filter((_, i) => (i + place) % 4 < k).join(' '),
      truth: k * 2.5,
      slack: 1.5,
    })),
  )
}

function criterionItems(): CalibrationItem[] {
  return rubrics.flatMap(({ reference, answer, met, missed, kept, broken }, place) => {
    const criteria = [
      ...met.map(description => ({ class: 'met', description, penalty: false, truth: 1 })),
      ...missed.map(description => ({ class: 'not met', description, penalty: false, truth: 0 })),
      { class: 'penalty that does not apply', description: kept, penalty: true, truth: 1 },
      { class: 'penalty that applies', description: broken, penalty: true, truth: 0 },
    ]
    return criteria.map(({ description, penalty, ...rest }, i) => ({
      ...rest,
      id: `criterion-${place + 1}-${i + 1}`,
      question: '',
      target: reference,
      answer,
      slack: 0,
      criterion: { description, penalty },
    }))
  })
}
