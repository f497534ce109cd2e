import type { Layer } from '../config/layer.ts'
import { type ConfigSources, type ResolvedConfig, resolveConfig } from '../config/resolve.ts'
import { ownSettings } from '../store/home.ts'
import { usualVectors } from '../store/vectors/index.ts'
import { isSelfContained } from './families.ts'

// What is usual here for lack of a package that need not be installed.
export function installLayer(): Layer | undefined {
  const usual = usualVectors()
  if (usual === 'hnsw') return undefined
  return { name: 'install', values: { index: { vectors: usual } }, place: () => 'hnswlib-node is not installed' }
}

// The settings of somebody who works in a folder: with their own files and the nearest longtake.config.json.
export function resolveHere(
  sources: Pick<ConfigSources, 'cwd' | 'environment' | 'file' | 'flags'>,
): Promise<ResolvedConfig> {
  return resolveConfig({
    ...sources,
    install: installLayer(),
    own: ownSettings(sources.environment),
    selfContained: isSelfContained,
  })
}
