import { groupBy } from '../../src/core/basics/group-by.ts'
import { UsageError } from '../../src/core/errors.ts'
import { listSecrets, redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Judgment } from '../data/sample-line.ts'
import { modeNamed } from '../judges/judge-service.ts'
import { type JudgeWishes, withJudges } from '../judges/open-judges.ts'
import type { JudgeMode } from '../protocols/judge/protocol.ts'
import { type JudgeStudy, keepAgreement } from '../runner/files/kept-agreement.ts'
import { type Agreement, measureAgreement } from './agreement.ts'
import { judgeAgain } from './judge-again.ts'
import { comparePictures, judgeStudy, ratedItem, type StudiedJudge } from './judge-study.ts'
import { type DataPlace, type Item, type JudgedRun, listItems, loadJudgedRun, verdictsBy } from './judged-run.ts'
import { storedSights } from './stored-sight.ts'
import { readAnnotators } from './verdict-files.ts'

export interface AgreeWork extends JudgeWishes, DataPlace {
  folders: readonly string[]
  human: readonly string[] // verdict files
  limit?: number
  onJudged(done: number): void
}

export interface Agreed {
  agreements: Agreement[]
  unmatched: number // verdicts of people on answers that are not there
  pictures: ({ judge: string } & NonNullable<JudgeStudy['pictures']>)[] // of judges that may ask for frames
  kept: boolean // in agreement.json of each run
}

// People and judges over the same answers. No question is asked again; what the judges come to beside people is kept in each run.
export async function agreeOnRuns(work: AgreeWork, world: BenchWorld): Promise<Agreed> {
  const runs = await loadRuns(work.folders, work)
  const items = runs.flatMap(listItems)
  const { people, unmatched } = await readAnnotators(work.human, items)
  const raters = ownJudges(runs, items)
  await withJudges(runs[0]!.benchmark, work, world, async judges => {
    const redact = redactor(listSecrets(world.environment))
    const sights = await storedSights({ runs, judges, limit: work.limit }, world)
    let judgedCount = 0
    const onJudged = () => work.onJudged(++judgedCount)
    for (const judge of judges) {
      const judgmentsByRun = new Map<JudgedRun, Map<string, Judgment>>()
      for (const run of runs)
        judgmentsByRun.set(
          run,
          await judgeAgain({
            run,
            judge,
            redact,
            onJudged,
            sight: sights(run),
            limit: work.limit,
            signal: world.signal,
          }),
        )
      const name = nameJudge(judge.service.name, judge.wording)
      const rater = buildJudge(name, items, item => judgmentsByRun.get(item.run)?.get(item.answer.sample.id))
      const ownRater = raters.find(one => one.name === name)
      if (ownRater) {
        ownRater.verdicts = new Map([...rater.verdicts, ...ownRater.verdicts])
        ownRater.judgments = new Map([...rater.judgments, ...ownRater.judgments])
        ownRater.price = judge.price
      } else raters.push({ ...rater, mode: judge.mode, price: judge.price })
    }
  })
  const everyone = [...raters, ...people.map(person => ({ ...person, kind: 'person' as const }))]
  const graders = people.filter(({ verdicts }) => verdicts.size > 0)
  const studies = graders.length === 0 ? [] : raters.flatMap(judge => judgeStudy(judge, graders, items) ?? [])
  if (studies.length > 0)
    await keepAgreement(work.folders, {
      format: 1,
      benchmark: runs[0]!.benchmark.name,
      runs: runs.map(({ name }) => name),
      people: graders.map(({ name }) => name),
      judges: studies,
    })
  return {
    agreements: measureAgreement(items.map(ratedItem), everyone),
    unmatched,
    kept: studies.length > 0,
    pictures: raters.flatMap(rater => {
      const pictures = comparePictures(rater, people, items)
      return pictures ? [{ judge: rater.name, ...pictures }] : []
    }),
  }
}

// The judges of the runs themselves: runs that were judged by another, or in another wording, have a rater of their own.
function ownJudges(runs: readonly JudgedRun[], items: readonly Item[]): StudiedJudge[] {
  const nameOfRun = ({ run }: JudgedRun) => nameJudge(run.judgedBy ?? 'none', run.wording?.sha256)
  const byName = groupBy(items, item => nameOfRun(item.run))
  return [...groupBy(runs, nameOfRun)].map(([name, [first]]) => ({
    ...buildJudge(name, byName.get(name) ?? [], item => item.answer.judgment),
    mode: name === 'words' ? undefined : first && findMode(first),
  }))
}

function findMode({ run, benchmark }: JudgedRun): JudgeMode | undefined {
  return modeNamed(run.judgedBy ?? '') ?? run.judgeMode ?? benchmark.judge.modes?.[0]
}

function buildJudge(
  name: string,
  items: readonly Item[],
  judgmentOf: (item: Item) => Judgment | undefined,
): StudiedJudge {
  const judgments = new Map(
    items.flatMap(item => {
      const judgment = judgmentOf(item)
      return judgment ? [[item.key, judgment] as const] : []
    }),
  )
  return { name, kind: 'judge', verdicts: verdictsBy(items, judgmentOf), judgments }
}

function nameJudge(judge: string, wording: string | undefined): string {
  return wording === undefined || judge === 'words' ? judge : `${judge}, wording ${wording.slice(0, 8)}`
}

// Runs of one benchmark.
export async function loadRuns(folders: readonly string[], place: DataPlace = {}): Promise<JudgedRun[]> {
  const runs = await Promise.all(folders.map(folder => loadJudgedRun(folder, place)))
  const benchmarkSet = new Set(runs.map(run => run.run.benchmark))
  if (benchmarkSet.size !== 1)
    throw new UsageError(`These runs are of ${benchmarkSet.size} benchmarks.`, { hint: 'Name runs of one benchmark.' })
  return runs
}
