import { resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { fromPackage } from '../../src/cli/packages.ts'
import { saveFile } from '../../src/cli/save-file.ts'
import { whenAborted } from '../../src/core/basics/signals.ts'
import { UsageError } from '../../src/core/errors.ts'
import { safeJson, visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import type { MadeSet } from '../data/benchmark-json.ts'
import { importVerdicts } from '../make/review/import-verdicts.ts'
import { openReview, type Review } from '../make/review/open-review.ts'
import { openPeople, type PeopleReview } from '../make/review/people/open-people.ts'
import { staticPage } from '../make/review/static-page.ts'

// People look at a made set: in the browser, on a page that they take along, or with a file of verdicts. Or they write its questions.
const review: CommandRun = async call => {
  const wish = { folder: resolve(call.world.cwd, call.argument()), share: readShare(call), signal: call.signal }
  const reviewer = call.text('--as')
  const file = call.path('--import')
  if (file !== undefined) return imported(call, { ...wish, file, reviewer })
  const page = call.path('--static')
  if (page === undefined) {
    const named = { ...wish, reviewer: call.required('--as', 'Say who it is: --as anna.') }
    return call.has('--people')
      ? served(call, await openPeople(named), 'writes questions')
      : served(call, await openReview(named), 'reviews')
  }
  const { html, items } = await staticPage({ ...wish, file: page, reviewer })
  await saveFile('--static', page, html)
  result(call, { file: page, items }, [
    `${items} questions are in ${visibleFileName(page)}. It finds the videos by their path: move both together.`,
    `Bring the verdicts back with: longtake bench review ${visibleFileName(call.argument())} --import FILE`,
  ])
  return exitCodes.ok
}

function readShare(call: Call): number {
  const text = call.text('--share') ?? '0.2'
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) return Number(text)
  throw new UsageError(`--share must be a number from 0 to 1, not "${text}".`, { hint: 'As in --share 0.2.' })
}

async function imported(call: Call, wish: Parameters<typeof importVerdicts>[0]): Promise<number> {
  const imports = await importVerdicts(wish)
  const { imported, known, refused, set } = imports
  result(call, imports, [
    `${imported} verdicts taken${known > 0 ? `, ${known} known before` : ''}, ${refused.length} refused.`,
    ...refused.map(visibleLine),
    ...summary(set),
  ])
  return refused.length > 0 ? exitCodes.partial : exitCodes.ok
}

// Serves until it is interrupted; what was said until then is on the disk already.
async function served(call: Call, review: Review | PeopleReview, does: string): Promise<number> {
  const { serveReview } = await fromPackage('longtake-serve', 'longtake bench review', () => import('longtake-serve'))
  const { say } = await call.host()
  const port = call.integer('--port', 0, 65_535) ?? 0
  const serving = await serveReview(review, port, say).catch(async error => {
    await review.close()
    throw error
  })
  const { url } = serving
  if (call.json)
    call.terminal.out(`${safeJson({ schemaVersion: 1, event: 'launch', url, reviewer: review.reviewer })}\n`)
  else
    call.terminal.out(
      `${review.reviewer} ${does} at\n  ${url}\nThe keys are listed under "?". Ctrl-C ends it and writes the set.\n`,
    )
  const stop = new AbortController()
  call.world.onStop?.(() => stop.abort()) // writing the set may take longer than a process is given after Ctrl-C
  await new Promise<void>(resolve => whenAborted(AbortSignal.any([stop.signal, call.signal]), resolve))
  serving.close()
  const set = await review.close()
  result(call, { reviewed: set?.reviewed ?? null }, summary(set))
  return exitCodes.ok
}

function summary(set: MadeSet | undefined): string[] {
  if (!set) return ['No verdicts; the set is unchanged.']
  const { items, of, twice = 0, kappa } = set.reviewed
  const { people = 0 } = set.counts
  return [
    ...(people > 0 ? [`Questions written by people: ${people}.`] : []),
    `${items} of ${of} questions are reviewed, ${twice} of them by two or more${typeof kappa === 'number' ? `: kappa ${kappa.toFixed(2)}` : ''}. ${set.counts.kept} are in the set.`,
  ]
}

export const benchReviewCommands = { review }
