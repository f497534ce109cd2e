import { shownUrl } from '../../../../models/http/address.ts'
import { otherServer } from '../../../../models/http/presets.ts'
import { type ProfileName, profiles, roleNames } from '../../../config/profiles.ts'
import type { Host } from '../../../core/backend.ts'
import type { Role } from '../../../core/services.ts'
import { examineRole } from '../doctor/examine-role.ts'
import type { RoleChoices } from '../role-families.ts'
import { fillRoles, inWords, type ModelCandidate, sayFilled, toRoleChoices, wordRoles } from './fill-roles.ts'
import { findServers, placesToLook } from './find-servers.ts'
import type { FoundServer } from './found-server.ts'
import type { OwnSettings } from './own-settings.ts'
import { rank } from './rank.ts'

export interface AutoChoice {
  name: 'auto' | ProfileName
  why: string
  roles: RoleChoices // over the profile embedded
}

// Models smaller than this plan worse than the rules: they are asked only where the user names them.
const minBillions = 3

// Fills each role with the best that is free to take and here: models of local servers, then those of profile `local` whose files
// are here; the rest is embedded.
export async function chooseAuto(own: OwnSettings, host: Host, seeksServers: boolean): Promise<AutoChoice> {
  // As of a run that goes on: what was found for it then is set now.
  if (!roleNames.some(own.isFree)) return { name: 'auto', why: 'every role is set', roles: {} }
  const [served, perceived] = await Promise.all([
    seeksServers ? fromServers(own, host) : { roles: {}, why: '' },
    fromFiles(own, host),
  ])
  const roles = { ...perceived.roles, ...served.roles }
  const reasons = [served.why, perceived.why].filter(Boolean)
  if (Object.keys(roles).length === 0)
    return { name: 'embedded', why: reasons.join('; ') || 'nothing else is here', roles }
  return { name: 'auto', why: `${reasons.join('; ')}; the rest is embedded`, roles }
}

async function fromServers(own: OwnSettings, host: Host): Promise<Pick<AutoChoice, 'roles' | 'why'>> {
  const free = new Set(wordRoles.filter(own.isFree))
  if (![...free].some(role => role !== 'listen')) return { roles: {}, why: '' }
  const servers = (await findServers(host)).map(withoutCatalogue)
  const all = servers.flatMap(server => server.models.map((model): ModelCandidate => ({ ...model, server })))
  const fit = all.filter(model => !model.elsewhere && (model.size ?? minBillions) >= minBillions)
  const filled = await fillRoles(rank(fit), free)
  for (const role of free) {
    const name = own.model(role)
    const match =
      name === undefined ? undefined : all.find(model => model.name === name || model.name === `${name}:latest`)
    if (match) filled[role] = match
  }
  const faults = servers.flatMap(({ url, fault }) =>
    fault ? [`what listens at ${shownUrl(new URL(url))} is passed over: ${fault}`] : [],
  )
  const where = ({ server }: ModelCandidate) => ` (${server.preset.title} at ${shownUrl(new URL(server.url))} runs)`
  const chosen = Object.keys(filled).length > 0 && sayFilled(filled, where)
  const why = chosen || nothingServed(all, servers.filter(({ fault }) => !fault).length, host)
  return { roles: toRoleChoices(filled), why: [why, ...faults].join('; ') }
}

// A server of no known kind that lists several models may fetch what is asked for, or ask somebody who is paid.
function withoutCatalogue(server: FoundServer): FoundServer {
  const { preset, models } = server
  if (preset !== otherServer || models.length < 2) return server
  const fault = `it lists ${models.length} models and is of no known kind; name one with --model ${server.url}`
  return { ...server, models: [], fault }
}

function nothingServed(all: readonly ModelCandidate[], servers: number, host: Host): string {
  if (servers > 0 && all.length > 0)
    return 'the model servers here have no model of 3 billion parameters or more that chats'
  if (servers > 0) return 'the model servers here have no models'
  const places = placesToLook(host.environment)
  return places.length > 0 ? 'no model server runs here' : 'no model server was looked for'
}

// What perceives in profile `local`: roles that no chat model fills and that are not embedded.
async function fromFiles(own: OwnSettings, host: Host): Promise<Pick<AutoChoice, 'roles' | 'why'>> {
  const wantedRoles = (Object.keys(profiles.local) as Role[]).filter(
    role =>
      own.isFree(role) &&
      !(wordRoles.includes(role) && role !== 'listen') &&
      profiles.local[role].backend !== profiles.embedded[role].backend,
  )
  const states = await Promise.all(
    wantedRoles.map(async role => ({ role, report: await examineRole(role, profiles.local[role], host) })),
  )
  const ready = states.filter(({ report }) => report.state === 'ready').map(({ role }) => role)
  const roles: RoleChoices = Object.fromEntries(ready.map(role => [role, profiles.local[role]]))
  // A second hearing by less than the first would be no second opinion.
  if (roles.transcribe && !roles.retranscribe && wantedRoles.includes('retranscribe'))
    roles.retranscribe = roles.transcribe
  const why = states.find(({ report }) => report.state !== 'ready')
  if (ready.length > 0) return { roles, why: `the files of ${inWords(ready)} are here` }
  return {
    roles,
    why: why ? `"local" is not ready: ${why.role}/${profiles.local[why.role].backend}: ${why.report.detail}` : '',
  }
}
