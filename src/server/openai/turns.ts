import { turnOf } from '../../app/ask/ask-in-session.ts'
import { reportOfRun } from '../../app/serve/runs/run-record.ts'
import type { Turn } from '../../core/agent.ts'
import type { Video } from '../../core/video.ts'
import { contentOf } from './content.ts'
import type { Said } from './messages.ts'
import type { ModelParts } from './parts.ts'

interface Pair {
  asked: string
  answered: string
}

// A question with its answer each. What stands alone is left out, and said.
export function pairsIn(said: readonly Said[], isKept: boolean): { pairs: Pair[]; notes: string[] } {
  const pairs: Pair[] = []
  let alone = 0
  let asked: string | undefined
  for (const { role, text } of said) {
    if (role === 'other') continue
    if (role === 'user') {
      if (asked !== undefined) alone++
      asked = text
    } else if (asked === undefined) alone++
    else {
      pairs.push({ asked, answered: withoutThinking(text) })
      asked = undefined
    }
  }
  if (asked !== undefined) alone++
  const isDropped = isKept && pairs.length > 0
  const notes = [
    ...(said.some(({ role }) => role === 'other')
      ? ['Messages that are not of the user or the assistant are not used.']
      : []),
    ...(alone > 0 ? [`Earlier messages that are no question with its answer are not used: ${alone}.`] : []),
    ...(isDropped ? ['The earlier messages are not used: the conversation is kept here.'] : []),
  ]
  return { pairs: isDropped ? [] : pairs, notes }
}

// Read once from its start to its end: a thought that has no end is no thought.
export function withoutThinking(text: string): string {
  let left = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<think>', at)
    const end = start < 0 ? -1 : text.indexOf('</think>', start)
    if (end < 0) return (left + text.slice(at)).trim()
    left += text.slice(at, start)
    at = end + '</think>'.length
  }
}

// An answer of this server, word for word, is that answer with its evidence. Any other text is taken as the reference.
export async function turnFrom(parts: ModelParts, video: Video, { asked, answered }: Pair): Promise<Turn> {
  const same = parts.jobs
    .list()
    .filter(job => job.video.id === video.id && job.state === 'done' && job.question?.text === asked)
  for (const { run } of same) {
    const report = run === undefined ? undefined : await reportOfRun(parts.home, run).catch(() => undefined)
    if (report && contentOf(report.answer, report.evidence, () => '').text.trim() === answered) return turnOf(report)
  }
  return { question: { text: asked }, reference: answered }
}
