import type { Role } from '../core/services.ts'
import { outline } from './outline.ts'
import { neverOff } from './profiles.ts'

// What one backend takes, as JSON schema, without anything heavy having been loaded.
export interface BackendOutline {
  name: string
  summary: string
  settings: { properties?: Record<string, unknown> }
}

// The JSON schema of longtake.config.json, for editors: every role with its backends and their settings.
export function configJsonSchema(backends: Readonly<Record<string, BackendOutline[]>>): object {
  const { properties = {}, ...rest } = structuredClone(outline())
  const roles = properties.models?.properties ?? {}
  for (const [role, { description }] of Object.entries(roles)) {
    const roleBackends = backends[role]
    if (!roleBackends) continue
    const names = [...roleBackends.map(backend => backend.name), ...(neverOff.includes(role as Role) ? [] : ['off'])]
    roles[role] = { description, anyOf: [{ enum: names }, ...roleBackends.map(backendSchema)] }
  }
  return {
    ...rest,
    title: 'longtake.config.json',
    properties: { $schema: { type: 'string' }, ...properties },
    additionalProperties: false,
  }
}

function backendSchema({ name, summary, settings }: BackendOutline): object {
  return {
    type: 'object',
    title: name,
    description: summary,
    properties: { backend: { const: name }, ...settings.properties },
    additionalProperties: false,
  }
}
