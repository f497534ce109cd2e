import { groupBy } from '../../src/core/basics/group-by.ts'
import type { Price } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { usageCost } from '../../src/runtime/models/prices.ts'
import { listSecrets, redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Judgment } from '../data/sample-line.ts'
import { modeNamed } from '../judges/judge-service.ts'
import { type JudgeWishes, withJudges } from '../judges/open-judges.ts'
import { isSeeing, type JudgeMode } from '../protocols/judge/protocol.ts'
import { type JudgeStudy, keepAgreement } from '../runner/files/kept-agreement.ts'
import { type Agreement, measureAgreement, type RatedItem, type Rater } from './agreement.ts'
import { judgeAgain } from './judge-again.ts'
import { type DataPlace, type Item, type JudgedRun, listItems, loadJudgedRun, verdictsBy } from './judged-run.ts'
import { storedSights } from './stored-sight.ts'
import { type Annotator, readAnnotators } from './verdict-files.ts'

interface AgreeWork extends JudgeWishes, DataPlace {
  folders: readonly string[]
  human: readonly string[] // verdict files
  limit?: number
  onJudged(done: number): void
}

interface Agreed {
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

export interface StudiedJudge extends Rater {
  mode?: JudgeMode
  price?: Price
  judgments: Map<string, Judgment> // by the keys of items
}

function ratedItem({ key, scale, answer }: Item): RatedItem {
  return { key, scale, video: answer.sample.video }
}

// The judge and the people over the answers that all of them graded, by what is said of each answer first; undefined if there are none.
export function judgeStudy(
  judge: StudiedJudge,
  people: readonly Annotator[],
  items: readonly Item[],
): JudgeStudy | undefined {
  const everyone = [judge, ...people.map(person => ({ ...person, kind: 'person' as const }))]
  const common = items.filter(
    ({ key, scale }) => scale !== 'look' && everyone.every(({ verdicts }) => verdicts.has(key)),
  )
  const [found] = measureAgreement(common.map(ratedItem), everyone)
  if (!found) return undefined
  const judgments = new Set(common.flatMap(({ key }) => judge.judgments.get(key) ?? []))
  const sum = (of: (judgment: Judgment) => number) =>
    [...judgments].reduce((total, judgment) => total + of(judgment), 0)
  const usage = {
    inputTokens: sum(one => one.usage?.inputTokens ?? 0),
    outputTokens: sum(one => one.usage?.outputTokens ?? 0),
  }
  const pictures = comparePictures(judge, people, items)
  return {
    judge: judge.name,
    answers: judgments.size,
    raters: found.raters,
    pairs: found.pairs,
    ...(judge.mode && { mode: judge.mode }),
    seconds: sum(one => one.seconds),
    ...(judge.price && { money: usageCost(usage, judge.price) }),
    ...(pictures && { pictures }),
  }
}

// How often the judge asks for the picture, and whether it does where people say that it is needed. A mode that always shows it counts
// as asking each time.
function comparePictures(
  { verdicts, mode }: Pick<StudiedJudge, 'verdicts' | 'mode'>,
  people: readonly Annotator[],
  items: readonly Item[],
): JudgeStudy['pictures'] {
  const looks = items.filter(item => item.scale === 'look' && verdicts.has(item.key))
  if (looks.length === 0) return undefined
  const isShown = isSeeing(mode)
  const askedAnswers = new Set(
    looks.filter(item => isShown || verdicts.get(item.key) === 2).map(item => readAnswerKey(item.key)),
  )
  const judged = new Set(looks.map(item => readAnswerKey(item.key)))
  const needed = new Set(
    people.flatMap(person => [...person.needsPicture].flatMap(([key, needs]) => (needs ? [readAnswerKey(key)] : []))),
  )
  const judgedAnswers = [...needed].filter(answer => judged.has(answer))
  return {
    asked: askedAnswers.size,
    of: looks.length,
    needed: judgedAnswers.length,
    found: judgedAnswers.filter(answer => askedAnswers.has(answer)).length,
  }
}

// The key of an item without its step.
function readAnswerKey(key: string): string {
  return key.split('\n').slice(0, 2).join('\n')
}
