import { describe, expect, test } from 'vitest'
import { ask } from './ask.ts'
import { handMadeIndex, said, shown } from './hand-made-index.ts'
import { museum } from './museum.ts'

const bridge = handMadeIndex({
  duration: 300,
  rows: [
    shown(10, 30, 'The new bridge\nCost: 18 million\nLength: 1.2 km'),
    said(12, 18, 'the bridge will be built by three hundred and twenty workers'),
    said(60, 66, 'the tunnel costs 25 million euros and is nine hundred metres long'),
    shown(100, 110, 'The ferry\nTickets from $4\nAge of the captain: 52'),
    said(120, 126, 'the old lighthouse was built in 1887'),
    said(150, 156, 'the walk to the harbour takes about forty minutes'),
    said(180, 186, 'between 200 and 300 people use the library each day'),
    said(210, 216, 'turnout in the vote was 61.5 percent'),
    said(240, 246, 'my sister anna is thirty four years old'),
    said(270, 276, 'it was minus 3 degrees celsius in the valley'),
  ],
})

describe('a comparison with a number that stands in the evidence is worked out', () => {
  test.each<[string, RegExp, RegExp]>([
    ['Is the bridge cheaper than 20 million?', /^Yes — /, /18 million/],
    ['Is the bridge cheaper than 15 million?', /^No — /, /18 million/],
    ['Is the bridge more expensive than 15 million?', /^Yes — /, /18 million/],
    ['Does the bridge cost at least eighteen million?', /^Yes — /, /18 million/],
    ['Does the bridge cost no more than 17,999,999?', /^No — /, /18 million/],
    ['Does the bridge cost between 10 million and 20 million?', /^Yes — /, /18 million/],
    ['Does the tunnel cost more than 24.5 million euros?', /^Yes — /, /25 million/],
    ['Is the bridge longer than 1000 metres?', /^Yes — /, /1\.2 km/],
    ['Is the bridge longer than one mile?', /^No — /, /1\.2 km/],
    ['Is the tunnel shorter than 1 km?', /^Yes — /, /nine hundred metres/],
    ['Will the bridge be built by more than 300 workers?', /^Yes — /, /three hundred and twenty/],
    ['Will the bridge be built by fewer than 300 workers?', /^No — /, /three hundred and twenty/],
    ['Was the lighthouse built before 1900?', /^Yes — /, /1887/],
    ['Was the lighthouse built after 1900?', /^No — /, /1887/],
    ['Does the walk to the harbour take less than an hour?', /^Yes — /, /forty minutes/],
    ['Does the walk to the harbour take more than 20 minutes?', /^Yes — /, /forty minutes/],
    ['Do more than 150 people use the library each day?', /^Yes — /, /between 200 and 300/],
    ['Was the turnout in the vote over 60 percent?', /^Yes — /, /61\.5/],
    ['Is Anna younger than 40?', /^Yes — /, /thirty four/],
    ['Is Anna older than 35 years?', /^No — /, /thirty four/],
    ['Was it colder than 0 degrees Celsius in the valley?', /^Yes — /, /minus 3/],
    ['Is the bridge longer than the tunnel?', /^Yes — /, /1\.2 km[\s\S]*nine hundred|nine hundred[\s\S]*1\.2 km/],
    ['Is the bridge shorter than the tunnel?', /^No — /, /1\.2 km/],
  ])('%s', async (question, says, cites) => {
    const { answer } = await ask(bridge, question)
    expect(answer.text).toMatch(says)
    expect(answer.abstained).toBe(false)
    const rows = answer.sentences.flatMap(sentence => sentence.cites.map(id => bridge.byId(id)?.text ?? ''))
    expect(rows.join('\n')).toMatch(cites)
  })
})

describe('a comparison that the evidence does not decide is not answered with yes or no', () => {
  test.each([
    ['Does the tunnel cost less than 30 million dollars?'], // euros
    ['Do more than 250 people use the library each day?'], // between 200 and 300
    ['Is the library taller than 30 metres?'],
    ['Is the stadium cheaper than 20 million?'],
    ['Is the bridge heavier than 900 tonnes?'],
    ['Is the bridge older than the lighthouse?'],
    ['Are there more than 20 penguins?'],
    ['Will the bridge be built by more than 100 robots?'],
  ])('%s', async question => {
    const { answer } = await ask(bridge, question)
    expect(answer.text).not.toMatch(/^(Yes|No)\b/)
    expect(answer.abstained).toBe(true)
  })
})

describe('"No" is not the beginning of an answer that found nothing', () => {
  const news = handMadeIndex(museum)
  test.each([
    'Is there a penguin in the video?',
    'Does anyone mention a submarine?',
    'Was a helicopter shown?',
    'Is the aquarium larger than the stadium?',
    'Did the pirates find the treasure?',
    'Has the parliament voted?',
    'Can dragons fly?',
  ])('%s', async question => {
    const { answer } = await ask(news, question)
    expect(answer.text).toMatch(/^The video does not (say|seem)/)
    expect(answer.abstained).toBe(true)
  })
})
