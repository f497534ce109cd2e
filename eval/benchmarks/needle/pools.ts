import { sceneColours } from '../../../src/media/render/colours.ts'
import type { HexColour } from '../../../src/media/render/scene.ts'

// The words that videos are made of. All are common English words, so that speech recognisers and readers of text know them.

export const people = words(
  'doctor farmer teacher pilot painter lawyer soldier singer driver writer judge captain nurse manager professor engineer ' +
    'photographer musician reporter gardener president policeman',
)
export const objects = words(
  'ring camera letter guitar umbrella bottle hammer mirror candle blanket basket clock ladder wallet telephone necklace ' +
    'notebook painting suitcase jacket',
)
export const placePool = words(
  'kitchen garden library garage basement hospital airport museum church restaurant theater hotel prison castle stadium office',
)
export const cities = words(
  'Boston Chicago London Paris Madrid Berlin Moscow Dallas Denver Atlanta Seattle Toronto Tokyo Sydney',
)
export const vehicles = words('train bus boat plane taxi truck horse helicopter')
export const foods = words('bread cheese chicken soup salad potatoes chocolate rice coffee butter honey tomatoes')
export const eventPool = words('wedding concert meeting election festival parade party lecture')
export const prices: Record<string, number> = {
  twelve: 12,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  'two hundred': 200,
  'five hundred': 500,
}
export const codeWords = words('elephant mountain diamond butterfly volcano lighthouse tiger rainbow')

export const titleStarts = words(
  'Winter Summer Night River Harbor Mountain City Garden Silver Ocean Forest Desert Island Valley',
)
export const titleEnds = words(
  'Trains Markets Schools Bridges Museums Roads Parks Games Lights Farms Gates Stories Machines Letters',
)
export const sponsors = words('Alder Marlow Kestrel Finch Hudson Bramble Linden Porter Sutton Wagner Thornton Barlow')
export const signPlaces = words('HOTEL CAFE CINEMA CLINIC TOWER SCHOOL FERRY BAKERY MARKET')
export const signNames = words('LUNA ORION VEGA ATLAS NOVA DELTA SIERRA TANGO RIVIERA')

// What is said and written between the needles: nothing that a question is about.
export const fillerStarts = [
  'In the morning',
  'Later that day',
  'As we all know',
  'After a long time',
  'In those years',
  'Every now and then',
  'On the other hand',
  'For most of us',
  'In the end',
  'From time to time',
]
export const fillerEnds = [
  'the streets were quiet and empty',
  'people talk about the weather',
  'the work goes on as usual',
  'there was not much to see',
  'everybody went home early',
  'nothing important happened here',
  'the old houses look the same',
  'we should think about the future',
  'the sky was gray and cold',
  'many things have changed since then',
]

const { red, blue, green, yellow, orange, purple } = sceneColours
export const thingColours = { red, blue, green, yellow, orange, purple }
export type ThingColour = keyof typeof thingColours

// Dark, middle, bright: landscapes that are only there to look at.
export const landscapes: [HexColour, HexColour, HexColour][] = [
  ['#173045', '#4a86a8', '#d8ecf4'],
  ['#3a1d14', '#a0603c', '#f0d8b0'],
  ['#1c2a14', '#5c8a3c', '#e4f0b8'],
  ['#221a30', '#6a5a90', '#dcd4ec'],
  ['#302818', '#98804c', '#f4ecd0'],
  ['#102824', '#3c8078', '#c8f0e8'],
]

// Paper and bar of slides, and the ink that is read on the paper: strong, middling, weak.
export const slideLooks: { paper: HexColour; bar: HexColour; inks: [HexColour, HexColour, HexColour] }[] = [
  { paper: '#f8f7f2', bar: '#1d3f72', inks: ['#181818', '#505050', '#8a8a8a'] },
  { paper: '#12233c', bar: '#8c2f2f', inks: ['#ffffff', '#c0c8d8', '#7c8aa4'] },
  { paper: '#fffbe6', bar: '#2c6b3f', inks: ['#202010', '#5c5440', '#928a70'] },
]

function words(list: string): string[] {
  return list.split(' ')
}
