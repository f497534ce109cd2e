import { recordedSettings } from '../../../src/config/recorded-settings.ts'
import { modelDigests } from '../../../src/runtime/models/digests.ts'
import { splitAskedBy } from '../../data/asked-by.ts'
import { type BenchParts, describeRun } from '../bench-parts.ts'
import type { Preflight } from '../preflight.ts'
import { type BenchRun, type NewRun, newRunFiles, openRunFiles, type RunFiles } from './run-files.ts'
import { refuseOther } from './run-folder.ts'

// The folder of a new run, or of the one that goes on.
export function openRun(parts: BenchParts, checked: Preflight): Promise<RunFiles> {
  const { resume } = parts.request
  return resume === undefined ? newFiles(parts, checked) : resumedFiles(parts, resume)
}

async function newFiles(parts: BenchParts, checked: Preflight): Promise<RunFiles> {
  const { request, world, settings, redact } = parts
  const run = await describeNewRun(parts)
  const files = await newRunFiles({
    home: world.home,
    out: request.out,
    run,
    config: recordedSettings(settings),
    redact,
  })
  await files.json('preflight.json', checked)
  return files
}

// The run as it would begin now.
export async function describeNewRun(parts: BenchParts): Promise<NewRun['run']> {
  const digests = await collectDigests(parts)
  return { ...describeRun(parts), ...(Object.keys(digests).length > 0 && { digests }) }
}

// Of the models that it will ask; a replay asks none.
async function collectDigests({
  request,
  settings,
  judge,
  replay,
  runtime,
}: BenchParts): Promise<Record<string, string>> {
  if (replay) return {}
  const { judge: judging, vision, ...others } = settings.models
  const { kind, command } = splitAskedBy(request.by)
  const askedModels = kind === 'alone' ? { vision } : command === undefined ? { vision, ...others } : {}
  return modelDigests({ ...askedModels, ...(judge && judge.name !== 'words' && { judge: judging }) }, runtime.host)
}

// The results of one run must all be of the same agent on the same data.
async function resumedFiles(parts: BenchParts, folder: string): Promise<RunFiles> {
  const { redact } = parts
  const files = await openRunFiles(folder, redact)
  const [before, now] = [files.run.digests ?? {}, await collectDigests(parts)]
  const compared = {
    before: { ...identity(files.run), digests: rolesIn(now, before) },
    now: { ...identity(describeRun(parts)), digests: rolesIn(before, now) },
    settings: redact(recordedSettings(parts.settings)),
  }
  await refuseOther(files, 'run', compared, 'Give the same data and settings, or begin a new run.')
  return files
}

// A digest that was not told then, or is not now, says nothing.
function rolesIn(others: object, digests: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(digests).filter(([role]) => role in others))
}

function identity(run: Omit<BenchRun, 'format' | 'started'>): object {
  const {
    benchmark,
    split,
    limit,
    tasks,
    by,
    options,
    judgedBy,
    wording,
    prompt,
    dataHash,
    version,
    change,
    about,
    map,
  } = run
  return {
    benchmark,
    split,
    limit,
    by,
    options,
    judgedBy,
    prompt: prompt?.sha256,
    version,
    data: dataHash,
    wording: wording?.sha256,
    about,
    change,
    map,
    tasks: tasks.join(' '),
  }
}
