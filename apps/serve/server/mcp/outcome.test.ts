import { expect, test } from 'vitest'
import type { Cause } from '../../../../src/core/agent.ts'
import type { Job } from '../../../../src/core/api/job.ts'
import type { Workplace } from '../../work/workplace.ts'
import { describeJob } from './outcome.ts'

const track = { state: 'indexed' as const, spans: [{ start: 0, end: 60 }], items: 1 }
const coverage = { duration: 60, picture: track, speech: track, sound: track, text: track, notes: [] }

// A library without a video, and nobody who sees.
const place = {
  served: {
    runtime: {
      library: { list: async () => [] },
      models: { isOff: () => true, standInTakes: async () => ({}) },
      settings: { models: { planner: {} } },
    },
  },
}

function unanswered(cause: Cause) {
  const said = { text: 'Not answered.', sentences: [], confidence: 0, degraded: [] }
  const answer = { ...said, abstained: true, cause, mend: 'Do this.' }
  const job = {
    id: 'j1',
    state: 'done',
    video: { id: 'v1' },
    question: { text: 'Who?' },
    answer: { answer, evidence: [], coverage, stop: 'answered', run: 'runs/r1' },
  }
  return describeJob(job as unknown as Job, place as unknown as Workplace)
}

test.each(['absent', 'not-looked', 'unreadable', 'not-understood', 'budget'] as const)(
  'a host is told that a question is not answered because of "%s", and what would help',
  async cause => {
    const { head, lines, next } = await unanswered(cause)
    expect(head).toContain(`Not answered (${cause}): this says that nothing was found`)
    expect(head).toContain('By rules that find and quote rows')
    expect(lines).toContain('what would help: Do this.')
    expect(next).toContain('view what no row says')
  },
)
