import { homedir } from 'node:os'
import { join } from 'node:path'
import { checkRepository } from '../../src/core/model-names.ts'

type Environment = Readonly<Record<string, string | undefined>>

// The cache of the hub's own tools, shared so that models are stored once: HF_HUB_CACHE, or "hub" in HF_HOME.
export function hubCache(environment: Environment): string {
  const named = environment.HF_HUB_CACHE || environment.HUGGINGFACE_HUB_CACHE
  if (named) return named
  if (environment.HF_HOME) return join(environment.HF_HOME, 'hub')
  const user = environment.HOME || environment.USERPROFILE || homedir()
  return join(environment.XDG_CACHE_HOME || join(user, '.cache'), 'huggingface', 'hub')
}

// The folder of "org/name" is "models--org--name".
export function repositoryFolder(cache: string, repository: string): string {
  return join(cache, `models--${checkRepository(repository).replaceAll('/', '--')}`)
}

// HF_HUB_OFFLINE forbids every request to the hub.
export function isOffline(environment: Environment): boolean {
  return [environment.HF_HUB_OFFLINE, environment.TRANSFORMERS_OFFLINE].some(value =>
    /^(1|true|yes|on)$/i.test(value?.trim() ?? ''),
  )
}

export function hubAddress(environment: Environment): string {
  return (environment.HF_ENDPOINT || 'https://huggingface.co').replace(/(?<!\/)\/+$/, '')
}
