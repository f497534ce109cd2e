import { aboutProfiles, type ProfileName, profileNames } from '../../../src/config/profiles.ts'
import { type ResolvedConfig, withAskedProfile } from '../../../src/config/resolve.ts'
import type { Config } from '../../../src/config/schema.ts'
import { Refused } from '../../../src/core/api/problem.ts'
import { unknownName } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import type { Role } from '../../../src/core/services.ts'
import { roleTitle } from '../../../src/core/words/role-title.ts'
import { tryAnswering } from '../../../src/runtime/answering.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'

type Profile = 'auto' | ProfileName

const names: readonly Profile[] = ['auto', ...profileNames]

export interface ProfileParts {
  config: ResolvedConfig // of the start, or of the profile that was chosen last
  runtime: LocalRuntime
  hasKey: boolean // others than the owner may ask
  started: Profile // with the program
  isBusy(): boolean
  open(config: ResolvedConfig): Promise<LocalRuntime>
  restart(config: ResolvedConfig, runtime: LocalRuntime): void
}

export type ProfileDesk = ReturnType<typeof openProfiles>

// Their models run on this machine, and none is downloaded.
const onThisMachine: readonly Profile[] = ['auto', 'embedded', 'local', 'onnx', 'paper']

// What the roles that index a video make of it.
const indexed = {
  shots: 'shots',
  voice: 'speech',
  transcribe: 'speech',
  speakers: 'speakers',
  readText: 'text on screen',
  hear: 'sounds',
  embedImage: 'search by picture',
  embedText: 'search by meaning',
}

// The profiles that can be tried, and chosen in place of the one that the server runs with.
export function openProfiles(parts: ProfileParts) {
  const { config, runtime, hasKey, started } = parts
  const { serve } = runtime.settings
  const allowed = new Set([started, ...(serve.profiles ?? (hasKey ? [] : onThisMachine))])

  let isLeaving = false

  const refusal = (name: Profile) =>
    allowed.has(name)
      ? undefined
      : `Profile ${name} is not among serve.profiles, which the owner of the server sets before its start.`
  const check = (name: string): Profile => {
    const profile = names.find(one => one === name)
    if (profile === undefined) throw unknownName('profile', name, names)
    const reason = refusal(profile)
    if (reason !== undefined) throw new Refused('forbidden', reason, `longtake serve --profile ${name}`)
    return profile
  }
  const settingsOf = (profile: Profile) => withAskedProfile(config, profile, 'the page')

  return {
    list: () =>
      names.map(name => ({
        name,
        about: aboutProfiles[name],
        chosen: name === config.settings.profile,
        anew: name === config.settings.profile ? [] : partsMadeAnew(runtime.settings, settingsOf(name).settings),
        ...(refusal(name) !== undefined && { refused: refusal(name) }),
      })),
    async try(name: string, signal: AbortSignal) {
      const other = await parts.open(settingsOf(check(name)))
      try {
        return { ...(await tryAnswering(other, signal)), missing: await missingRoles(other) }
      } finally {
        await other.close()
      }
    },
    async choose(name: string): Promise<void> {
      const profile = check(name)
      if (profile === config.settings.profile) return
      const chosen = settingsOf(profile)
      const other = await parts.open(chosen)
      try {
        const [first, ...more] = await missingRoles(other)
        if (first) {
          const count = more.length > 0 ? ` (and ${more.length} more)` : ''
          throw new Refused(
            'conflict',
            `Profile ${name} is not ready: ${roleTitle(first.role)}: ${first.detail}${count}.`,
            `longtake doctor --profile ${name} says what is missing; longtake models pull ${name} fetches models.`,
          )
        }
        if (isLeaving || parts.isBusy())
          throw new Refused('conflict', 'A job is running.', 'Wait for it or cancel it, then choose the profile again.')
      } catch (error) {
        await other.close()
        throw error
      }
      isLeaving = true
      parts.restart(chosen, other)
    },
  }
}

// What "auto" finds is not known before it has looked.
function partsMadeAnew(own: Config, other: Config): string[] {
  if (other.profile === 'auto') return []
  const differs = ([role]: [string, string]) =>
    stableJson(own.models[role as Role]) !== stableJson(other.models[role as Role])
  const parts = Object.entries(indexed).filter(differs)
  const frames = stableJson(own.index) === stableJson(other.index) ? [] : ['frames']
  return [...new Set([...frames, ...parts.map(([, part]) => part)])]
}

// Grading is for benchmarks.
async function missingRoles(runtime: LocalRuntime) {
  const { roles, fault } = await runtime.doctor({ depth: 'look' })
  const missing = roles.filter(({ role, state }) => role !== 'judge' && (state === 'missing' || state === 'broken'))
  return [
    ...(fault ? [{ role: 'planner', detail: fault.what, mend: fault.mend }] : []),
    ...missing.map(({ role, detail, mend }) => ({ role, detail, ...(mend !== undefined && { mend }) })),
  ]
}
