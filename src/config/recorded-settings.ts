import type { Config } from './schema.ts'

// Settings as a run records them: its results do not depend on the cluster, and the address of a database may hold a password.
export function recordedSettings({ cluster: _, ...settings }: Config): Omit<Config, 'cluster'> {
  return settings
}
