import { Refused } from '../../../../src/core/api/problem.ts'
import { UsageError } from '../../../../src/core/errors.ts'
import { ensureFolder } from '../../../../src/store/durable.ts'
import { openJsonLines } from '../../../../src/store/json-lines.ts'
import type { MadeSet } from '../../../data/benchmark-json.ts'
import type { Spread } from '../../../recipes/checks/spread.ts'
import { applyReview } from '../apply-review.ts'
import { asPage, parsed } from '../open-review.ts'
import type { ReviewPage } from '../page/page.ts'
import { lockAs, readReviewSet } from '../review-set.ts'
import { extractStill, type ReviewVideo, reviewVideos } from '../videos.ts'
import { buildWrittenItem, type Checked, checkWritten, spreadNow, WrittenDraft } from './check-written.ts'
import { ensureSet } from './empty-set.ts'
import { peoplePage } from './page.ts'
import { numberWritten, readWriter, requireForm, type WrittenLine, writtenFile, writtenFolder } from './written.ts'

export interface PeopleStep {
  own: number // that this person wrote
  total: number // in the set, with those of its making
  spread: Spread
}

// One person writes questions into a set. Several may at once: each writes a file of their own.
export interface PeopleReview {
  reviewer: string
  page(): Promise<ReviewPage>
  videos: readonly ReviewVideo[]
  asks: {
    state(): Promise<PeopleStep>
    check(draft: unknown): Promise<Checked>
    save(draft: unknown): Promise<PeopleStep> // on the disk when it returns
    undo(): Promise<PeopleStep & { before: WrittenDraft }>
  }
  still(video: string, time: number): Promise<Uint8Array | undefined>
  close(): Promise<MadeSet | undefined> // the set as it is written with what was said and written
}

export async function openPeople(wish: {
  folder: string
  reviewer: string
  signal: AbortSignal
}): Promise<PeopleReview> {
  const { folder, reviewer, signal } = wish
  await ensureSet(folder, signal)
  const reviewSet = await readReviewSet(folder)
  const form = requireForm(reviewSet.recipe)
  const lock = await lockAs(folder, reviewer)
  try {
    await ensureFolder(writtenFolder(folder), 'umask')
    const videos = await reviewVideos(reviewSet)
    const lines = await openJsonLines(writtenFile(folder, reviewer), 'each-line', 'umask')
    const append = (line: Omit<WrittenLine, 'by' | 'at'>) =>
      lines.append({ ...line, by: reviewer, at: new Date().toISOString() } satisfies WrittenLine)
    const savedDrafts: { id: string; draft: WrittenDraft }[] = [] // since the start
    const state = async (): Promise<PeopleStep> => {
      const set = await readReviewSet(folder)
      const ownCount = set.items.filter(item => readWriter(item) === reviewer).length
      return { own: ownCount, total: set.items.length, spread: spreadNow(undefined, set) }
    }
    const asks: PeopleReview['asks'] = {
      state,
      async check(body) {
        const set = await readReviewSet(folder)
        return checkWritten(buildWrittenItem(parsed(WrittenDraft, body), '', reviewer, set), set, signal)
      },
      async save(body) {
        const draft = parsed(WrittenDraft, body)
        const set = await readReviewSet(folder)
        const number = 1 + (await numberWritten(folder, reviewer, draft.video))
        const id = `${draft.video}_p${String(number).padStart(2, '0')}-${reviewer}`
        const item = buildWrittenItem(draft, id, reviewer, set)
        const { faults, doubts } = await checkWritten(item, set, signal)
        const [fault] = faults
        if (fault)
          throw new UsageError(`The question does not pass the checks: ${fault.check}: ${fault.detail}.`, {
            hint: 'Correct it, and save again.',
          })
        await append({ item, doubts, seconds: draft.seconds })
        savedDrafts.push({ id, draft })
        return state()
      },
      async undo() {
        const before = savedDrafts.at(-1)
        if (!before) throw new Refused('unknown', 'There is nothing to take back since the start.')
        await append({ takenBack: before.id })
        savedDrafts.pop()
        return { ...(await state()), before: before.draft }
      },
    }
    return {
      reviewer,
      videos,
      asks,
      page: async () => peoplePage({ set: reviewSet, form, reviewer, videos: videos.map(asPage) }),
      async still(id, time) {
        const video = videos.find(one => one.id === id)
        return video && extractStill(video, time, signal)
      },
      async close() {
        lock.release()
        return applyReview(folder, new AbortController().signal)
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
