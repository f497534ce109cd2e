import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { film } from '../../bench/small-data.ts'
import { quickly } from './own-video.ts'

const scenes: [place: string, ...events: [string, string, string]][] = [
  ['harbour', 'Ida paints the old ferry', 'Omar carries the ropes', 'The foreman counts the crates'],
  ['kitchen', 'Ida bakes a plum cake', 'Omar peels the potatoes', 'The cat knocks over the jug'],
  ['station', 'Ida misses the night train', 'Omar finds a lost letter', 'The porter whistles a tune'],
  ['garden', 'Ida plants a walnut tree', 'Omar mends the broken gate', 'The neighbour brings a ladder'],
]
const filler = 'The wind comes in from the water and nobody says a word for quite some time. '.repeat(12)
export const script = scenes
  .map(([place, ...events], at) => `P#${at + 1}:\nThe ${place}. ${events.join('. ')}.\n${filler}`)
  .join('\n')
const about = {
  ...{
    title: 'The Crossing',
    genre: 'drama',
    licence: 'CC0',
    summary: 'Ida paints a ferry and Omar helps her until the garden is done.',
  },
  faq: [{ q: 'Why does Ida miss the train?', a: 'Because she bakes a plum cake.' }],
}

// A grey film with its script, what people wrote of it, and subtitles; and settings under which it is indexed at once.
export function ownFilm(folder: string): string[] {
  mkdirSync(folder)
  film(join(folder, 'film.mp4'), 'black', 125, '64x36')
  writeFileSync(join(folder, 'film.script.txt'), script)
  writeFileSync(join(folder, 'film.about.json'), JSON.stringify(about))
  writeFileSync(join(folder, 'film.srt'), '1\n00:00:02,000 --> 00:00:05,000\nWe leave the harbour tonight.\n')
  return quickly
}

const entries = (of: (scene: readonly string[]) => readonly string[]) =>
  scenes.flatMap((scene, at) => of(scene).map(text => ({ text, rows: [`P#${at + 1}`] })))
const acts = (name: string) =>
  scenes.flatMap((scene, at) =>
    scene
      .filter(text => text.startsWith(name))
      .map(text => ({ text: text.slice(name.length + 1), rows: [`P#${at + 1}`] })),
  )
const stretch = (first: number, last: number) => ({
  ...{ title: `from ${first}`, first, last, share: [0.5, 0.5], content: 'what happens there' },
})
const parts = (text: string) =>
  ['harbour', 'kitchen', 'station', 'garden'].filter(place => text.includes(`The ${place}.`))

// One question for each template that is named; the wrong options are of other scenes.
function questions(text: string, failing: ReadonlySet<string>) {
  const list = text.slice(text.lastIndexOf('as it stands here:'))
  const names = [...list.matchAll(/^- (\w+: [^:]+): it asks/gm)].map(found => found[1] as string)
  const [place] = parts(text)
  const own = scenes.find(scene => scene[0] === place) ?? scenes.flat().slice(0, 4)
  const all = scenes.flatMap(scene => scene.slice(1))
  return {
    questions: names
      .filter(name => !failing.has(name))
      .map((template, at) => {
        const answer = own[1 + (at % 3)] as string
        const wrong = all.filter(event => event !== answer && !own.includes(event)).slice(at % 5, (at % 5) + 4)
        return {
          ...{ template, options: [answer, ...wrong], answer: 'A', reasoning: 'it is told there' },
          question: `In the scene at the ${own[0]}, ${['who acts', 'what is done', 'what comes to pass'][at % 3]} ${'early late once twice again first last'.split(' ')[at % 7]} ${template.slice(-6)}?`,
        }
      }),
  }
}

const replies: Record<string, (text: string, failing: ReadonlySet<string>) => unknown> = {
  events: () => ({ entries: entries(scene => scene.slice(1)) }),
  places: () => ({ entries: entries(scene => scene.slice(0, 1)) }),
  actions: () => ({ people: ['Ida', 'Omar'].map(name => ({ name, entries: acts(name) })) }),
  deep: () => ({
    asked: [
      {
        question: 'Why does Ida plant a walnut tree?',
        answer: 'Ida plants a walnut tree because nobody says a word.',
        rows: ['P#4'],
      },
    ],
  }),
  linking: () => ({
    asked: [
      {
        question: 'How does the ferry lead to the garden?',
        answer: 'Ida paints a ferry until the garden is done.',
        rows: ['about.summary'],
      },
    ],
  }),
  plots: () => ({ title: 'The Crossing', genre: 'Drama', first: 1, last: 4, plots: [stretch(1, 2), stretch(3, 4)] }),
  subplots: () => ({ subplots: [1, 2, 3, 4].map(page => ({ ...stretch(page, page), plot: Math.ceil(page / 2) })) }),
  questions,
  detail: () => ({
    ...{
      question: 'While all is grey, what is counted?',
      answer: 'C',
      reasoning: 'it is seen',
      still: 6,
    },
    options: ['the boats', 'the trees', 'the seconds', 'the crates', 'the ropes'],
  }),
}

// What an author of both recipes replies to the form of this name; nothing for the templates that fail.
export function filmReply(schema: string, text: string, failing: ReadonlySet<string> = new Set()): unknown {
  return replies[schema]?.(text, failing)
}

// Knows what people do, in order, and nothing else.
export function luckOf(text: string): string {
  const [, name = ''] = /Question: .*(Ida|Omar)/.exec(text) ?? []
  const known = acts(name)
    .map(act => act.text)
    .join(', ')
  const options = [...text.matchAll(/^([A-Z])\. (.*)$/gm)]
  return options.find(([, , option]) => option === known)?.[1] ?? 'none'
}
