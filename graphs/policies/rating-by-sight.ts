import type { Rating, Step, Weighed } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { errorText } from '../../src/core/errors.ts'
import type { Evidence, Track } from '../../src/core/evidence.ts'
import { framesIn } from '../../src/core/sight/picture.ts'
import { framesOfWindow, windowsOfSheet } from '../../src/core/sight/sheet.ts'
import type { Named } from '../../src/core/tool.ts'
import { mayCallModel } from '../nodes/budget.ts'
import { rateSheetRequest } from '../prompts/rate.ts'
import { askedOf, candidatesOf, isWordless, marksOf, rateByWords, ready, spared } from '../rating/candidates.ts'
import { sheetOfWindows, type Window, windowOf } from '../rating/windows.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { RunState } from '../state.ts'

const share = 1 / 4 // of the frames that are left, a round
const seen: ReadonlySet<Track> = new Set(['picture', 'caption', 'text', 'shot', 'person'])

// Candidates of a search are rated 1 to 4 by `models.vision`, in one call for each sheet of up to nine numbered windows of one to three
// frames, for at most a quarter of the frames that are left. Those of tracks that are seen, or all of them (`policy.ratedBySight`). A row
// whose words hold what is asked is not rated 1. What is left over, or where no model sees, `relevanceFilter` rates by words.
export default { rate } satisfies Policy

async function rate(session: AgentSession, state: RunState, steps: readonly Step[]): Promise<Weighed> {
  if (session.stopped()) return {}
  const all = session.parts.policy.ratedBySight === 'all'
  const rows = candidatesOf(session, steps, state).filter(row => all || seen.has(row.track))
  const windows = rows.length > 0 ? affordable(session, rows) : []
  if (windows.length === 0) return {}
  const vision = await ready(() => session.services.vision())
  if (!vision?.service.accepts.has('image')) return {}
  const ratings: Rating[] = []
  for (let at = 0; at < windows.length; at += windowsOfSheet)
    ratings.push(...(await rateSheet(session, state, windows.slice(at, at + windowsOfSheet), vision)))
  return ratings.length > 0 ? { ratings: [...(state.weighed?.ratings ?? []), ...ratings] } : {}
}

// Fewer frames a window where many are to be shown, and fewer windows where not even one frame each is left.
function affordable(session: AgentSession, rows: readonly Evidence[]): Window[] {
  const { budget, index } = session.parts
  const left = Math.floor((budget.frames - session.usage().frames) * share)
  const frames = Math.min(framesOfWindow, Math.max(1, Math.floor(left / rows.length)))
  return rows.flatMap(row => windowOf(index, row, frames)).slice(0, Math.max(0, Math.floor(left / frames)))
}

async function rateSheet(
  session: AgentSession,
  state: RunState,
  windows: readonly Window[],
  { by, service }: Named<ChatModel>,
): Promise<Rating[]> {
  const { context, parts } = session
  if (!context.paint || session.stopped() || !mayCallModel(session.usage(), parts.budget)) return []
  try {
    const picture = sheetOfWindows(windows, service.id)
    const rows = windows.map(window => window.row)
    const request = rateSheetRequest(
      askedOf(state),
      rows,
      { picture, jpeg: await context.paint(picture) },
      context.video,
    )
    const reply = await untilAborted(service.reply(request, session.signal), session.signal)
    context.spend({ calls: 1, ...reply.usage, frames: framesIn([picture]) })
    const marks = marksOf(reply.text, rows, by)
    if (!marks) session.watch({ type: 'note', text: `${by} rated no window of its sheet; words rate them.` })
    return rows.flatMap(row => marks?.get(row.id) ?? []).map(rating => kept(session, state, rating))
  } catch (error) {
    if (session.stopped()) return []
    session.watch({ type: 'note', text: `Not rated by sight but by words: ${errorText(error).slice(0, 200)}` })
    return []
  }
}

// On a sheet a text is too small to be read: a row that words found is not put aside by its looks.
function kept(session: AgentSession, state: RunState, rating: Rating): Rating {
  const [row] = session.rows([rating.id])
  const worded = row && !isWordless(row) && rateByWords(session, row, state).score > 1
  return rating.score <= 1 && worded ? spared(rating, 'words found it') : rating
}
