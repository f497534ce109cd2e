import type { z } from 'zod'
import { differingSettings } from '../../config/layers/differing-settings.ts'
import type { Question } from '../../core/agent.ts'
import type { Comparison } from '../../core/api/compare.ts'
import { Refused } from '../../core/api/problem.ts'
import type { Evidence } from '../../core/evidence.ts'
import { stableJson } from '../../core/json.ts'
import { compareSteps } from '../../core/run/compare-steps.ts'
import { type StepLine, stepLines } from '../../core/run/run-steps.ts'
import type { AskReport } from '../../core/runtime.ts'
import type { RunRecord } from '../../store/run/run-folder.ts'
import { shortRow } from '../documents.ts'
import { type RunFilm, runFilm } from './run-film.ts'
import { readGraphName, readRunQuestion, recordedReport, runRecord } from './run-record.ts'
import { sumUsage } from './run-view.ts'

// Two runs of questions side by side: what differs in how they were asked, where they part, and what came of it.
export async function compareRecordedRuns(home: string, a: string, b: string): Promise<z.input<typeof Comparison>> {
  const [one, other] = [await readSide(home, a), await readSide(home, b)]
  const [ofA, ofB] = [stepLines(one.film.steps), stepLines(other.film.steps)]
  const { divergence, pairs } = compareSteps(ofA, ofB)
  const sides = ({ a, b }: { a?: number; b?: number }) => ({
    ...(a !== undefined && { a: buildLine(ofA[a]) }),
    ...(b !== undefined && { b: buildLine(ofB[b]) }),
  })
  return {
    a: summarizeSide(one),
    b: summarizeSide(other),
    same: compareEnvironments(one, other),
    settings: differingSettings(collectSettings(one), collectSettings(other)),
    ...(divergence && { divergence: { ...divergence, ...sides({ a: divergence.at, b: divergence.at }) } }),
    steps: pairs.map(({ same, ...pair }) => ({ ...sides(pair), same })),
    cited: citedBy(one.report, other.report),
  }
}

interface Side {
  record: RunRecord
  question: Question
  film: RunFilm
  report?: AskReport
}

async function readSide(home: string, id: string): Promise<Side> {
  const record = await runRecord(home, id)
  const question = readRunQuestion(record)
  if (question) return { record, question, film: await runFilm(home, record), report: recordedReport(record) }
  throw new Refused(
    'conflict',
    `${id} is not a run of a question.`,
    'Evaluations: longtake bench compare, longtake bench compare --study.',
  )
}

function summarizeSide({ record, question, film, report }: Side): z.input<typeof Comparison>['a'] {
  const { id, folder, name, started, state, kind, video } = record
  return {
    ...{ id, folder, name, started, state, kind, video, question },
    graph: readGraphName(record),
    usage: sumUsage(film.checkpoints, film.forked?.step) ?? report?.usage,
    ...(report && { answer: report.answer, stop: report.stop }),
  }
}

function compareEnvironments(one: Side, other: Side): z.input<typeof Comparison>['same'] {
  const [a, b] = [one.record.environment, other.record.environment]
  const haveIndex = a.index !== undefined && b.index !== undefined
  return {
    question: stableJson(one.question) === stableJson(other.question),
    video: one.record.video?.id === other.record.video?.id,
    ...(haveIndex && { index: stableJson([a.index, a.deepened]) === stableJson([b.index, b.deepened]) }),
  }
}

// With what was asked of this one question: another graph than that of the settings, other limits.
function collectSettings({ record }: Side): object {
  const config = record.config as { budget?: object }
  const { budget } = record.environment as { budget?: object }
  return { ...config, budget: { ...config.budget, ...budget }, graph: readGraphName(record) }
}

type Line = z.input<typeof Comparison>['steps'][number]['a']

function buildLine(line: StepLine | undefined): Line {
  if (!line) return undefined
  const { step, node, tool, input, outcome, evidence } = line
  return { step, node, ...(tool !== undefined && { tool, input, outcome }), evidence: [...evidence] }
}

function citedBy(a: AskReport | undefined, b: AskReport | undefined): z.input<typeof Comparison>['cited'] {
  const [ofA, ofB] = [citedRows(a), citedRows(b)]
  const has = (rows: readonly Evidence[], { id }: Evidence) => rows.some(row => row.id === id)
  return {
    both: ofA.filter(row => has(ofB, row)).map(shortRow),
    onlyA: ofA.filter(row => !has(ofB, row)).map(shortRow),
    onlyB: ofB.filter(row => !has(ofA, row)).map(shortRow),
  }
}

function citedRows(report: AskReport | undefined): Evidence[] {
  const cited = new Set(report?.answer.sentences.flatMap(sentence => sentence.cites))
  return report?.evidence.filter(row => cited.has(row.id)) ?? []
}
