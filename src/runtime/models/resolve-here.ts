import { type ConfigSources, type ResolvedConfig, resolveConfig } from '../../config/resolve.ts'
import { settingsFolder } from '../../store/home/home.ts'
import { isSelfContained } from './role-families.ts'

// The settings for a working folder: the user's own files and the nearest longtake.config.json.
export function resolveHere(
  sources: Pick<ConfigSources, 'cwd' | 'environment' | 'file' | 'flags' | 'given'>,
): Promise<ResolvedConfig> {
  return resolveConfig({ ...sources, own: settingsFolder(sources.environment), selfContained: isSelfContained })
}
