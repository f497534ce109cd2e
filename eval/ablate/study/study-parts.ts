import { type ResolvedConfig, withChosen } from '../../../src/config/resolve.ts'
import type { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import { BackendError, UsageError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import type { Role } from '../../../src/core/services.ts'
import { switchNames } from '../../../src/core/settings.ts'
import { checkPlanner, graphNames } from '../../../src/runtime/ask/open-agent.ts'
import { chooseModels } from '../../../src/runtime/models/choose/choose-models.ts'
import { examineRole } from '../../../src/runtime/models/doctor/examine-role.ts'
import { Models } from '../../../src/runtime/models/models.ts'
import { resolveHere } from '../../../src/runtime/models/resolve-here.ts'
import { loadChoice, type RoleChoice, roles } from '../../../src/runtime/models/role-families.ts'
import { createRuntime, type LocalRuntime } from '../../../src/runtime/runtime.ts'
import { builtIn, listPermissions, openToolbox } from '../../../src/runtime/tools/toolbox.ts'
import { listSecrets, type Redact, redactor } from '../../../src/store/redact.ts'
import type { BenchWorld } from '../../bench-world.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { type VideoFile, videoFinder } from '../../data/find-videos.ts'
import type { Sample } from '../../data/sample.ts'
import { checkShown } from '../../protocols/show.ts'
import { protocolConfig } from '../../runner/bench-parts.ts'
import type { BenchRequest } from '../../runner/bench-request.ts'
import {
  type AblationChange,
  changeName,
  listChangedSettings,
  withChangedOptions,
} from '../../runner/changes/change.ts'
import { type Collected, collectSamples } from '../../runner/collect-samples.ts'
import { foundPath } from '../../runner/find-files.ts'
import { readOptions } from '../../runner/options.ts'
import type { AblationFile } from '../matrix/ablation-file.ts'
import type { KnownNames } from '../matrix/read-changes.ts'
import { type BaseFirst, type MatrixRow, readMatrixRows } from '../matrix/rows.ts'
import { checkOracle, type GoldSource } from '../rows/gold.ts'

// An ablation request. All paths are absolute.
export interface AblateRequest extends Omit<BenchRequest, 'replay' | 'flags' | 'change'> {
  matrix: AblationFile
  base: { profile?: string; set: string[] } // --base and --base-set
  config?: string // the settings file
}

export type AblateWorld = Omit<BenchWorld, 'config'> & { cwd: string }

// Everything that a study is made of, opened and checked; nothing is asked or written yet.
export interface StudyParts {
  request: AblateRequest
  world: AblateWorld
  benchmark: Benchmark
  rows: BaseFirst<MatrixRow>
  collected: Collected
  runtime: LocalRuntime // of the base
  redact: Redact
  gold: GoldSource
  notes: Map<string, string[]> // by row: what its oracles have gold for
  configOf(row: MatrixRow): Promise<ResolvedConfig>
  settingsOf(row: MatrixRow): Promise<Config>
}

export async function openStudyParts(request: AblateRequest, world: AblateWorld): Promise<StudyParts> {
  const { environment, signal, say } = world
  const benchmark = await loadBenchmark(request.benchmark)
  const options = readOptions(benchmark, request.options)
  const collected = await collectSamples(benchmark, request.data, request, options)
  const find = await videoFinder(request.data, request.videos)
  const base = protocolConfig(await readConfig(request, world, []), options, benchmark)
  for (const notice of base.notices) say(notice)
  const runtime = await createRuntime({ ...world, config: base, fixedIndexes: {} })
  const { settings } = runtime
  const rows = readMatrixRows(request.matrix, await namesIn(settings))
  checkReplay(request.matrix, rows, settings.graph)
  // A setting that the benchmark does not have is an error now, not after the rows before it.
  for (const row of rows)
    checkShown(request.by, readOptions(benchmark, withChangedOptions(request.options, row.changes)))
  if (request.by === 'alone') checkModelAlone(rows)
  const gold: GoldSource = {
    benchmark,
    samples: collected.samples,
    pathOf: name => foundPath(find(name)),
    subtitlesOf: sample => findSubtitlesPath(sample, find),
    signal,
  }
  const parts: StudyParts = {
    request,
    world,
    benchmark,
    rows,
    collected,
    runtime,
    redact: redactor(listSecrets(environment)),
    gold,
    notes: await oracleNotes(rows, gold),
    configOf: async row => asBase(await readConfig(request, world, row.changes), base, runtime),
    settingsOf: async row => {
      const { config } = await chooseModels(await parts.configOf(row), { ...runtime.host, say: () => {} })
      return config.settings
    },
  }
  // A wrong setting or a missing part is reported before anything is spent.
  for (const row of rows) await examineRow(row, await parts.settingsOf(row), settings, runtime.host)
  return parts
}

// What runs on this machine is found out once, for the base: rows are compared on the same models. A row that names others itself
// finds them.
function asBase(config: ResolvedConfig, base: ResolvedConfig, runtime: LocalRuntime): ResolvedConfig {
  const words = ({ settings: { profile, model, server } }: ResolvedConfig) => stableJson({ profile, model, server })
  const { chosen } = runtime.config
  return chosen && !chosen.inherited && words(config) === words(base) ? withChosen(config, chosen) : config
}

// The settings of a row are those of the base with the row's laid over them.
async function readConfig(
  request: AblateRequest,
  world: AblateWorld,
  changes: readonly AblationChange[],
): Promise<ResolvedConfig> {
  const { profile, set } = request.base
  return resolveHere({
    cwd: world.cwd,
    environment: world.environment,
    file: request.config,
    flags: {
      set: [...set, ...changes.flatMap(listChangedSettings)],
      named: profile === undefined ? [] : [{ flag: '--base', path: 'profile', text: profile }],
    },
  })
}

// Everything that a matrix can name over this base.
async function namesIn(settings: Config): Promise<KnownNames> {
  const names = Object.keys(roles) as Role[]
  const backends = await Promise.all(names.map(async role => [role, (await roles[role]()).names] as const))
  return {
    tools: builtIn(settings.tools, listPermissions(settings)),
    policies: switchNames,
    graphs: graphNames,
    backends: Object.fromEntries(backends),
  }
}

// A model alone has no tools, no index and no graph to change.
function checkModelAlone(rows: readonly MatrixRow[]): void {
  const other = rows
    .flatMap(row => row.changes)
    .find(change => !['swap', 'set', 'option', 'judge-mode'].includes(change.kind))
  if (other)
    throw new UsageError(`"${changeName(other)}" changes the agent, and --by alone asks only a model.`, {
      hint: 'Compare with --option, --judge-mode, --swap vision=NAME or --set, or leave --by alone out.',
    })
}

function checkReplay({ fromStep }: AblationFile, rows: readonly MatrixRow[], graph: string): void {
  if (fromStep === undefined) return
  const other = rows.find(row => row.changes.some(change => change.kind === 'graph'))
  if (other)
    throw new UsageError(`--from-step continues within one graph; the row "${other.name}" takes another one.`, {
      hint: 'Compare graphs without --from-step.',
    })
  if (graph !== 'investigate')
    throw new UsageError(`--from-step needs the graph "investigate"; the base has "${graph}".`, {
      hint: 'The baselines have no steps to go on from.',
    })
}

async function oracleNotes(rows: readonly MatrixRow[], gold: GoldSource): Promise<Map<string, string[]>> {
  const notes = new Map<string, string[]>()
  for (const row of rows) {
    const notices: string[] = []
    for (const change of row.changes) if (change.kind === 'oracle') notices.push(await checkOracle(change.name, gold))
    if (notices.length > 0) notes.set(row.id, notices)
  }
  return notes
}

function findSubtitlesPath({ subtitles }: Sample, find: (name: string) => VideoFile): string | undefined {
  return subtitles === undefined ? undefined : foundPath(find(subtitles))
}

// Every part that a row has of its own must be there before the first question of the base is paid for: files of models, servers
// with the models that are named, tools. Asks no model, and loads none but a planner that a graph shows pictures to.
export async function examineRow(row: MatrixRow, own: Config, base: Config, host: Host): Promise<void> {
  for (const role of Object.keys(own.models) as Role[]) {
    const choice = own.models[role]
    if (choice.backend !== 'off' && stableJson(choice) !== stableJson(base.models[role]))
      await examineChoice(row, role, choice, host)
  }
  const models = new Models(own.models, host)
  try {
    await checkPlanner(own.graph, async () => (await models.open('planner')).service)
    if (stableJson(own.tools) !== stableJson(base.tools)) await openToolbox(models, own.tools, listPermissions(own))
  } finally {
    await models.close()
  }
}

async function examineChoice(row: MatrixRow, role: Role, choice: RoleChoice, host: Host): Promise<void> {
  const { state, detail, mend } = await examineRole(role, choice, host)
  if (state !== 'ready') throw missing(row, role, detail, mend)
  const { backend, settings } = await loadChoice(role, choice, host)
  const listed = await backend.server?.models(settings as Record<string, unknown>, host)
  const { model } = choice
  if (!listed || typeof model !== 'string' || listed.includes(model) || listed.includes(`${model}:latest`)) return
  const there = listed.slice(0, 8).join(', ') || 'none'
  throw missing(row, role, `${backend.server?.name} has no model "${model}"`, `It has: ${there}.`)
}

function missing(row: MatrixRow, role: Role, what: string, mend: string | undefined): BackendError {
  return new BackendError(`The row "${row.name}" cannot run: models.${role}: ${what}.`, { hint: mend })
}
