import { join } from 'node:path'
import { Refused } from '../../../../src/core/api/problem.ts'
import { UsageError } from '../../../../src/core/errors.ts'
import { ensureFolder } from '../../../../src/store/durable.ts'
import { openJsonLines } from '../../../../src/store/json-lines.ts'
import { listNames } from '../../../../src/store/read-file.ts'
import { readMadeSet } from '../../../data/benchmark-json.ts'
import type { PeopleForm } from '../../../recipes/recipe.ts'
import { type PageFile, pageFile } from '../../../report/page/page-file.ts'
import { readOptions } from '../../../runner/options.ts'
import { loadRecipe } from '../../load-recipe.ts'
import { isSet, readMakeRequest } from '../../request.ts'
import { writeSet } from '../../set/write-set.ts'
import { videoIds } from '../../source/inputs.ts'
import { readSourceRecords, readSourceVideo, type SourceVideo } from '../../source/read-source.ts'
import { noModels } from '../fix.ts'
import { type Checked, type PeopleData, type PeopleStep, WrittenDraft } from '../page-data.ts'
import { type ReviewSet, readReviewSet } from '../review-set.ts'
import { openSession, parseShape, type ReviewSession } from '../session.ts'
import { buildWrittenItem, checkWritten, spreadNow } from './check-written.ts'
import { numberWritten, readWriter, requireForm, type WrittenLine, writtenFile, writtenFolder } from './written.ts'

// One person writes questions into a set.
export type PeopleReview = ReviewSession<{
  state(): Promise<PeopleStep>
  check(draft: unknown): Promise<Checked>
  save(draft: unknown): Promise<PeopleStep> // on the disk when it returns
  undo(): Promise<PeopleStep & { before: WrittenDraft }>
}>

interface PeopleWish {
  folder: string
  reviewer: string
  signal: AbortSignal
}

export async function openPeople({ folder, reviewer, signal }: PeopleWish): Promise<PeopleReview> {
  await ensureSet(folder, signal)
  const reviewSet = await readReviewSet(folder)
  const form = requireForm(reviewSet.recipe)
  return openSession(reviewSet, reviewer, signal, async () => {
    await ensureFolder(writtenFolder(folder), 'umask')
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
        return checkWritten(buildWrittenItem(parseShape(WrittenDraft, body), '', reviewer, set), set, signal)
      },
      async save(body) {
        const draft = parseShape(WrittenDraft, body)
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
    return { asks, page: async videos => peoplePage({ set: reviewSet, form, reviewer, videos }) }
  })
}

// A making that was stopped after its videos were read (--until source) becomes a set without questions, for people to fill.
async function ensureSet(folder: string, signal: AbortSignal): Promise<void> {
  if (await readMadeSet(folder)) return
  const wish = await readMakeRequest({ set: folder })
  const recipe = await loadRecipe(wish.recipe)
  requireForm(recipe)
  const begun = (await listNames(join(folder, 'made'))).find(name => /^\d+-.*\.jsonl$/.test(name))
  if (begun !== undefined)
    throw new UsageError(`${folder} was stopped while its questions were made: made/${begun} is there.`, {
      hint: `Make it whole first: longtake bench make --resume ${folder}`,
    })
  const records = await readSourceRecords(folder)
  const ids = [...videoIds(wish.from.filter(path => !isSet(path)))].filter(([id]) => !wish.exclude.includes(id))
  const unread = ids.find(([id]) => !records.some(({ video_id }) => video_id === id))
  if (unread || ids.length === 0)
    throw new UsageError(
      `${folder} was stopped before its videos were read: ${unread?.[1] ?? 'it has none of its own'}.`,
      {
        hint: `Resume with: longtake bench make --resume ${folder} --until source`,
      },
    )
  const videos: SourceVideo[] = []
  for (const [id, path] of ids) videos.push(await readSourceVideo(id, path, signal))
  await writeSet({
    folder,
    recipe,
    wish,
    settings: readOptions(recipe, wish.options),
    sources: { videos, records },
    items: [],
    drafted: 0,
    rejected: [],
    models: noModels,
    author: 'people',
    copy: false,
    signal,
    checks: {
      flags: [],
      warnings: [],
      accuracy: {},
      notRun: recipe.checks.flatMap(({ check: { name, role } }) =>
        role ? [`${name}: people wrote, and it asks a model`] : [],
      ),
    },
  })
}

type PeoplePage = Pick<PeopleData, 'reviewer' | 'videos'> & { set: ReviewSet; form: PeopleForm }

function peoplePage({ set, form, ...wish }: PeoplePage): PageFile {
  const types = form.types.map(({ name, kind, asks }) => ({ name, kind, asks }))
  const data: PeopleData = { ...wish, set: set.set.canary, negatives: form.negatives.max, types }
  return pageFile({ code: 'write', title: `Questions for a ${set.recipe.name} set`, data, media: 'served' })
}
