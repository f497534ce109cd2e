import { z } from 'zod'
import type { Benchmark, Sum, TaskReply } from '../../eval/benchmarks/benchmark.ts'
import { choiceAsk, openAsk } from '../../eval/benchmarks/choice-ask.ts'
import { countGrades, countReasons, meanInPercent } from '../../eval/benchmarks/grades.ts'
import { choicePrompt } from '../../eval/benchmarks/multiple-choice/prompt.ts'
import { groupRows } from '../../eval/data/group.ts'
import { parsedRecords } from '../../eval/data/parse-record.ts'
import type { Sample } from '../../eval/data/sample.ts'
import type { Grade } from '../../eval/data/sample-line.ts'
import { letterAt } from '../../eval/metrics/choice/options.ts'
import { readReplyChoice } from '../../eval/metrics/choice/read-choice.ts'
import { gradeShortAnswer } from '../../eval/metrics/short-answer.ts'
import { checkTemplate, fillTemplate } from '../../eval/protocols/fill-template.ts'
import { evenFrameTimes, showFrames } from '../../eval/protocols/frames.ts'
import type { Protocol } from '../../eval/protocols/judge/protocol.ts'

const Lecture = z.object({
  id: z.string(),
  video: z.string(),
  topic: z.string(),
  question: z.string(),
  answer: z.string(),
  options: z.array(z.string()),
  right: z.number().int(), // place among the options
})
type Lecture = z.infer<typeof Lecture>

const prompt = 'Question: {question}\nRight: {target}\nAnswer: {answer}\nIs the answer right? Reply with yes or no.'

const judge: Protocol<Lecture> = {
  task: 'open',
  judges: () => true,
  async judge({ sample, reply, wording = prompt, step }) {
    const text = fillTemplate(wording, { question: sample.question.text, target: sample.reference, answer: reply })
    await step(
      'open',
      () => ({ text, temperature: 0, maxTokens: 8 }),
      said => readVerdict(said) !== undefined,
      3,
    )
  },
  verdicts: () => [{ step: 'open', scale: 'yes' }],
  verdictOf(_, { open }) {
    const verdict = readVerdict(open)
    return verdict === undefined ? null : Number(verdict === 'yes')
  },
  words(sample, reply) {
    const { score } = gradeShortAnswer(reply, sample.reference ?? '', sample.question.text)
    return { open: score === 1 ? 'yes' : 'no' }
  },
  checkWording(text, place) {
    checkTemplate(text, place, ['question', 'target', 'answer'])
    return { released: false }
  },
}

const settings = z.object({ frames: z.number().int().positive().default(64).describe('frames over the video') })

const sum: Sum<Lecture> = (graded, scoring, asked) => {
  const mean = (task: string, of: typeof graded) =>
    asked.has(task) ? meanInPercent(of.map(item => countGrades(item, task, scoring).score ?? 0)) : null
  const row = (of: typeof graded) => ({ n: of.length, open: mean('open', of), mcq: mean('mcq', of) })
  const { n, ...metrics } = row(graded)
  return {
    metrics,
    groups: groupRows(graded, ({ record }) => record.topic, row),
    excluded: countReasons(graded, asked, scoring),
  }
}

const lectures: Benchmark<Lecture> = {
  name: 'lectures',
  about: {
    summary: 'Short open answers over lectures, judged, with the multiple-choice twin of each question',
    home: 'https://example.org/lectures',
    licence: 'CC-BY-4.0',
    download: ['lectures.json and the videos beside it -> the folder that --data names'],
    chance: 25,
    groupedBy: ['topic'],
  },
  tasks: [
    { name: 'open', summary: 'answer in a few words', answer: 'open', judge: ['open'] },
    { name: 'mcq', summary: 'choose among four options', answer: 'choice', judge: [] },
  ],
  settings,
  data: {
    annotations: { isFile: name => name === 'lectures.json' },
    records: files => parsedRecords(Lecture, 'lectures', files),
  },
  samples: record => [
    {
      id: record.id,
      video: record.video,
      question: { text: record.question, options: record.options },
      reference: record.answer,
      choice: record.right,
      groups: { topic: record.topic },
      record,
    },
  ],
  asks: sample => [openAsk(sample, 'open'), choiceAsk(sample, 'mcq')],
  grade: (sample, task, given) => (task === 'open' ? gradeOpen(given) : gradeChoice(sample, given)),
  sum,
  frames: {
    request: (sample, task, { duration }, { frames }: z.infer<typeof settings>) => ({
      turns: showFrames(
        evenFrameTimes(duration, frames),
        task === 'mcq' ? choicePrompt(sample) : `${sample.question.text} Answer in a few words.`,
      ),
      temperature: 0,
      maxTokens: 256,
    }),
  },
  judge,
}
export default lectures

function readVerdict(said: string | null | undefined): 'yes' | 'no' | undefined {
  return /^\W*(yes|no)\b/i.exec(said ?? '')?.[1]?.toLowerCase() as 'yes' | 'no' | undefined
}

function gradeOpen({ reply, judge }: TaskReply): Grade {
  const verdict = readVerdict(judge.open)
  if (!reply?.trim()) return { score: 0, rule: 'no reply', reason: 'no reply' }
  if (verdict === undefined) return { score: null, rule: 'no verdict', value: reply, reason: 'no verdict' }
  return { score: Number(verdict === 'yes'), rule: `judged ${verdict}`, value: reply }
}

// The released scorer, say, takes the first letter of a reply: then the grade holds both readings.
function gradeChoice({ choice, question: { options = [] } }: Sample, { reply }: TaskReply): Grade {
  const { letter, rule } = readReplyChoice(reply, { count: options.length, texts: options })
  const isRight = (chosen: string | undefined) => Number(choice !== undefined && chosen === letterAt(choice))
  return {
    score: isRight(letter),
    rule,
    value: letter,
    ...(letter === undefined && { reason: 'no choice' }),
    official: { score: isRight(/[A-Z]/.exec(reply ?? '')?.[0]) },
  }
}
