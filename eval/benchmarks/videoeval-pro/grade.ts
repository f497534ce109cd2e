import { groupRows } from '../../data/group.ts'
import type { Sample, Scores } from '../../data/sample.ts'
import type { Grade } from '../../data/sample-line.ts'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import { cohensKappa } from '../../metrics/kappa.ts'
import { strip } from '../../python/text.ts'
import type { Sum, TaskReply } from '../benchmark.ts'
import { countGrades, meanInPercent } from '../grades.ts'
import { gradeAsReleased, readGrade } from './judge.ts'
import type { VideoEvalProRecord } from './record.ts'

// Letters that may be meant where the data hold no options.
const lettersWithoutOptions = 8

export function gradeVideoEvalPro(sample: Sample<VideoEvalProRecord>, task: string, given: TaskReply): Grade {
  return task === 'open' ? openGrade(sample, given) : choiceGrade(sample.record, given)
}

// A judgment that failed in all its tries is a non-empty value to the released script and counts as right there.
function openGrade({ reference: gold }: Sample, { reply, judge }: TaskReply): Grade {
  const grade = readGrade(judge.open)
  const reason = !reply?.trim() ? 'no reply' : grade === undefined ? 'no verdict' : undefined
  const verdict = 'open' in judge ? gradeAsReleased(judge.open) : 'wrong'
  return {
    score: grade === undefined ? null : Number(grade === 'A' && reason === undefined),
    rule: grade === undefined ? 'no verdict' : `judged ${grade}`,
    value: reply,
    gold,
    reason,
    official: {
      score: Number(verdict !== 'wrong'),
      ...(verdict === 'failed' && { reason: 'the judgment failed; the released script counts it as right' }),
    },
  }
}

function choiceGrade({ options, answer }: VideoEvalProRecord, { reply }: TaskReply): Grade {
  const texts = options.map(withoutLetter)
  const { letter, rule } = readReplyChoice(reply, { count: options.length || lettersWithoutOptions, texts })
  return {
    score: Number(letter !== undefined && letter === answer.trim().toUpperCase()),
    rule,
    value: letter,
    ...(letter === undefined && { reason: rule === 'empty' ? 'no reply' : `no choice (${rule})` }),
    official: { score: Number(optionAsReleased(answer, reply)) },
  }
}

// Each item once as it counts (`open`, `mcq`) and once as judged: a failed judgment is not right.
interface Scored {
  type: string
  open: number
  mcq: number
  judgedRight: boolean
}

export const sumVideoEvalPro: Sum<VideoEvalProRecord> = (graded, scoring, named) => {
  const judged = graded.some(({ line }) => line && 'open' in line.judge)
  const askedTasks = new Set([...named, ...(judged ? ['open'] : [])])
  const excluded: Scores['excluded'] = []
  const scored: Scored[] = []
  for (const item of graded) {
    const { id } = item.sample
    if (scoring === 'official' && !item.line) {
      excluded.push({ id, reason: 'no line, so not in the results file that the released script counts' })
      continue
    }
    const open = countGrades(item, 'open', scoring)
    const mcq = countGrades(item, 'mcq', scoring)
    const isRight = open.score === 1
    const judgedRight = isRight && open.reason === undefined
    scored.push({ type: item.record.qa_type, open: Number(isRight), mcq: Number(mcq.score === 1), judgedRight })
    for (const [task, { reason }] of Object.entries({ open, mcq }))
      if (reason && askedTasks.has(task)) excluded.push({ id, reason: `${task}: ${reason}` })
  }
  const metricsOf = (items: readonly Scored[]) => ({
    open: askedTasks.has('open') ? meanInPercent(items.map(item => item.open)) : null,
    mcq: askedTasks.has('mcq') ? meanInPercent(items.map(item => item.mcq)) : null,
  })
  const { open, mcq } = metricsOf(scored)
  // The agreement of the two halves takes a failed judgment for what it is, not right.
  const kappaOf = (items: readonly Scored[]) =>
    cohensKappa(
      items.map(item => item.mcq === 1),
      items.map(item => item.judgedRight),
    )
  const hasBoth = askedTasks.has('open') && askedTasks.has('mcq')
  return {
    metrics: { open, mcq, gap: open === null || mcq === null ? null : mcq - open },
    groups: groupRows(
      scored,
      item => item.type,
      items => ({ n: items.length, ...metricsOf(items), kappa: hasBoth ? kappaOf(items) : null }),
    ),
    excluded,
  }
}

const phrases = ['the answer is', 'answer:', 'the option is']

// As released: after the last of the first phrase that occurs, the first letter of any script is the choice. So
// "Option B" chooses o, "The correct answer is B" chooses t, "blue" chooses b, and "ERROR" chooses e.
export function optionAsReleased(right: string, reply: string | null | undefined): boolean {
  const text = strip(reply ?? '').toLowerCase()
  const phrase = phrases.find(candidate => text.includes(candidate))
  const rest = phrase === undefined ? text : strip(text.slice(text.lastIndexOf(phrase) + phrase.length))
  const chosen = /\p{L}/u.exec(rest)?.[0] ?? [...rest][0]
  const gold = strip(right)
  return chosen !== undefined && (chosen === gold || chosen === gold.toLowerCase())
}
