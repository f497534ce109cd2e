import { isDeepStrictEqual } from 'node:util'
import { type TierName, tierDownload, tierModels, tierNames } from '../../config/tiers.ts'
import type { Host } from '../../core/backend.ts'
import { UsageError } from '../../core/errors.ts'
import type { DoctorReport } from '../../core/runtime.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { buildHost } from '../../runtime/models/host.ts'
import {
  carryOut,
  isComplete,
  type SetupOutcome,
  settingsAfter,
  unfinishedChoice,
} from '../../runtime/setup/carry-out.ts'
import { lookAround, type Machine, suggestTier } from '../../runtime/setup/machine.ts'
import { findTier, type OwnFile, readOwnFile } from '../../runtime/setup/own-settings.ts'
import {
  chatRoles,
  diskFault,
  type FileSource,
  folderHub,
  planSetup,
  type SetupChoice,
  type SetupPlan,
  unseen,
} from '../../runtime/setup/plan.ts'
import { forgetSetupChoice } from '../../store/models/setup-choice.ts'
import type { Call } from '../call.ts'
import { openLines } from '../chat/lines.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { alignColumns } from '../show/format.ts'
import { pullProgress } from '../show/pull-progress.ts'
import { lackingLines, machineLines, planLines } from '../show/setup-lines.ts'
import { openOwnFiles } from './setup-files.ts'

export const setup: CommandRun = async call => {
  const from = call.text('--from')
  const ownFiles = from === undefined ? undefined : await openOwnFiles(from, call.world.cwd, call.world.signal)
  try {
    return await setUp(call, ownFiles && (await folderHub(ownFiles.folder, ownFiles.archive)))
  } finally {
    await ownFiles?.close()
  }
}

async function setUp(call: Call, source: FileSource | undefined): Promise<number> {
  await call.resolve(call.text('--config'), { set: [], named: [] }) // refuses settings that could not be read afterwards
  const home = await call.home()
  const host = buildHost(await call.host())
  const settingsFile = await readOwnFile(call.world.environment)
  const givenModels = givenChoice(call)
  const begun = givenModels ? undefined : await unfinishedChoice(home)
  const before = givenModels ?? begun ?? currentChoice(settingsFile)
  if (before && !call.has('--dry-run') && (await isDone(before, settingsFile, home, host)))
    return nothingToDo(call, before, settingsFile, home)

  const machine = await lookAround(host)
  const person = call.has('--yes') || call.has('--dry-run') ? undefined : personHere(call)
  if (person) for (const line of machineLines(machine)) call.terminal.say(line)
  if (begun) call.remark(`Going on with ${choiceText(begun)}, which was begun and is not done.`)
  const choice = before ?? (person ? await chooseHere(call, machine, person) : suggestion(machine, source))
  if (choice === undefined) return exitCodes.interrupted
  if (!choice.tier && !choice.model) return embeddedAlone(call, machine)

  const plan = await planSetup(choice, { machine, content: settingsFile.content, home, host, source })
  const full = await diskFault(plan, host)
  const planned = planLines(plan, settingsFile.path, full?.message)
  const document = { ...buildPlanDocument(machine, plan), ...(full && { disk: full.message }) }
  if (call.has('--dry-run') || !(call.has('--yes') || person)) {
    result(call, { ...document, done: false }, [...machineLines(machine), '', ...planned])
    if (call.has('--dry-run')) return exitCodes.ok
    throw new UsageError('Nothing was done: there is no terminal to ask at.', {
      hint: `To do this: longtake setup --yes${formatFlags(choice)}`,
    })
  }
  for (const line of person ? ['', ...planned] : planned) call.remark(line)
  if (full) throw full
  if (person && !(await person.agrees('Go on? [Y/n]'))) return stopped(call)
  const outcome = await carryOut(plan, {
    home,
    host,
    own: settingsFile,
    source,
    onProgress: pullProgress(call),
    onStep: ({ what, state }) => state === 'here' || call.remark(`  ${visibleLine(what)}: not possible now`),
  })
  call.terminal.draw([])
  const report = await examined(call)
  const { steps, file, changed, complete } = outcome
  const settings = { file, changed }
  const resultDocument = { ...document, steps: steps.map(stepDocument), settings, done: complete, doctor: report }
  result(call, resultDocument, outcomeLines(choice, outcome, report))
  return complete && report.healthy ? exitCodes.ok : exitCodes.backend
}

function givenChoice(call: Call): SetupChoice | undefined {
  const tier = call.text('--tier') as SetupChoice['tier']
  const model = call.text('--model')
  return tier || model ? { ...(tier && { tier }), ...(model && { model }) } : undefined
}

// What the user's own settings say that was chosen before.
function currentChoice({ content }: OwnFile): SetupChoice | undefined {
  const model = typeof content.model === 'string' && content.model !== 'off' ? content.model : undefined
  const tier = findTier(content, model ? chatRoles : [])
  return tier || model ? { ...(tier && { tier }), ...(model && { model }) } : undefined
}

async function isDone(choice: SetupChoice, own: OwnFile, home: string, host: Host): Promise<boolean> {
  const plan = await planSetup(choice, { machine: unseen, content: own.content, home, host })
  return isComplete(plan.steps) && isDeepStrictEqual(settingsAfter(plan, plan.steps, own.content), own.content)
}

async function nothingToDo(call: Call, choice: SetupChoice, own: OwnFile, home: string): Promise<number> {
  await forgetSetupChoice(home)
  result(call, { choice, done: true, settings: { file: own.path, changed: false } }, [
    `Everything for ${choiceText(choice)} is here: nothing to do.`,
    ...alignColumns([['  settings', visibleFileName(own.path)]]),
    'To choose something else: longtake setup --tier NAME, or --model NAME.',
  ])
  return exitCodes.ok
}

function choiceText({ tier, model }: SetupChoice): string {
  return [tier && (tier === 'embedded' ? 'profile embedded' : `tier ${tier}`), model && `model ${visibleLine(model)}`]
    .filter(Boolean)
    .join(' and ')
}

function formatFlags({ tier, model }: SetupChoice): string {
  return `${tier ? ` --tier ${tier}` : ''}${model ? ` --model ${visibleLine(model)}` : ''}`
}

// What is done where nobody chooses: the tier that fits, without any key. Nothing where nothing of it could be fetched.
function suggestion(machine: Machine, source?: FileSource): SetupChoice {
  const tier = suggestTier(machine)
  const canFetch = source !== undefined || machine.hub.fault === undefined || machine.servers.length > 0
  return tier && canFetch ? { tier } : {}
}

interface Person {
  asks(question: string): Promise<string | undefined>
  agrees(question: string): Promise<boolean>
}

function personHere(call: Call): Person | undefined {
  const { input } = call.world
  if (!input?.live || !call.terminal.live || call.json) return undefined
  const asks = async (question: string) => {
    call.terminal.say(question)
    const lines = openLines(input, () => lines.close())
    try {
      return (await lines.next())?.trim()
    } finally {
      lines.close()
    }
  }
  return { asks, agrees: async question => /^(y(es)?)?$/i.test((await asks(question)) ?? 'no') }
}

// A list to choose from by number. What sends anything away is never the first.
async function chooseHere(call: Call, machine: Machine, person: Person): Promise<SetupChoice | undefined> {
  const fitting = suggestTier(machine)
  const names = tierNames.slice(0, tierNames.indexOf(fitting ?? '8GB') + 1).reverse()
  const served = machine.servers.filter(({ models }) => models.some(({ chats }) => chats !== false))
  const choices: { choice: SetupChoice; row: string[] }[] = [
    ...names.map(tier => ({ choice: { tier }, row: [tier, formatModels(tier), `${tierDownload(tier)} GB`] })),
    ...served.map(({ preset, url }) => ({
      choice: { model: preset.name === 'server' ? url : preset.name },
      row: [preset.name, `the best model that ${preset.title} has here`, 'nothing'],
    })),
    { choice: { tier: 'embedded' as const }, row: ['embedded', 'no model: rules', 'nothing'] },
    ...machine.keys.map(({ provider, title }) => ({
      choice: { model: provider },
      row: [provider, `${title}: questions, words, frames leave here`, 'nothing'],
    })),
  ]
  const rows = choices.map(({ row }, at) => [`  ${at + 1}`, ...row])
  for (const line of ['', 'What shall answer questions?', ...alignColumns([['', '', '', 'to fetch'], ...rows])])
    call.terminal.say(line)
  for (;;) {
    const reply = await person.asks(
      `A number${fitting ? `, Enter for 1 (${fitting} fits this machine)` : ''}, or q to change nothing`,
    )
    if (reply === undefined || /^q(uit)?$/i.test(reply)) return void stopped(call)
    const chosen = choices[reply === '' ? 0 : Number(reply) - 1]?.choice
    if (chosen) return withTools(await withName(chosen, machine, person), fitting, person)
    call.terminal.say(`"${visibleLine(reply)}" is not one of 1 to ${choices.length}.`)
  }
}

// Which model of a hosted provider: its whole list costs very different prices.
async function withName(choice: SetupChoice, { keys }: Machine, person: Person): Promise<SetupChoice> {
  const hosted = keys.find(({ provider }) => provider === choice.model)
  const name = hosted && (await person.asks(`Which model of ${hosted.title}? Enter: the best of its list`))
  return name ? { ...choice, model: `${choice.model}/${name}` } : choice
}

// If only a chat model was chosen, speech and pictures are left to the embedded methods.
async function withTools(choice: SetupChoice, tier: TierName | undefined, person: Person): Promise<SetupChoice> {
  if (!choice.model || !tier) return choice
  const otherModels = tierModels(tier).filter(({ roles }) => !roles.includes('planner'))
  const size = otherModels.reduce((sum, { model }) => sum + model.download, 0).toFixed(1)
  return (await person.agrees(`Also fetch the rest of tier ${tier}, which hears, reads and finds (${size} GB)? [Y/n]`))
    ? { ...choice, tier }
    : choice
}

function formatModels(tier: TierName): string {
  const [chat, speech] = tierModels(tier)
  return `${chat?.model.what}, ${speech?.model.what} and others`
}

function stopped(call: Call): number {
  call.terminal.say('Nothing was changed.')
  return exitCodes.interrupted
}

async function embeddedAlone(call: Call, machine: Machine): Promise<number> {
  const report = await examined(call, 'look')
  result(call, { machine: machineDocument(machine), choice: {}, done: true, doctor: report }, [
    ...machineLines(machine),
    '',
    ...(report.healthy
      ? [`${report.profile} is ready: videos are indexed, and questions are answered by rules. Nothing was changed.`]
      : doctorLines(report)),
    'What would add most: a model that plans, looks and writes. Install Ollama from',
    'https://ollama.com/download on a machine with a network, and run longtake setup again.',
    ...machine.keys.map(
      ({ variable, provider }) => `Or use ${variable}, which is set: longtake setup --model ${provider}/NAME`,
    ),
  ])
  return report.healthy ? exitCodes.ok : exitCodes.backend
}

// Doctor over the settings as they are now.
async function examined(call: Call, depth: 'look' | 'try' = 'try'): Promise<DoctorReport> {
  const { environment, createRuntime } = call.world
  const config = await call.resolve(call.text('--config'), { set: [], named: [] })
  const runtime = await createRuntime({ config, home: await call.home(), environment, say: line => call.remark(line) })
  try {
    if (depth === 'try') call.remark('Doctor tries each role.')
    return await runtime.doctor({ depth })
  } finally {
    await runtime.close()
  }
}

function outcomeLines(
  choice: SetupChoice,
  { steps, file, changed, complete }: SetupOutcome,
  report: DoctorReport,
): string[] {
  const fetched = steps.filter(step => step.fetched).length
  const rest = steps.filter(step => step.state === 'cannot').length
  return [
    complete
      ? `${choiceText(choice)} is set up.`
      : `${choiceText(choice)} is set up in part: ${rest} of ${steps.length} could not be done.`,
    ...alignColumns([
      [
        '  fetched',
        `${fetched} of ${steps.length} ${steps.length === 1 ? 'model' : 'models'}; ${steps.length - fetched - rest} were here`,
      ],
      ['  settings', changed ? visibleFileName(file) : `${visibleFileName(file)}: as they were`],
    ]),
    ...lackingLines(steps),
    '',
    ...doctorLines(report),
    ...(complete && report.healthy ? ['Try it: longtake ask VIDEO "What is it about?"'] : []),
  ]
}

function doctorLines({ healthy, profile, fault, roles, programs, packages }: DoctorReport): string[] {
  const ready = roles.filter(({ state }) => state === 'ready').length
  if (healthy) return [`Doctor: ${ready} roles are ready with profile ${profile}.`]
  if (fault) return [`Doctor: ${visibleLine(fault.what)}`, ...(fault.mend ? [visibleLine(fault.mend)] : [])]
  const bad = [...programs, ...packages, ...roles.map(role => ({ ...role, name: role.role }))].filter(
    ({ state }) => state === 'missing' || state === 'broken',
  )
  return [
    `Doctor: ${ready} roles are ready with profile ${profile}. Not ready ("longtake doctor" says why):`,
    ...alignColumns(bad.map(({ name, mend = '' }) => [`  ${name}`, visibleLine(mend)])),
  ]
}

function buildPlanDocument(machine: Machine, { choice, steps, kept, leaves }: SetupPlan) {
  const bytes = steps.reduce((sum, step) => sum + (step.state === 'to fetch' ? step.bytes : 0), 0)
  return { machine: machineDocument(machine), choice, bytes, steps: steps.map(stepDocument), kept, leaves }
}

function machineDocument({ servers, ...machine }: Machine) {
  const listed = servers.map(({ preset, url, models, fault }) => ({
    server: preset.name,
    url,
    models: models.map(({ name }) => name),
    fault,
  }))
  return { ...machine, servers: listed }
}

function stepDocument({ pull: _, ...step }: SetupOutcome['steps'][number]) {
  return step
}
