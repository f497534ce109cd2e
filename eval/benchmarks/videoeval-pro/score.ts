import type { ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { groupBy } from '../../data/group.ts'
import { type ReplyLine, readReplies, strangers, wasAsked } from '../../data/replies.ts'
import { readChoice } from '../../metrics/choice/read-choice.ts'
import { cohensKappa } from '../../metrics/kappa.ts'
import { gradeAsReleased, readGrade } from './judge.ts'
import { optionAsReleased } from './option.ts'
import type { VideoEvalProRecord } from './record.ts'

interface Scored {
  type: string
  open: boolean // as it is counted
  judgedRight: boolean
  mcq: boolean
  reasons: string[]
}

// Letters that may be meant where the data hold no options.
const lettersWithoutOptions = 8

// Records are known by their place in the file, from 0.
export async function scoreVideoEvalPro(records: readonly VideoEvalProRecord[], input: ScoreInput): Promise<Scores> {
  const replies = await readReplies(input.replies)
  const judged = [...replies.byId.values()].some(line => 'open' in line.judge)
  const asked = { open: judged || wasAsked(replies, 'open'), mcq: wasAsked(replies, 'mcq') }
  const excluded = [...replies.notes, ...strangers(replies, new Set(records.map((_, i) => String(i))))]
  const scored: Scored[] = []
  records.forEach((record, i) => {
    const id = String(i)
    const line = replies.byId.get(id)
    if (input.scoring === 'official' && !line) {
      excluded.push({ id, reason: 'no line, so not in the results file that the released script counts' })
      return
    }
    const item = input.scoring === 'official' ? official(record, line as ReplyLine) : strict(record, line)
    scored.push(item)
    for (const reason of item.reasons) if (asked[reason.split(':')[0] as 'open' | 'mcq']) excluded.push({ id, reason })
  })
  const kappaOf = (items: readonly Scored[]) =>
    asked.open && asked.mcq
      ? cohensKappa(
          items.map(item => item.mcq),
          items.map(item => item.judgedRight),
        )
      : null
  const metricsOf = (items: readonly Scored[]) => ({
    open: asked.open ? percent(items, 'open') : null,
    mcq: asked.mcq ? percent(items, 'mcq') : null,
  })
  return {
    benchmark: 'videoeval-pro',
    scoring: input.scoring,
    n: records.length,
    metrics: metricsOf(scored),
    groups: Object.fromEntries(
      [...groupBy(scored, item => item.type)].map(([type, items]) => [
        type,
        { n: items.length, ...metricsOf(items), kappa: kappaOf(items) },
      ]),
    ),
    excluded,
  }
}

// The agreement of the two halves takes a failed judgment for what it is, not right; the released count
// of the open half does not: a judgment that failed in all its tries is a non-empty value there and counts as right.
function official(record: VideoEvalProRecord, line: ReplyLine): Scored {
  const verdict = 'open' in line.judge ? gradeAsReleased(line.judge.open) : 'wrong'
  return {
    type: record.qa_type,
    open: verdict !== 'wrong',
    judgedRight: verdict === 'right',
    mcq: optionAsReleased(record.answer, line.replies.mcq),
    reasons: verdict === 'failed' ? ['open: the judgment failed; the released script counts it as right'] : [],
  }
}

function strict(record: VideoEvalProRecord, line: ReplyLine | undefined): Scored {
  const reasons: string[] = []
  const grade = readGrade(line?.judge.open)
  if (!line?.replies.open?.trim()) reasons.push('open: no reply')
  else if (grade === undefined) reasons.push('open: no verdict')
  const { letter, rule } = readChoice(line?.replies.mcq, {
    count: record.options.length || lettersWithoutOptions,
    texts: record.options.map(withoutLetter),
  })
  if (letter === undefined) reasons.push(`mcq: ${rule === 'empty' ? 'no reply' : `no choice (${rule})`}`)
  const right = grade === 'A' && !reasons.includes('open: no reply')
  return {
    type: record.qa_type,
    open: right,
    judgedRight: right,
    mcq: letter !== undefined && letter === record.answer.trim().toUpperCase(),
    reasons,
  }
}

export function withoutLetter(option: string): string {
  return option.replace(/^\s*[([]?[A-Z][)\].:]\s*/, '')
}

function percent(items: readonly Scored[], task: 'open' | 'mcq'): number | null {
  return items.length === 0 ? null : (items.filter(item => item[task]).length / items.length) * 100
}
