import { describe, expect, test } from 'vitest'
import type { Turn } from '../../src/core/agent.ts'
import { ask } from './ask.ts'
import { handMadeIndex, heard, itemAt, said } from './hand-made-index.ts'
import { lecture } from './lecture.ts'
import { museum } from './museum.ts'

const news = handMadeIndex(museum)
const course = handMadeIndex(lecture)

// What the answer must say, and the words of a row that it must cite.
type Case = [question: string, says: RegExp, cites?: RegExp]

function answers(index: typeof news, cases: Case[]) {
  test.each(cases)('%s', async (question, says, cites) => {
    const { answer } = await ask(index, question)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toMatch(says)
    if (!cites) return
    const rows = answer.sentences.flatMap(sentence => sentence.cites.map(id => index.byId(id)?.text ?? ''))
    expect(rows.join('\n')).toMatch(cites)
  })
}

describe('a fact that is said', () => {
  answers(news, [
    ['How many people visited the museum?', /^42/, /forty two people/],
    ['What number of visitors did the museum have today?', /^42/],
    ['Where is Sheila from?', /^from a small town near chicago/, /sheila/],
    ['What is the password?', /^blue falcon/, /password/],
    ['What is the password for the guided tour?', /^blue falcon/],
    ['What is the name of the presenter?', /^sheila\b(?! and)/],
    ['Why was the lighthouse closed?', /^because the stairs were rotten/],
    ['Who built the first model ship?', /^captain harris/],
    ['How much does a ticket cost?', /^12 dollars/, /Tickets/],
    ['How far away can the loudest whale be heard?', /^800 kilometers/],
    ['From which platform does the train leave?', /^4\b/],
    ['What is the temperature going to be?', /^11 degrees/],
    ['What is the weather like in Lisbon on Friday?', /rain in lisbon/],
    ['Is the museum open on Monday?', /^No\b/, /except monday/],
  ])
  answers(course, [
    ['How tall is Mount Etna?', /^3300 meters/],
    ['Which volcano is the highest in Europe?', /^Mount Etna/],
    ['Why does magma rise?', /^because it is lighter/],
    ['What do we call magma when it reaches the surface?', /we call it lava/],
    ['What happened to Pompeii?', /pompey under ash/],
    ['Who invented the seismometer?', /^Zhang Heng/],
    ['Where was the first seismometer invented?', /^in China/],
    ['In what year did Krakatoa explode?', /^1883/],
    ['Where does the exam take place?', /^in the main hall/],
    ['What is a caldera?', /^a large crater/],
    ['How often do the sensors send data?', /^every five seconds/],
    ['Who studies lava flows?', /^Tom\b/],
    ['Who says that a caldera is a large crater?', /^Tom\b/],
    ['How long is the break?', /^10 minutes/],
    ['Does pumice float on water?', /^Yes/],
    ['Did anyone warn the people of Pompeii?', /^No\b/, /Nobody/],
    ['Who is speaking?', /Anna, Tom/],
  ])
})

test('a line that asks is answered by the next one', async () => {
  const rows = [said(1, 3, 'Is the ferry on time?'), said(3.4, 6, 'No, it comes half an hour late.')]
  const { answer } = await ask(handMadeIndex({ duration: 10, rows }), 'Is the ferry on time?')
  expect(answer.text).toMatch(/^No — said: "No, it comes half an hour late/)
})

test('words that the recogniser was unsure of make an unsure answer', async () => {
  const line = said(1, 3, 'the ferry leaves at noon')
  const [sure, unsure] = await Promise.all(
    [0.95, 0.15].map(confidence =>
      ask(handMadeIndex({ duration: 10, rows: [{ ...line, confidence }] }), 'What leaves at noon?'),
    ),
  )
  expect(unsure?.answer.confidence).toBeLessThan((sure?.answer.confidence ?? 0) - 0.2)
})

describe('what is written', () => {
  answers(news, [
    ['What does the sign about the lighthouse say?', /Built in 1887/],
    ['What does the warning sign say?', /DANGER/],
    ['When was the lighthouse built?', /1887/],
    ['Which room number is shown?', /^204/, /Room/],
    ['What phone number should be called?', /^555-0199/],
    ['Who is Eliza Grant?', /^marine biologist/],
    ['What is written on the screen at 0:50?', /DANGER/],
  ])
  answers(course, [
    ['What is the email address of the contact person?', /^tom\.baker@uu\.example/],
    ['Which rocks are listed on the slide?', /Basalt \/ Pumice \/ Obsidian/],
    ['What is the title of the third slide?', /Magma and lava/],
    ['What is the last slide about?', /earthquakes/],
    ['List all slide titles.', /"Volcanoes".*"Rocks".*"Thank you!"/],
  ])
})

describe('what was said about something', () => {
  answers(news, [
    ['What was said about whales?', /whales sing in order.*loudest whale/, /why whales sing/],
    ['What does the speaker tell us about the lighthouse?', /closed because the stairs/],
  ])
})

describe('when', () => {
  answers(news, [
    ['When is the password mentioned?', /\[0:52-0:57\]/],
    ['At what time in the video does the slide about the weather appear?', /\[1:36-1:55\]/],
    ['When is the first beep heard?', /^Heard: "beep[^[]*\[0:48-0:49\]\.$/],
    ['When is the last beep heard?', /^Heard: "beep[^[]*\[2:00-2:01\]\.$/],
    ['At which moment does the applause begin?', /\[3:26-3:32\]/],
  ])
  answers(course, [
    ['When does Anna say goodbye?', /\[29:40-29:46\]/],
    ['At what time does the alarm go off?', /\[6:45-7:10\]/],
    ['When is the exam?', /12 June/i],
  ])
})

describe('at the same time', () => {
  answers(news, [
    ['What is on screen while the narrator says that whales sing in order to find each other?', /Eliza Grant/],
    ['What is said while the slide "Tickets" is shown?', /a ticket costs twelve dollars/],
  ])
  answers(course, [
    ['What text is shown while the siren is heard?', /FIRE DRILL/],
    ['When the fire drill sign is on screen, what does the speaker say?', /leave the building/],
  ])
})

describe('before and after', () => {
  answers(news, [
    ['What slide comes after the Tickets slide?', /^On screen: "The Lighthouse/],
    ['What slide comes before the Lighthouse slide?', /^On screen: "Tickets/],
    ['What does the speaker say right after the bell?', /^Said: "the old lighthouse/],
    ['What is said right before the second beep?', /^Said: "after the break/],
    ['What sound is heard just before "The Lighthouse" appears?', /^Heard: "bell/],
    ['What is heard after the speaker thanks the audience?', /^Heard: "applause/],
  ])
  answers(course, [
    ['Which slide precedes "Exam"?', /^On screen: "Break/],
    ['What is shown right after the slide "Break"?', /^On screen: "Exam/],
    ['What does Tom say after Anna asks what a caldera is?', /^Tom says: "A caldera is a large crater/],
    ['What does Anna say before the break?', /^Anna says: "Basalt is dark/],
  ])
})

describe('at a stated time', () => {
  answers(news, [
    ['What happens at 1:15?', /falcon falcon/],
    ['What is said between 1:40 and 2:00?', /rain in lisbon.*eleven degrees/],
    ['What is said in the first ten seconds?', /good evening/],
  ])
  answers(course, [
    ['What is on screen at 8:30?', /Obsidian/],
    ['What happens between 6:40 and 7:20?', /siren.*FIRE DRILL.*leave the building/],
    ['How does the lecture end?', /goodbye|applause/],
  ])
})

describe('how many', () => {
  answers(news, [
    ['How many times is the word falcon said?', /^4\b/],
    ['How often is Lisbon mentioned?', /^2\b/],
    ['How many beeps are there?', /^3\b/],
    ['How many texts are shown on screen?', /^10\b/],
    ['How many shots are in the video?', /^5\b/],
    ['How many times is "Room number 204" shown?', /^1\b/],
  ])
  answers(course, [
    ['How many times is there applause?', /^2\b/],
    ['How many knocks are heard?', /^2\b/],
    ['How many slides are there?', /^10\b/],
    ['How many speakers are there?', /^2\b/],
    ['How many slides mention volcanoes?', /^2\b/],
    ['How many times does Tom say "Krakatoa"?', /^1\b/],
  ])
})

test('a count goes through lists of any length', async () => {
  const rows = Array.from({ length: 4500 }, (_, i) =>
    heard(i * 2, i * 2 + 0.4, i % 3 === 0 ? 'beep near 1000 Hz' : 'knock'),
  )
  const { answer, steps } = await ask(handMadeIndex({ duration: 9000, rows }), 'How many beeps are heard?')
  expect(answer.text).toMatch(/^1500\b/)
  expect(steps.filter(step => step.tool === 'timeline').length).toBeGreaterThan(1)
})

test('a row that tells of several strokes counts as several sounds and as one time', async () => {
  const index = handMadeIndex({
    duration: 60,
    rows: [heard(5, 7, '3 knocks (short dull blows)'), heard(20, 21, 'knock (short dull blows)')],
  })
  expect((await ask(index, 'How many knocks are heard?')).answer.text).toMatch(/^4\b/)
  expect((await ask(index, 'How many times is knocking heard?')).answer.text).toMatch(/^2\b/)
})

test('a question about colours alone is answered by the pictures that fit, and no surer than that', async () => {
  const rows = [{ span: { start: 30, end: 40 }, track: 'picture' as const, text: 'picture at 0:30', frame: 30 }]
  const index = handMadeIndex({ duration: 60, rows })
  const byColour = {
    ...index,
    search: async () => [{ evidence: itemAt(index.evidence(), 0), score: 1, lists: ['picture'], terms: [] }],
  }
  const { answer } = await ask(byColour, 'When is the screen blue?')
  expect(answer.text).toMatch(/colours \[0:30-0:40\]/)
  expect(answer.confidence).toBeLessThan(0.5)
})

describe('in which order', () => {
  answers(news, [
    ['Which comes first, the weather or the whales?', /^First "weather", then "whales"/],
    [
      'In what order do the lighthouse, the weather and the tickets appear on screen?',
      /^First "tickets", then "lighthouse", then "weather"/,
    ],
    ['Is the bell heard before the music?', /^Yes/],
    ['Is the applause heard before the bell?', /^No/],
  ])
  answers(course, [
    ['In which order are these slides shown: Rocks, Exam, World map?', /^First "World map", then "Rocks", then "Exam"/],
    ['Which eruption is mentioned first, Krakatoa or Vesuvius?', /^First "Vesuvius"/],
  ])
})

describe('whether it is there, and the whole', () => {
  answers(news, [
    ['Does the video mention Lisbon?', /^Yes/],
    ['Is there any applause in the video?', /^Yes/],
    ['Summarize the video.', /HARBOR REPORT.*lisbon/i],
    ['Summarize the first minute.', /welcome.*lighthouse/i],
  ])
})

describe('whether it is so', () => {
  answers(news, [
    ['Did Captain Harris build a model ship?', /^Yes/],
    ["Isn't it true that Captain Harris built a model ship?", /^Yes/],
    // The line is shown, and nothing is claimed of it.
    ['Did Captain Harris build a model plane?', /^Said: ".*model ship/],
    ["Isn't it true that Captain Harris built a model plane?", /^Said: ".*model ship/],
  ])
})

describe('what is not in the video', () => {
  const cases: [typeof news, string][] = [
    [news, 'Does the speaker mention Paris?'],
    [news, 'Is there an elephant in the video?'],
    [news, 'What is said about the stock market?'],
    [news, 'Who is the president of France?'],
    [news, 'What is the password for the vault?'],
    [news, 'How many times is the word submarine said?'],
    [course, 'How many students attend the course?'],
    [course, 'What does the video say about dinosaurs?'],
    [course, 'Is a penguin shown?'],
    [course, 'When is the exam for chemistry?'],
  ]
  test.each(cases)('%#: is said plainly, with no claim: %s', async (index, question) => {
    const { answer } = await ask(index, question)
    expect(answer.abstained).toBe(true)
    expect(answer.text).toMatch(/as far as it is indexed/)
  })

  test('an answer that is missing comes with the nearest moment', async () => {
    const { answer } = await ask(news, 'What is the password for the vault?')
    expect(answer.text).toMatch(/nearest.*blue falcon.*\[0:52-0:57\]/)
  })

  test('a question about the picture says that it needs a vision model', async () => {
    const { answer, steps } = await ask(news, 'What colour is the coat of the woman?')
    expect(answer.abstained).toBe(true)
    expect(answer.text).toMatch(/vision model/)
    expect(steps.some(step => step.tool === 'look' && step.outcome === 'failed')).toBe(true)
  })
})

describe('with options one is always chosen', () => {
  const cases: [typeof news, string, string[], number][] = [
    [news, 'How much is a ticket for adults?', ['10 dollars', '12 dollars', '15 dollars', '20 dollars'], 1],
    [
      news,
      'Why was the lighthouse closed?',
      ['A. A storm', 'B. The stairs were rotten', 'C. A fire', 'D. It was sold'],
      1,
    ],
    [news, 'How many beeps are heard?', ['1', '2', '3', '4'], 2],
    [news, 'Which of these is NOT mentioned?', ['whales', 'a lighthouse', 'a volcano', 'a museum'], 2],
    [
      news,
      'In which order do these appear?',
      ['whales, tickets, weather', 'tickets, weather, whales', 'weather, whales, tickets'],
      1,
    ],
    [news, 'When is the password mentioned?', ['0:10', '0:54', '1:30', '2:20'], 1],
    [
      news,
      'What does the presenter do at the end?',
      ['sings a song', 'thanks the viewers', 'leaves the room', 'reads a poem'],
      1,
    ],
    [course, 'What floats on water?', ['Granite', 'Pumice', 'Obsidian', 'Marble'], 1],
    [course, 'Where do the sensors send their data?', ['(A) Oslo', '(B) Uppsala', '(C) Reykjavik', '(D) Rome'], 2],
    [course, 'Which of the following is not a slide of the lecture?', ['Rocks', 'Exam', 'Oceans', 'World map'], 2],
    [
      course,
      'Which happens last?',
      ['The fire drill', 'The exam is announced', 'The caldera is explained', 'The break'],
      2,
    ],
    [course, 'At what point does the fire alarm start?', ['at 2:10', 'at 6:45', 'at 15:00', 'at 25:20'], 1],
    [course, 'How does the lecture end?', ['With a fire drill', 'With applause', 'With an exam', 'With a film'], 1],
    [course, 'What should students not bring to the exam?', ['a calculator', 'books', 'water', 'pens'], 1],
    [course, 'Does Tom say that everybody was warned?', ['Yes', 'No'], 1],
  ]
  test.each(cases)('%#: %s', async (index, question, options, choice) => {
    const { answer } = await ask(index, question, { options })
    expect(answer.choice).toBe(choice)
    expect(answer.abstained).toBe(false)
  })

  test('of options that list several things the one whose things are all there is chosen', async () => {
    const options = [
      'Rocks, Exam, Oceans',
      'Rocks, Exam, World map',
      'Deserts, Exam, Oceans',
      'The video does not say.',
    ]
    const { answer } = await ask(course, 'Which topics do the slides cover?', { options })
    expect(answer.choice).toBe(1)
  })

  test('of things that the question lists itself the one that is there is named', async () => {
    const { answer } = await ask(news, 'Which of these cities is mentioned: Madrid, Lisbon or Rome?')
    expect(answer.text).toMatch(/^Lisbon/)
  })

  test('an option that says "not in the video" is chosen only where words were looked for and not found', async () => {
    const options = ['red hawk', 'blue falcon', 'The video does not say.']
    expect((await ask(news, 'What is the password?', { options })).answer.choice).toBe(1)
    expect(
      (await ask(news, 'What is the name of the whale?', { options: ['Moby', 'Willy', 'The video does not say.'] }))
        .answer.choice,
    ).toBe(2)
  })

  test('where nothing speaks for any option the confidence is no better than a guess', async () => {
    const { answer } = await ask(course, 'What is the mood of the speaker?', {
      options: ['happy', 'sad', 'angry', 'bored'],
    })
    expect(answer.choice).toBeDefined()
    expect(answer.confidence).toBeLessThanOrEqual(0.25)
  })
})

describe('a following turn', () => {
  test.each([
    ['What did she say right after that?', /captain harris/],
    ['What comes next?', /captain harris|The Lighthouse/],
    ['What was on screen then?', /The Lighthouse/],
  ])('leans on the turn before: %s', async (question, says) => {
    const first = await ask(news, 'Why was the lighthouse closed?')
    const turns: Turn[] = [{ question: first.question, answer: first.answer }]
    const { answer } = await ask(news, question, { turns })
    expect(answer.text).toMatch(says)
  })

  test('goes on from the line of the answer before', async () => {
    const first = await ask(news, 'Who built the first model ship?')
    const turns: Turn[] = [{ question: first.question, answer: first.answer }]
    const { answer } = await ask(news, 'And when was that?', { turns })
    expect(answer.text).toMatch(/nineteen twenty one|1921/)
  })

  test('knows what "it" is', async () => {
    const first = await ask(news, 'Is there a museum in the harbor?')
    const turns: Turn[] = [{ question: { text: 'What is said about the maritime museum?' }, answer: first.answer }]
    const { answer } = await ask(news, 'When does it open?', { turns })
    expect(answer.text).toMatch(/nine thirty|9:30/)
  })
})
