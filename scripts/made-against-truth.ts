// How many questions of a set made by rules are true: npx tsx scripts/made-against-truth.ts SET RENDERED
// RENDERED is the folder of "bench make needle" that the set was made from; what was rendered lies beside each video.
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { gold } from '../eval/benchmarks/needle/gold.ts'
import { formatTime } from '../src/core/time.ts'

interface Question {
  video_uid: string
  question: string
  answer: string
  choices: string[]
  clue_intervals: [number, number][]
}
interface Drafted {
  output?: { video: string; question: string; extra: { form: string } }
}
interface Truth {
  text: string
  start: number
  end: number
}

const [set = '', rendered = ''] = process.argv.slice(2)
const questions = JSON.parse(await readFile(join(set, 'cgbench.json'), 'utf8')) as Question[]
const drafts = (await readFile(join(set, 'made', '02-questions.jsonl'), 'utf8')).trim().split('\n')
const forms = new Map(
  drafts
    .map(line => (JSON.parse(line) as Drafted).output)
    .map(made => [`${made?.video} ${made?.question}`, made?.extra.form ?? '']),
)
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

// The truth that the form of a question asks for, from what was rendered alone; undefined where it names nothing that was rendered.
function trueAnswer(form: string, question: string, { shown, said }: { shown: Truth[]; said: Truth[] }) {
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
    default:
      throw new Error(`No truth is known for questions of the form "${form}".`)
  }
}

let [right, covered] = [0, 0]
for (const { video_uid, question, answer, clue_intervals } of questions) {
  const form = forms.get(`${video_uid} ${question}`) ?? ''
  const truth = trueAnswer(form, question, await truthOf(video_uid))
  const isTime = truth.near !== undefined
  const [minutes = 0, rest = 0] = answer.split(':').map(Number)
  const isRight = isTime
    ? Math.abs(minutes * 60 + rest - (truth.near ?? 0)) <= 1.5
    : plain(answer) === plain(truth.text ?? '\0')
  const spans = truth.clues.flatMap(span => span ?? [])
  const isCovered =
    spans.length > 0 &&
    spans.every(span => clue_intervals.some(([start, end]) => start <= span.start + 0.5 && end >= span.end - 0.5))
  right += Number(isRight)
  covered += Number(isCovered)
  if (!isRight || !isCovered)
    process.stdout.write(
      `${video_uid} ${form}: ${question}\n  made "${answer}", true "${truth.text}"${isCovered ? '' : '; clue off'}\n`,
    )
}
const share = (count: number) => `${count} of ${questions.length} (${((100 * count) / questions.length).toFixed(1)} %)`
process.stdout.write(`true key: ${share(right)}\nclue covers the truth: ${share(covered)}\n`)
