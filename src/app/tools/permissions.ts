import type { Config } from '../../config/schema.ts'
import type { Permission } from '../../core/tool.ts'

// What the user allows, fixed before any frame is read.
export function permissionsOf({ permissions }: Config): ReadonlySet<Permission> {
  return new Set((Object.keys(permissions) as Permission[]).filter(name => permissions[name]))
}
