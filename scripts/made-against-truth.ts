// How many questions of a set made by rules are true: npx tsx scripts/made-against-truth.ts SET RENDERED
// RENDERED is the folder of "bench make needle" that the set was made from; what was rendered lies beside each video.
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { countQuestion } from '../eval/benchmarks/allvb/recipe/questions.ts'
import { gold } from '../eval/benchmarks/needle/gold.ts'
import { formatTime } from '../src/core/time.ts'
import { foldNumbers } from '../src/text/number-words.ts'

interface Drafted {
  id: string
  video: string
  question: string
  answer: string // of longshot a sentence that holds it
  options?: string[]
  clues: [number, number][]
  extra: { form?: string; lists?: string[][]; phrasings?: string }
}
interface Truth {
  text: string
  start: number
  end: number
}

const [set = '', rendered = ''] = process.argv.slice(2)
const kept = JSON.parse(await readFile(join(set, 'made', 'kept.json'), 'utf8')) as { items: Drafted[] }
const questions = kept.items
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const truths = new Map<string, { shown: Truth[]; said: Truth[] }>()
async function truthOf(id: string) {
  const known = truths.get(id)
  if (known) return known
  const path = join(rendered, `${basename(id, extname(id))}.mp4`)
  const rows = (found: Awaited<ReturnType<typeof gold.shown>>) => found.map(({ text, span }) => ({ text, ...span }))
  const truth = { shown: rows(await gold.shown(path)), said: rows(await gold.said(path, AbortSignal.timeout(60_000))) }
  truths.set(id, truth)
  return truth
}

// Films name no form: lists in order, pairs in four wordings, and how many titles there are.
const formOf = ({ extra: { form, lists, phrasings }, question }: Drafted) =>
  form ?? (lists ? 'listed' : phrasings ? 'yes or no' : question === countQuestion ? 'how many titles' : 'unknown')
const events = (text: string) => [...text.matchAll(/the title "(.*?)" appears/g)].map(found => found[1] ?? '')

// The truth that the form of a question asks for, from what was rendered alone; undefined where it names nothing that was rendered.
function trueAnswer(
  form: string,
  { question, answer, options, extra }: Drafted,
  { shown, said }: { shown: Truth[]; said: Truth[] },
) {
  const quoted = [...question.matchAll(/"([^"]+)"/g)].map(found => plain(found[1] ?? ''))
  const titled = shown.map(one => ({
    ...one,
    title: plain(one.text.split('\n')[0] ?? ''),
    lines: one.text.split('\n').slice(1),
  }))
  const slides = titled.filter(({ lines }) => lines.length > 0)
  const one = (title: string | undefined) => titled.find(shown => shown.title === title)
  const lineOf = (slide: (typeof titled)[number] | undefined, label: string | undefined) =>
    slide?.lines.find(line => plain(line.split(':')[0] ?? '') === label)?.split(':')[1]
  const titles = quoted.map(one).filter(found => found !== undefined)
  const [first, second] = titles
  const label = quoted.find(text => !one(text))
  const before = (slide: typeof first, step: number) =>
    slide && slides[slides.findIndex(other => other.title === slide.title) + step]
  const seconds = (value: number) => `${Math.max(1, Math.round(value))} seconds`
  switch (form) {
    case 'value':
      return { text: lineOf(first, label), clues: [first] }
    case 'title of': {
      const found = slides.find(slide => {
        const value = plain(lineOf(slide, label) ?? '')
        return value !== '' && ` ${plain(question)} `.includes(` ${value} `)
      })
      return { text: found?.title, clues: [found] }
    }
    case 'after':
      return { text: before(first, 1)?.title, clues: [first, before(first, 1)] }
    case 'before':
      return { text: before(first, -1)?.title, clues: [first, before(first, -1)] }
    case 'when':
      return { text: first && formatTime(Math.floor(first.start)), near: first?.start, clues: [first] }
    case 'how long':
      return { text: first && seconds(first.end - first.start), clues: [first] }
    case 'how far apart':
      return { text: first && second && seconds(Math.abs(second.start - first.start)), clues: titles }
    case 'how many': {
      const having = slides.filter(slide => lineOf(slide, label) !== undefined)
      return { text: String(having.length), clues: having }
    }
    case 'order':
      return {
        text: [...titles]
          .sort((a, b) => a.start - b.start)
          .map(({ title }) => title)
          .join(' then '),
        clues: titles,
      }
    case 'order said': {
      const found = said.filter(line => quoted.includes(plain(line.text)))
      return { text: found.map(line => plain(line.text)).join(' then '), clues: found }
    }
    case 'said while shown': {
      const found = said.find(line => first && Math.min(line.end, first.end) - Math.max(line.start, first.start) > 0)
      return { text: found?.text, clues: [first, found] }
    }
    case 'shown while said': {
      const line = said.find(line => plain(line.text) === quoted[0])
      const found = titled.find(one => line && Math.min(line.end, one.end) - Math.max(line.start, one.start) > 0)
      return { text: found?.title, clues: [line, found] }
    }
    case 'spoken value': {
      const gap = (quoted[0] ?? '').split(' ')
      const found = said.flatMap(line => {
        const words = plain(line.text).split(' ')
        const from = gap.findIndex((word, at) => word !== words[at])
        const at = from < 0 ? gap.length : from
        const left = words.slice(at, at + words.length - gap.length)
        const isIt = left.length > 0 && [...words.slice(0, at), ...words.slice(at + left.length)].join() === gap.join()
        return isIt ? [{ line, value: foldNumbers(left)[0]?.text ?? left.join(' ') }] : []
      })
      return { text: found[0]?.value, clues: [found[0]?.line] }
    }
    case 'listed': {
      const list = extra.lists?.find(one => one.join(', ') === answer) ?? []
      const named = list.map(entry => one(plain(events(entry)[0] ?? entry)))
      const found = named.filter(shown => shown !== undefined).sort((a, b) => a.start - b.start)
      const isEvents = list.some(entry => events(entry).length > 0)
      const told = found.map(({ title }) => (isEvents ? `the title ${title} appears` : title))
      return { text: named.length === found.length ? told.join(', ') : undefined, clues: found }
    }
    case 'yes or no': {
      const [early, late] = events(question).map(title => one(plain(title)))
      const isBefore = question.includes(', before this: ')
      const text = early && late && (early.start < late.start === isBefore ? 'Yes' : 'No')
      return { text, clues: [early, late] }
    }
    case 'how many titles': {
      const range = options?.find(option => {
        const [low = 0, high = 0] = (option.match(/\d+/g) ?? []).map(Number)
        return low <= slides.length && slides.length < high
      })
      return { text: range, clues: slides }
    }
    default:
      throw new Error(`No truth is known for questions of the form "${form}".`)
  }
}

let [right, covered] = [0, 0]
for (const drafted of questions) {
  const { video, question, answer, options, clues } = drafted
  const form = formOf(drafted)
  const truth = trueAnswer(form, drafted, await truthOf(video))
  const isTime = truth.near !== undefined
  const [minutes = 0, rest = 0] = (/(\d+:\d+)\D*$/.exec(answer)?.[1] ?? '').split(':').map(Number)
  const wanted = plain(truth.text ?? '\0')
  const isRight = isTime
    ? Math.abs(minutes * 60 + rest - (truth.near ?? 0)) <= 1.5
    : options
      ? plain(answer) === wanted
      : wanted !== '' && ` ${plain(answer)} `.includes(` ${wanted} `)
  const spans = truth.clues.flatMap(span => span ?? [])
  const isCovered =
    spans.length > 0 &&
    spans.every(span => clues.some(([start, end]) => start <= span.start + 0.5 && end >= span.end - 0.5))
  right += Number(isRight)
  covered += Number(isCovered)
  if (!isRight || !isCovered)
    process.stdout.write(
      `${video} ${form}: ${question}\n  made "${answer}", true "${truth.text}"${isCovered ? '' : '; clue off'}\n`,
    )
}
const share = (count: number) => `${count} of ${questions.length} (${((100 * count) / questions.length).toFixed(1)} %)`
process.stdout.write(`true key: ${share(right)}\nclue covers the truth: ${share(covered)}\n`)
