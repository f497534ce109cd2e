import type { Step } from '../../src/core/agent.ts'
import type { SightBrief } from '../../src/core/brief.ts'
import { errorText } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { type Picture, timesIn } from '../../src/core/sight/picture.ts'
import { formatSpan } from '../../src/core/time.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'

export interface ShownPicture {
  picture: Picture
  jpeg: Uint8Array
}

// The pictures in one prompt of the planner.
export interface PictureView {
  of(step: Step): ShownPicture[]
  all: Picture[] // in the order in which they stand there
  brief: SightBrief
}

// What a planner that sees has before its eyes: what its calls gave. Painted from the state, so a
// run that is gone on with shows the same.
export interface PlannerSight {
  view(): PictureView // as much as is left of it
  refused(error: unknown): boolean // true where it is to be asked once more without pictures
  notes(): string[]
}

// Undefined where the planner sees nothing: its prompt is then that of words alone.
export async function openSight(session: AgentSession, state: RunState): Promise<PlannerSight | undefined> {
  if (!session.sees) return undefined
  const painted = await paint(session, standing(session, state))
  let why = ''
  return {
    view: () => viewOf(session, state, painted),
    refused(error) {
      if (session.picturesShown.length === 0 || session.blind) return false
      session.blind = true
      why = errorText(error).slice(0, 300)
      session.watch({ type: 'note', text: `The planner could not be asked with pictures; it is asked without: ${why}` })
      return true
    },
    notes: () => (why ? [`The planner was shown no pictures: ${why}`] : []),
  }
}

interface Standing {
  picture: Picture
  step: Step // that gave it
  at: number // among all pictures of the run
}

// The pictures that are recent, the oldest first; one that was given twice stands where it came last.
function standing(session: AgentSession, { steps, round }: RunState): Standing[] {
  const { pictureRounds } = session.lengths()
  const all: Standing[] = steps
    .flatMap(step => (step.pictures ?? []).map(picture => ({ picture, step })))
    .map((one, at) => ({ ...one, at }))
  const last = new Map(all.map(({ picture, at }) => [contentHash(picture), at]))
  const isRecent = ({ step }: Standing) => round - step.round <= pictureRounds
  return all.filter(one => isRecent(one) && last.get(contentHash(one.picture)) === one.at)
}

type Painted = Standing & { jpeg: Uint8Array }

// A picture that cannot be made again is said, and the rest is shown.
async function paint(session: AgentSession, pictures: readonly Standing[]): Promise<Painted[]> {
  const paintings = await Promise.all(
    pictures.map(async one => {
      try {
        const jpeg = await session.context.paint?.(one.picture)
        return jpeg ? [{ ...one, jpeg }] : []
      } catch (error) {
        session.signal.throwIfAborted()
        const why = errorText(error).slice(0, 300)
        session.watch({ type: 'note', text: `A picture of ${formatSpan(one.picture.span)} could not be shown: ${why}` })
        return []
      }
    }),
  )
  return paintings.flat()
}

function viewOf(session: AgentSession, state: RunState, painted: readonly Painted[]): PictureView {
  const remaining = session.blind ? [] : painted.filter(({ at }) => at >= session.picturesGone)
  session.picturesShown = remaining.map(({ at }) => at)
  const all = remaining.map(({ picture }) => picture)
  const { id, name } = session.context.video
  return {
    of: step => remaining.filter(one => one.step === step),
    all,
    brief: {
      kind: 'sight',
      video: { id, name },
      task: 'look',
      pictures: all.map(timesIn),
      question: state.question.text,
    },
  }
}
