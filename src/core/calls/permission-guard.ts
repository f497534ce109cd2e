import type { Permission, Tool } from '../tool.ts'

// A tool that can do more than read the video runs only with a permission that the user gave before any frame was read.
// Nothing a model says or a video shows gets past this line, and no setting of the policies switches it off.
export function permissionGuard(tool: Tool, given: ReadonlySet<Permission>): string | undefined {
  if (!tool.danger || given.has(tool.danger)) return undefined
  return `${tool.name} needs the permission "${tool.danger}", which was not given for this run.`
}
