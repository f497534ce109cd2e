import { expect, test } from 'vitest'
import type { Cause } from '../../../../src/core/agent.ts'
import type { Job } from '../../../../src/core/api/job.ts'
import { describeJob } from './outcome.ts'

const track = { state: 'indexed' as const, spans: [{ start: 0, end: 60 }], items: 1 }
const coverage = { duration: 60, picture: track, speech: track, sound: track, text: track, notes: [] }

function unanswered(cause: Cause) {
  const said = { text: 'Not answered.', sentences: [], confidence: 0, degraded: [] }
  const answer = { ...said, abstained: true, cause, mend: 'Do this.' }
  const job = {
    id: 'j1',
    state: 'done',
    video: { id: 'v1' },
    answer: { answer, evidence: [], coverage, stop: 'answered' },
  }
  return describeJob(job as unknown as Job)
}

test.each(['absent', 'not-looked', 'unreadable', 'not-understood', 'budget'] as const)(
  'a host is told that a question is not answered because of "%s", and what would help',
  cause => {
    const { summary, words, data } = unanswered(cause)
    expect(summary).toContain(`Not answered (${cause})`)
    expect(words).toContain('Do this.')
    expect(data).toMatchObject({ abstained: true, cause, mend: 'Do this.' })
  },
)
