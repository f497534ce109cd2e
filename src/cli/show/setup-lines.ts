import { tiers } from '../../config/tiers.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import type { Machine } from '../../runtime/setup/machine.ts'
import type { SetupPlan, SetupStep } from '../../runtime/setup/plan.ts'
import { alignColumns, formatBytes } from './format.ts'

// What setup found on this machine.
export function machineLines({ cores, memory, cards, disk, servers, keys, hub }: Machine): string[] {
  const card = cards.map(one => `${visibleLine(one.name)}, ${one.memory} GiB`)
  const serverTexts = servers.map(({ preset, url, models, fault }) => {
    const has = fault === undefined ? `${countPhrase(models.length, 'model')}` : visibleLine(fault)
    return `${preset.title} at ${new URL(url).host}: ${has}`
  })
  const rows = [
    ...several('processor', [`${countPhrase(cores, 'core')}, ${memory} GiB of memory`]),
    ...several('card', card.length > 0 ? card : ['none found']),
    ...several('disk', [`${formatBytes(disk.free)} free in ${visibleFileName(disk.folder)}`]),
    ...several('servers', serverTexts.length > 0 ? serverTexts : ['none runs here']),
    ...several('keys', keys.length > 0 ? keys.map(key => `${key.variable} (${key.title})`) : ['none is set']),
    ...several('network', [hub.fault === undefined ? `${new URL(hub.address).host} answers` : visibleLine(hub.fault)]),
  ]
  return ['This machine', ...alignColumns(rows)]
}

function several(name: string, values: readonly string[]): string[][] {
  return values.map((value, at) => [at === 0 ? `  ${name}` : '', value])
}

// What is to be fetched for a choice, what it writes and what leaves the machine.
export function planLines({ choice, steps, kept, leaves }: SetupPlan, file: string, full?: string): string[] {
  const bytes = steps.reduce((sum, step) => sum + (step.state === 'to fetch' ? step.bytes : 0), 0)
  const none = steps.some(({ state }) => state === 'cannot') ? 'nothing can be fetched now' : 'nothing to fetch'
  const about = steps.some(step => step.state === 'to fetch' && !step.isExact) ? 'about ' : ''
  const tier = choice.tier && choice.tier !== 'embedded' ? `Tier ${choice.tier}` : undefined
  const what = [
    tier ?? (choice.tier && 'Profile embedded, by rules only'),
    choice.model && `model ${visibleLine(choice.model)}`,
  ]
  const rows = steps.map(step => [`  ${visibleLine(step.what)}`, formatStepSize(step), rolesText(step.roles)])
  return [
    `${what.filter(Boolean).join(', ')}: ${bytes > 0 ? `${about}${formatBytes(bytes)} to fetch` : none}`,
    ...alignColumns(rows),
    '',
    ...alignColumns([
      ...(choice.tier && choice.tier !== 'embedded' ? [['meant for', tiers[choice.tier].about]] : []),
      ['leaves here', leaves],
      ['settings', visibleFileName(file)],
      ...(kept.length > 0 ? [['yours stay', `models.${kept.join(', models.')}`]] : []),
    ]),
    ...lackingLines(steps),
    ...(full ? ['', visibleLine(full)] : []),
  ]
}

function formatStepSize({ state, bytes, isExact, hosted }: SetupStep): string {
  if (state === 'here') return hosted ? 'hosted' : 'here'
  return state === 'cannot' ? 'not now' : `${isExact ? '' : 'about '}${formatBytes(bytes)}`
}

const deeds: Record<string, string> = {
  planner: 'plans, writes, checks, looks',
  transcribe: 'writes down speech',
  retranscribe: 'hears unclear speech again',
  readText: 'reads text on screen',
  hear: 'names sounds',
  listen: 'finds sounds by words',
  embedImage: 'finds pictures by words',
  embedText: 'finds lines by meaning',
}

// What a model does for its user, who does not know the names of the roles.
function rolesText(roles: readonly string[]): string {
  return roles.includes('planner') ? deeds.planner! : roles.map(role => deeds[role] ?? role).join(', ')
}

// What could not be done, once for the models that share the reason, with the fix.
export function lackingLines(steps: readonly SetupStep[]): string[] {
  const groups = new Map<string, SetupStep[]>()
  for (const step of steps.filter(({ state }) => state === 'cannot'))
    groups.set(`${step.why}\n${step.fix}`, [...(groups.get(`${step.why}\n${step.fix}`) ?? []), step])
  return [...groups.values()].flatMap(group => [
    '',
    `Not possible now: ${group.map(({ what }) => visibleLine(what)).join(', ')}`,
    `  ${visibleLine(group[0]?.why ?? '')}.`,
    `  ${visibleLine(group[0]?.fix ?? '')}`,
  ])
}
