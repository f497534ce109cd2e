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
  truth: number // a verdict: grades A, B, C as 0, 1, 2; a score of 0 to 10; 1 if a criterion is met
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

// Ten answers with six criteria each: two that are met, two that are not, a penalty that does not apply and one that does. A penalty
// says what an answer must not do; it counts as met where the answer does not do it. All texts are ours.
const rubrics = [
  {
    reference: 'The carpenter builds a chest of oak in two days and gives it to his niece.',
    answer: 'He makes a chest of oak and gives it to his niece, who cries.',
    met: ['States that the chest is made of oak', 'States that the niece gets the chest'],
    missed: ['States that it takes two days', 'Identifies the maker as a carpenter'],
    kept: 'Must not say that the chest is sold',
    broken: 'Must not say that the niece cries',
  },
  {
    reference: 'At 14:00 the ferry leaves from pier 3 with 40 cars; fog delays it by half an hour.',
    answer: 'The ferry leaves from pier 3 and carries 40 cars and a circus.',
    met: ['Names pier 3', 'Gives 40 as the number of cars'],
    missed: ['Mentions the fog', 'Gives half an hour as the delay'],
    kept: 'Must not claim that the ferry is cancelled',
    broken: 'Must not mention a circus',
  },
  {
    reference: 'The red team wins 3 to 1; Mbeki scores twice and the goalkeeper is hurt.',
    answer: 'The red team wins, and Mbeki scores twice. The match was played in snow.',
    met: ['Says that the red team wins', 'Says that Mbeki scores twice'],
    missed: ['Gives 3 to 1 as the result', 'Mentions the injury of the goalkeeper'],
    kept: 'Must not name the blue team as the winner',
    broken: 'Must not say that it snows',
  },
  {
    reference: 'The lecture explains photosynthesis, shows a leaf under a microscope and ends with a quiz.',
    answer: 'It explains photosynthesis and ends with a quiz that nobody passes.',
    met: ['Mentions photosynthesis', 'Mentions the quiz at the end'],
    missed: ['Mentions the microscope', 'Says that a leaf is shown'],
    kept: 'Must not claim that the lecture is about animals',
    broken: 'Must not say that nobody passes the quiz',
  },
  {
    reference: 'Grandmother hides the letters in the piano, and the tuner finds them in spring.',
    answer: 'The letters are hidden in the piano by the grandmother; the postman burns them.',
    met: ['Says that the letters are in the piano', 'Says that the grandmother hides them'],
    missed: ['Says that the tuner finds them', 'Mentions spring'],
    kept: 'Must not place the letters in the garden',
    broken: 'Must not say that the letters are burnt',
  },
  {
    reference: 'The soup needs leek, cream and nutmeg, simmers for twenty minutes and is served with rye bread.',
    answer: 'Leek, cream and nutmeg go into the soup, which is served cold.',
    met: ['Names leek', 'Names nutmeg'],
    missed: ['Gives twenty minutes as the time', 'Mentions rye bread'],
    kept: 'Must not name meat as an ingredient',
    broken: 'Must not say that the soup is served cold',
  },
  {
    reference: 'Two hikers lose their way in a gorge, light a fire and are found by a helicopter at dawn.',
    answer: 'Two hikers lose their way and light a fire. A dog leads them home.',
    met: ['Says that there are two hikers', 'Mentions the fire'],
    missed: ['Mentions the helicopter', 'Says that it is at dawn'],
    kept: 'Must not say that a hiker dies',
    broken: 'Must not say that a dog leads them',
  },
  {
    reference: 'The tram line was opened in 1904, runs along the canal and was electrified in 1910.',
    answer: 'The tram line runs along the canal and was opened in 1904 by a queen.',
    met: ['Gives 1904 as the year of the opening', 'Mentions the canal'],
    missed: ['Gives 1910 as the year of electrification', 'Says that the line was electrified'],
    kept: 'Must not claim that the line is closed today',
    broken: 'Must not mention a queen',
  },
  {
    reference: 'The thief enters through the skylight, leaves the silver and takes only a violin.',
    answer: 'The thief takes a violin after he enters through the skylight with a rope.',
    met: ['Mentions the skylight', 'Says that a violin is taken'],
    missed: ['Says that the silver is left behind', 'Says that nothing else is taken'],
    kept: 'Must not say that the thief is caught',
    broken: 'Must not mention a rope',
  },
  {
    reference: 'The mayor promises a park, three playgrounds and cheaper buses; the hall applauds.',
    answer: 'The mayor promises a park and cheaper buses, and lower taxes too.',
    met: ['Mentions the park', 'Mentions cheaper buses'],
    missed: ['Gives three as the number of playgrounds', 'Mentions the applause'],
    kept: 'Must not claim that the mayor resigns',
    broken: 'Must not mention lower taxes',
  },
]
